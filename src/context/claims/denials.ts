/** Finds whether a claim and a statement about the same thing deny different things, clause by clause. */
import { longestRun } from './substitution.ts';
import type { Match, SourceWords } from './word-matches.ts';
import { isTelling, type StatementWords, type Word } from './words-of-statement.ts';

/** Clauses that share less of the claim's words are about different things. */
const SAME_CLAUSE = 0.6;
/** Statements that share this much in both directions are the same sentence with a word changed. */
const SAME_SENTENCE = 0.9;
/** The word that is denied follows within this many words. */
const REACH_WORDS = 5;
/** Words that deny their whole clause. */
const OF_CLAUSE = new Set(['no', 'none', 'nothing', 'nobody']);

interface Placed {
  readonly word: Word;
  readonly at: number;
}

export function deniesOtherwise(
  claim: StatementWords,
  source: SourceWords,
  matches: readonly Match[],
): boolean {
  const flips = new Set(matches.flatMap(({ word, isFlipped }) => (isFlipped ? [word.stem] : [])));
  const found = new Map(matches.flatMap(({ word, at }) => (at === undefined ? [] : [[word.stem, at]])));
  const theirs = clausesOf(source);
  const differs = clausesOf(claim).some((clause) => {
    const counterpart = counterpartOf(clause, theirs, found);
    if (counterpart === undefined) return false;
    const { own, other } = counterpart;
    const flipped = clause.filter(({ word }) => flips.has(word.stem)).length;
    const [ours, others] = [cuesNear(clause, own), cuesNear(counterpart.clause, other)];
    return flipped === 0 ? ours !== others : (ours + others + flipped) % 2 === 1;
  });
  return (
    differs || (isSameSentence(claim, source) && cueCount(claim) !== cueCount(source) && flips.size === 0)
  );
}

function clausesOf({ words }: StatementWords): Placed[][] {
  const clauses = new Map<number, Placed[]>();
  for (const [at, word] of words.entries()) {
    const clause = clauses.get(word.clause);
    if (clause === undefined) clauses.set(word.clause, [{ word, at }]);
    else clause.push({ word, at });
  }
  return [...clauses.values()];
}

interface Counterpart {
  readonly clause: readonly Placed[];
  /** The places of the words that both have, in the claim and in the source. */
  readonly own: ReadonlySet<number>;
  readonly other: ReadonlySet<number>;
}

/** The clause of the source with most of the claim's words. Of two with equally many, the one with them in the same order wins, and then the shorter one. */
function counterpartOf(
  clause: readonly Placed[],
  theirs: readonly (readonly Placed[])[],
  found: ReadonlyMap<string, number>,
): Counterpart | undefined {
  const telling = tellingOf(clause);
  if (telling.length === 0) return undefined;
  const isContent = telling.some(({ word }) => isTelling(word));
  const ranked = theirs.map((other) => {
    const pairs = telling.flatMap(({ word, at }) => {
      const there =
        other.find((one) => (isContent ? one.word.stem === word.stem : one.word.text === word.text)) ??
        other.find((one) => found.get(word.stem) === one.at);
      return there === undefined ? [] : [{ own: at, other: there.at }];
    });
    return { clause: other, pairs, inOrder: longestRun(pairs.map((pair) => pair.other)).size };
  });
  const [best] = ranked.sort(
    (a, b) => b.pairs.length - a.pairs.length || b.inOrder - a.inOrder || a.clause.length - b.clause.length,
  );
  if (best === undefined || best.pairs.length < SAME_CLAUSE * telling.length) return undefined;
  if (!isContent && best.clause.some(({ word }) => isTelling(word))) return undefined;
  return {
    clause: best.clause,
    own: withRepeated(
      clause,
      best.pairs.map(({ own }) => own),
    ),
    other: withRepeated(
      best.clause,
      best.pairs.map(({ other }) => other),
    ),
  };
}

/** The given places, and all others of the same words. */
function withRepeated(clause: readonly Placed[], places: readonly number[]): ReadonlySet<number> {
  const stems = new Set(clause.filter(({ at }) => places.includes(at)).map(({ word }) => word.stem));
  return new Set(clause.filter(({ word }) => stems.has(word.stem)).map(({ at }) => at));
}

/** The words of content. In a clause without any ("that is it"), all words that do not deny. */
function tellingOf(clause: readonly Placed[]): Placed[] {
  const content = clause.filter(({ word }) => isTelling(word));
  return content.length > 0 ? content : clause.filter(({ word }) => !word.isDenying);
}

/** How often the clause denies something that both say. */
function cuesNear(clause: readonly Placed[], shared: ReadonlySet<number>): number {
  return clause.filter(({ word }, index) => {
    if (!word.isDenying) return false;
    if (OF_CLAUSE.has(word.text)) return true;
    const [next] = clause.slice(index + 1, index + 1 + REACH_WORDS).filter((one) => isTelling(one.word));
    if (next !== undefined) return shared.has(next.at);
    const before = clause.slice(0, index).findLast((one) => isTelling(one.word));
    return before === undefined || shared.has(before.at);
  }).length;
}

function isSameSentence(claim: StatementWords, source: StatementWords): boolean {
  const [ours, theirs] = [claim, source].map(
    ({ words }) => new Set(words.filter(isTelling).map(({ stem }) => stem)),
  );
  if (ours === undefined || theirs === undefined || ours.size === 0) return false;
  const shared = [...ours].filter((stem) => theirs.has(stem)).length;
  return shared >= SAME_SENTENCE * Math.max(ours.size, theirs.size);
}

function cueCount({ words }: StatementWords): number {
  return words.filter(({ isDenying }) => isDenying).length;
}
