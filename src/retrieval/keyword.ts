import { groupBy } from '../core/group.ts';
import type { FoundPassage } from '../store/passages.ts';
import { isIdentifier } from '../words/identifiers.ts';
import { weightByAmount } from './asked-amounts.ts';
import { type Allowed, type Candidate, candidatesOf } from './candidates.ts';
import { weightByTitle } from './change-logs.ts';
import type { Concept, Vocabulary } from './concepts.ts';
import type { Corpus } from './corpus.ts';
import { feedbackOf } from './feedback.ts';
import { withCopiesBehind } from './near-copies.ts';
import { withOlderVersionsBehind } from './older-versions.ts';
import { byScoreAndPlace, comparePlaces } from './place-order.ts';
import { Relevance } from './relevance.ts';
import { weightByRepetition } from './repeated-text.ts';
import { weightByStyle } from './style-sheets.ts';
import { readSurrounded, type SurroundedPassage } from './surroundings.ts';

export interface ScoredPassage {
  readonly corpus: Corpus;
  readonly passage: FoundPassage;
  readonly score: number;
}

/** The passages of one source, or one turn of a conversation, best first, with the score of all together. */
export interface RankedSource {
  readonly corpus: Corpus;
  readonly sourceId: number;
  readonly score: number;
  readonly passages: readonly ScoredPassage[];
}

export interface KeywordOptions {
  readonly question: string;
  readonly allowed: Allowed;
  /** Whether the words of the best passages are looked for, too. */
  readonly feedback: boolean;
}

const CANDIDATES = 250;
/** A term in a larger share of all passages yields no candidates, unless the question has no other one. */
const MAX_CANDIDATE_SHARE = 0.2;
/** What the best passages of a source contribute to its score: a source that mentions the matter in several places is about it. */
const SHARES = [1, 0.2, 0.1] as const;
/** How much a title counts that consists of words of the question. */
const TITLE_WEIGHT = 0.4;
/** How much more it counts if it consists of all of them and no other: "what is a space" asks for the page "Space". */
const WHOLE_TITLE_WEIGHT = 1;

/** The least weight of a term that is a word of the question in another spelling. */
const NEARLY_SURE = 0.8;

/** A node is nothing but a title, and says in one line what a document explains. */
const NODE_WEIGHT = 0.8;

interface Read extends SurroundedPassage {
  readonly corpus: Corpus;
}

interface ReadAndScored extends Read, ScoredPassage {
  /** The factor of its score due to its title, to the amounts that it contains, and to whether it is a style sheet or the text of many pages. */
  readonly weight: number;
}

type WeightOf = (corpus: Corpus, passage: FoundPassage) => number;

/** Sources with passages about the concepts, best first. */
export function rankSources(
  concepts: readonly Concept[],
  corpora: readonly Corpus[],
  vocabulary: Vocabulary,
  { question, allowed, feedback }: KeywordOptions,
): RankedSource[] {
  const limits = { limit: CANDIDATES, maxShare: MAX_CANDIDATE_SHARE };
  const candidates = candidatesOf(concepts, corpora, vocabulary, allowed, limits);
  const passages = readAll(candidates, allowed);
  const usual = usualLengths(passages);
  const weightOf = weightFor(question, concepts, passages);
  const first = scored(passages, usual, concepts, vocabulary, weightOf).sort(byScore);
  const all = feedback ? withFeedback(first, usual, concepts, vocabulary) : { found: first, concepts };
  return withCopiesBehind(withOlderVersionsBehind(ranked(all.found, all.concepts, concepts), question));
}

/**
 * Scores that include the words of the best passages, on the same scale as before. Turns of a conversation take no part: they say too little to judge
 * others by their words.
 */
function withFeedback(
  first: readonly ReadAndScored[],
  usual: ReadonlyMap<Corpus, number>,
  concepts: readonly Concept[],
  vocabulary: Vocabulary,
): { readonly found: ReadAndScored[]; readonly concepts: readonly Concept[] } {
  const longer = first.filter(({ around }) => around === undefined);
  const more = feedbackOf(longer, concepts, vocabulary);
  const relevance = relevanceTo(more, vocabulary, longer);
  const raised = longer.map((read) => {
    const { corpus, passage, weight, score } = read;
    const said = relevance.scoreOf(corpus, passage, usual.get(corpus) ?? 1);
    return withScore(read, weight, score + weight * said);
  });
  const most = raised.reduce((most, { score }) => Math.max(most, score), 0);
  const scale = most === 0 ? 1 : (longer[0]?.score ?? 0) / most;
  const scaled = raised.map((read) => withScore(read, read.weight, read.score * scale));
  const turns = first.filter(({ around }) => around !== undefined);
  return { found: [...scaled, ...turns].sort(byScore), concepts: [...concepts, ...more] };
}

/** Of the sources found so far, the one that answers a part of the question best. */
export function bestFor(
  part: string,
  concepts: readonly Concept[],
  sources: readonly RankedSource[],
  vocabulary: Vocabulary,
): RankedSource | undefined {
  const passages = sources.flatMap(({ passages }) => passages);
  const weightOf = weightFor(part, concepts, passages);
  const found = scored(passages, usualLengths(passages), concepts, vocabulary, weightOf).sort(byScore);
  return ranked(found, concepts, concepts)[0];
}

function weightFor(
  question: string,
  concepts: readonly Concept[],
  passages: readonly Pick<ScoredPassage, 'corpus' | 'passage'>[],
): WeightOf {
  const byTitle = weightByTitle(concepts);
  const byAmount = weightByAmount(question);
  const byStyle = weightByStyle(concepts);
  const byRepetition = weightByRepetition(passages);
  return (corpus, passage) =>
    byTitle(corpus, passage) * byAmount(passage) * byStyle(passage) * byRepetition(passage);
}

function readAll(candidates: readonly Candidate[], allowed: Allowed): Read[] {
  return [...groupBy(candidates, ({ corpus }) => corpus)].flatMap(([corpus, found]) => {
    const mask = allowed(corpus);
    const ids = found.map(({ passage }) => passage.id);
    return readSurrounded(corpus, ids)
      .filter(({ passage }) => mask === undefined || mask[passage.id] === 1)
      .map(({ passage, around }) => ({ corpus, passage, around }));
  });
}

/** The average lengths of the bodies that were read from each store. */
function usualLengths(passages: readonly Read[]): Map<Corpus, number> {
  const byCorpus = groupBy(passages, ({ corpus }) => corpus);
  return new Map(
    Array.from(byCorpus, ([corpus, read]) => {
      const total = read.reduce((sum, { passage }) => sum + passage.bodyLength, 0);
      return [corpus, Math.max(1, total / read.length)];
    }),
  );
}

function relevanceTo(
  concepts: readonly Concept[],
  vocabulary: Vocabulary,
  passages: readonly Read[],
): Relevance {
  const relevance = new Relevance(concepts, vocabulary);
  for (const [corpus, read] of groupBy(passages, ({ corpus }) => corpus)) {
    relevance.lookUp(corpus, withSurroundings(read));
  }
  return relevance;
}

function* withSurroundings(passages: readonly Read[]): Generator<FoundPassage> {
  for (const { passage, around } of passages) {
    yield passage;
    if (around === undefined) continue;
    yield* around.before;
    yield* around.after;
  }
}

/** Written out, since copying an object property by property takes several times as long. */
function withScore({ corpus, passage, around }: Read, weight: number, score: number): ReadAndScored {
  return { corpus, passage, around, weight, score };
}

function scored(
  passages: readonly Read[],
  usual: ReadonlyMap<Corpus, number>,
  concepts: readonly Concept[],
  vocabulary: Vocabulary,
  weightOf: WeightOf,
): ReadAndScored[] {
  const relevance = relevanceTo(concepts, vocabulary, passages);
  return passages
    .map((read) => {
      const { corpus, passage, around } = read;
      const said = relevance.scoreOf(corpus, passage, usual.get(corpus) ?? 1, around);
      const weight = said === 0 ? 0 : weightOf(corpus, passage);
      return withScore(read, weight, weight * said);
    })
    .filter(({ score }) => score > 0);
}

function byScore(a: ScoredPassage, b: ScoredPassage): number {
  return b.score - a.score || comparePlaces(a, b);
}

/** @param asked the concepts of the question itself */
function ranked(
  passages: readonly ReadAndScored[],
  concepts: readonly Concept[],
  asked: readonly Concept[],
): RankedSource[] {
  const bySource = groupBy(passages, ({ corpus, passage, around }) =>
    around === undefined ? `${corpus.name} ${passage.sourceId}` : `${corpus.name} turn ${passage.id}`,
  );
  const weights = new Map(concepts.flatMap(({ weights }) => [...weights]));
  const words = new Set(asked.map(({ term }) => term));
  return Array.from(bySource.values(), (found) => rankedSource(found, weights, words)).sort(byScoreAndPlace);
}

function rankedSource(
  passages: ScoredPassage[],
  weights: ReadonlyMap<string, number>,
  words: ReadonlySet<string>,
): RankedSource {
  const [best] = passages;
  if (best === undefined) throw new Error('a source without passages');
  const sum = SHARES.reduce((sum, share, rank) => sum + share * (passages[rank]?.score ?? 0), 0);
  const { corpus, passage } = best;
  const { titleTerms, sourceId } = passage;
  const ofTitle = wordsOfTitle(titleTerms);
  const whole = isWholeTitle(titleTerms, ofTitle, words, weights) ? WHOLE_TITLE_WEIGHT : 0;
  const weight = corpus.isNode(sourceId) ? NODE_WEIGHT : 1;
  const score = weight * sum * (1 + TITLE_WEIGHT * titleMatch(ofTitle, weights) + whole);
  return { corpus, sourceId, score, passages };
}

/** The share of a title that the question contains, from 0 to 1. */
function titleMatch(ofTitle: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let said = 0;
  for (const word of ofTitle) said += weights.get(word) ?? 0;
  return said / ofTitle.size;
}

/** Identifiers in a title say nothing beyond their words: `log-in` is just how files are named. */
function wordsOfTitle(titleTerms: string): ReadonlySet<string> {
  return new Set(titleTerms.split(' ').filter((term) => !isIdentifier(term)));
}

/** A name of several parts is in a title as one word, too, which for a question with the parts is a nearly sure word. */
function isWholeTitle(
  titleTerms: string,
  ofTitle: ReadonlySet<string>,
  asked: ReadonlySet<string>,
  weights: ReadonlyMap<string, number>,
): boolean {
  const terms = ` ${titleTerms} `;
  for (const word of asked) if (!terms.includes(` ${word} `)) return false;
  for (const word of ofTitle) if ((weights.get(word) ?? 0) < NEARLY_SURE) return false;
  return true;
}
