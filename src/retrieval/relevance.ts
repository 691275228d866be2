/**
 * BM25F (Robertson, Zaragoza, "The Probabilistic Relevance Framework", 2009): how often a term occurs in each field, weighed against the length of
 * the field, saturating over all fields together.
 */
import type { FoundPassage } from '../store/passages.ts';
import { isIdentifier } from '../words/identifiers.ts';
import type { Concept, Vocabulary } from './concepts.ts';
import type { Corpus } from './corpus.ts';
import { inBoth } from './in-both.ts';
import type { Surroundings } from './surroundings.ts';

const SATURATION = 1.2;

interface Field {
  readonly weight: number;
  /** How much the length of a field counts against a term, from 0 to 1. */
  readonly lengthNormalisation: number;
}

const TITLE: Field = { weight: 2, lengthNormalisation: 0.3 };
const HEADINGS: Field = { weight: 2, lengthNormalisation: 0.3 };
const BODY: Field = { weight: 1, lengthNormalisation: 0.5 };
/** A longer turn does not say less about the matter. */
const TURN: Field = { weight: 1, lengthNormalisation: 0.3 };
/** The weights of what was said before, the last first, and after: measured on long conversations, see docs/decisions.md. */
const BEFORE = [0.4, 0.2] as const;
const AFTER = [0.4, 0.1] as const;
/** The usual number of terms of titles and headings, which is the same everywhere. */
const USUAL_TITLE_LENGTH = 5;

interface WeighedTerm {
  readonly term: string;
  /** The concepts that it stands for, with its weight in each, multiplied by its rarity. */
  readonly values: { readonly concept: number; readonly value: number }[];
}

/** Indexes of the terms that a passage may contain. */
type Possible = readonly number[];
const NONE: Possible = [];

/** Looking up a term for this many passages takes as long as reading one entry of the list of passages that contain it. */
const SEARCHED_FOR_ONE_READ = 0.125;

/** Scores passages by how much they say about the concepts of a question. */
export class Relevance {
  readonly #terms: readonly WeighedTerm[];
  readonly #possible = new Map<Corpus, Map<number, number[]>>();
  /** By term: how often it occurs in the current passage, weighed by field. */
  readonly #counts: Float64Array;
  /** By concept: the best of its terms in that passage. */
  readonly #best: Float64Array;

  constructor(concepts: readonly Concept[], vocabulary: Vocabulary) {
    const total = vocabulary.count();
    const terms = new Map<string, WeighedTerm>();
    for (const [concept, { weights }] of concepts.entries()) {
      for (const [term, weight] of weights) {
        const frequency = vocabulary.frequency(term);
        if (frequency === 0) continue;
        const weighed = terms.get(term) ?? { term, values: [] };
        weighed.values.push({ concept, value: weight * rarity(frequency, total) });
        terms.set(term, weighed);
      }
    }
    this.#terms = [...terms.values()];
    this.#counts = new Float64Array(this.#terms.length);
    this.#best = new Float64Array(concepts.length);
  }

  /** Has to be called with all passages that will be scored, and what is around them: looks up which of the terms each may contain. */
  lookUp(corpus: Corpus, passages: Iterable<FoundPassage>): void {
    const possible = new Map<number, number[]>();
    for (const { id } of passages) possible.set(id, []);
    const ids = Int32Array.from(possible.keys()).sort();
    for (const [index, { term }] of this.#terms.entries()) {
      // Whether a passage contains a very common term is quickly found when it is scored, while the list of all that do is long.
      const isCommon = ids.length < SEARCHED_FOR_ONE_READ * corpus.frequency(term);
      for (const id of isCommon ? ids : inBoth(ids, corpus.holding(term))) possible.get(id)?.push(index);
    }
    this.#possible.set(corpus, possible);
  }

  /**
   * The sum over the concepts, each with the best of its terms.
   * @param usualLength the usual length of bodies in the passage's store, in terms
   */
  scoreOf(corpus: Corpus, passage: FoundPassage, usualLength: number, around?: Surroundings): number {
    const possible = this.#possible.get(corpus);
    this.#counts.fill(0);
    this.#countIn(passage, possible?.get(passage.id) ?? NONE, usualLength);
    for (const { turn, weight } of turnsIn(around)) {
      const inTurn = weight * factorOf(TURN, turn.bodyLength / usualLength);
      for (const index of possible?.get(turn.id) ?? NONE) {
        this.#add(index, inTurn * countIn(turn.bodyBag, this.#terms[index]?.term ?? ''));
      }
    }
    return this.#sum();
  }

  #countIn(passage: FoundPassage, possible: Possible, usualLength: number): void {
    const isTurn = passage.before !== null || passage.after !== null;
    const inBody = factorOf(isTurn ? TURN : BODY, passage.bodyLength / usualLength);
    for (const index of possible) {
      const term = this.#terms[index]?.term ?? '';
      const count =
        weighedTimes(passage.titleTerms, term, TITLE) +
        weighedTimes(passage.headingTerms, term, HEADINGS) +
        inBody * countIn(passage.bodyBag, term);
      this.#add(index, count);
    }
  }

  #add(index: number, count: number): void {
    this.#counts[index] = (this.#counts[index] ?? 0) + count;
  }

  #sum(): number {
    this.#best.fill(0);
    for (const [index, { values }] of this.#terms.entries()) {
      const count = this.#counts[index] ?? 0;
      if (count === 0) continue;
      const saturated = (count * (SATURATION + 1)) / (count + SATURATION);
      for (const { concept, value } of values) {
        const score = value * saturated;
        if (score > (this.#best[concept] ?? 0)) this.#best[concept] = score;
      }
    }
    return this.#best.reduce((sum, score) => sum + score, 0);
  }
}

function* turnsIn(
  around: Surroundings | undefined,
): Generator<{ readonly turn: FoundPassage; readonly weight: number }> {
  if (around === undefined) return;
  for (const [turns, weights] of [
    [around.before, BEFORE],
    [around.after, AFTER],
  ] as const) {
    for (const [distance, turn] of turns.entries()) yield { turn, weight: weights[distance] ?? 0 };
  }
}

/** @param length of the field, as a multiple of the usual one */
function factorOf({ weight, lengthNormalisation }: Field, length: number): number {
  return weight / (1 - lengthNormalisation + lengthNormalisation * length);
}

/** How often a term occurs in a title or in headings, weighed against their length. Most contain none of the terms, and are not measured. */
function weighedTimes(terms: string, term: string, field: Field): number {
  const times = timesIn(terms, term);
  return times === 0 ? 0 : times * factorOf(field, lengthOf(terms) / USUAL_TITLE_LENGTH);
}

const SPACE = 32;
const COLON = 58;

/** How often a term occurs in the text that a bag was made from. */
function countIn(bag: string, term: string): number {
  for (let at = bag.indexOf(term); at !== -1; at = bag.indexOf(term, at + 1)) {
    if (at > 0 && bag.charCodeAt(at - 1) !== SPACE) continue;
    const end = at + term.length;
    const next = end === bag.length ? SPACE : bag.charCodeAt(end);
    if (next === SPACE) return 1;
    if (next === COLON) return Number.parseInt(bag.slice(end + 1, end + 6), 10);
  }
  return 0;
}

/** How often a term occurs in a list of terms. */
function timesIn(terms: string, term: string): number {
  let count = 0;
  for (let at = terms.indexOf(term); at !== -1; at = terms.indexOf(term, at + 1)) {
    const end = at + term.length;
    const isWhole =
      (at === 0 || terms.charCodeAt(at - 1) === SPACE) &&
      (end === terms.length || terms.charCodeAt(end) === SPACE);
    if (isWhole) count += 1;
  }
  return count;
}

/** The number of terms. An identifier does not make a text longer, since its words are counted. */
function lengthOf(terms: string): number {
  if (terms === '') return 0;
  if (isIdentifier(terms)) return terms.split(' ').filter((term) => !isIdentifier(term)).length;
  let count = 1;
  for (let at = terms.indexOf(' '); at !== -1; at = terms.indexOf(' ', at + 1)) count += 1;
  return count;
}

/** Inverse document frequency, never negative. */
export function rarity(frequency: number, total: number): number {
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}
