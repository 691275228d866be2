import { type Sentence, sentencesOf } from './sentences.ts';

export interface Choice {
  /** The maximal number of sentences. */
  readonly limit: number;
  /** What the sentences should be about. Default: what the text is about. */
  readonly terms?: ReadonlySet<string>;
}

/** Sentences at the beginning of a text say more often what it is about. */
const OPENING_BONUS = 0.25;
const OPENING_SENTENCES = 3;
/** If something is asked: the share of a sentence's score for answering it. The rest is for how central the sentence is. */
const ANSWER_PART = 0.75;
/** The loss of score of a sentence that repeats an earlier one. */
const REPETITION_LOSS = 0.7;
const SAME_SENTENCE_LIKENESS = 0.95;
/** A row of a table, or a sentence that depends on the one before or after it, says less by itself. */
const DEPENDENT_WORTH = 0.5;
/** A sentence with fewer terms is hardly a sentence. */
const TELLING_TERMS = 6;
const DEPENDENT = / \| |^(?:it|its|this|these|those|they|them|such|but|and|so|then|otherwise|only)\b|:$/i;

/** The sentences of a markdown text that say most of it, best first: chosen by TF-IDF, close to the centre of all, and without repetitions. */
export function bestSentences(markdown: string, choice: Choice): Sentence[] {
  return chooseAmong(sentencesOf(markdown), choice);
}

/** The same for the sentences of several texts. */
export function chooseAmong(sentences: readonly Sentence[], { limit, terms }: Choice): Sentence[] {
  const weights = weightsOf(sentences);
  const vectors = sentences.map((sentence) => vectorOf(sentence, weights));
  const worths = worthsOf(sentences, vectors, weights, terms);
  const chosen: number[] = [];
  const left = new Set(sentences.keys());
  while (chosen.length < limit && left.size > 0) {
    let best: { readonly index: number; readonly worth: number } | undefined;
    for (const index of left) {
      const again = Math.max(0, ...chosen.map((other) => cosine(vectors[index], vectors[other])));
      const worth = again > SAME_SENTENCE_LIKENESS ? 0 : (worths[index] ?? 0) * (1 - REPETITION_LOSS * again);
      if (best === undefined || worth > best.worth) best = { index, worth };
    }
    if (best === undefined || best.worth <= 0) break;
    chosen.push(best.index);
    left.delete(best.index);
  }
  return chosen.flatMap((index) => sentences[index] ?? []);
}

function aloneWorth(text: string): number {
  return DEPENDENT.test(text) ? DEPENDENT_WORTH : 1;
}

type Vector = ReadonlyMap<string, number>;

/** The inverse frequency of terms among the sentences: a term that is in all of them distinguishes none. */
function weightsOf(sentences: readonly Sentence[]): Vector {
  const counts = new Map<string, number>();
  for (const { terms } of sentences)
    for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map(
    Array.from(counts, ([term, count]) => [term, Math.log(1 + sentences.length / count)] as const),
  );
}

/** The vector of a sentence, with the length 1. */
function vectorOf({ terms }: Sentence, weights: Vector): Vector {
  const vector = new Map<string, number>();
  for (const term of terms) vector.set(term, (vector.get(term) ?? 0) + (weights.get(term) ?? 0));
  return unit(vector);
}

function unit(vector: Vector): Vector {
  const length = Math.sqrt(Array.from(vector.values()).reduce((sum, weight) => sum + weight * weight, 0));
  if (length === 0) return vector;
  return new Map(Array.from(vector, ([term, weight]) => [term, weight / length] as const));
}

function cosine(a: Vector | undefined, b: Vector | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (const [term, weight] of a.size <= b.size ? a : b)
    sum += weight * ((a.size <= b.size ? b : a).get(term) ?? 0);
  return sum;
}

function worthsOf(
  sentences: readonly Sentence[],
  vectors: readonly Vector[],
  weights: Vector,
  terms: ReadonlySet<string> | undefined,
): number[] {
  const sum = new Map<string, number>();
  for (const vector of vectors)
    for (const [term, weight] of vector) sum.set(term, (sum.get(term) ?? 0) + weight);
  const center = unit(sum);
  const asked = terms === undefined ? undefined : [...terms];
  const all = asked?.reduce((total, term) => total + (weights.get(term) ?? 0), 0) ?? 0;
  const answered = sentences.map(({ terms }) => {
    const held = new Set(terms);
    return asked?.reduce((total, term) => total + (held.has(term) ? (weights.get(term) ?? 0) : 0), 0) ?? 0;
  });
  return sentences.map(({ text, terms: said }, index) => {
    const opening = index < OPENING_SENTENCES ? OPENING_BONUS / (index + 1) : 0;
    const central =
      (cosine(vectors[index], center) + opening) *
      aloneWorth(text) *
      Math.min(1, said.length / TELLING_TERMS);
    if (all === 0) return central;
    const answer = answered[index] ?? 0;
    return answer === 0 ? 0 : ANSWER_PART * (answer / all) + (1 - ANSWER_PART) * central;
  });
}
