/**
 * BM25F (Robertson, Zaragoza, "The Probabilistic Relevance Framework", 2009): how often a term stands in each field,
 * weighed against the length of the field, saturating over all fields together.
 */
import type { FoundPassage } from '../store/passages.ts';
import type { Concept, Vocabulary } from './concepts.ts';
import type { Surroundings } from './surroundings.ts';

const SATURATION = 1.2;

interface Field {
  readonly weight: number;
  /** How much a long field counts against a term, from 0 to 1. */
  readonly lengthNormalisation: number;
}

const TITLE: Field = { weight: 2, lengthNormalisation: 0.3 };
const HEADINGS: Field = { weight: 2, lengthNormalisation: 0.3 };
const BODY: Field = { weight: 1, lengthNormalisation: 0.5 };
const BEFORE: Field = { weight: 0.4, lengthNormalisation: 0.5 };
const AFTER: Field = { weight: 0.4, lengthNormalisation: 0.5 };
/** In terms: titles and headings are alike wherever they stand. */
const USUAL_TITLE_LENGTH = 5;

/** Scores passages for one question: a number for each of its concepts, so that it can be told what a passage speaks of. */
export class Relevance {
  readonly #concepts: readonly Concept[];
  /** By term: the concepts it stands for, with its weight in each times its rarity. */
  readonly #terms = new Map<string, { readonly concept: number; readonly value: number }[]>();

  constructor(concepts: readonly Concept[], vocabulary: Vocabulary) {
    this.#concepts = concepts;
    const total = vocabulary.count();
    for (const [concept, { weights }] of concepts.entries()) {
      for (const [term, weight] of weights) {
        const value = weight * rarity(vocabulary.frequency(term), total);
        const values = this.#terms.get(term);
        if (values === undefined) this.#terms.set(term, [{ concept, value }]);
        else values.push({ concept, value });
      }
    }
  }

  /**
   * One score for each concept, in order: that of the best of its terms.
   * @param usualLength of the bodies of the store that the passage is of, in terms
   */
  scoresOf(passage: FoundPassage, usualLength: number, around?: Surroundings): Float64Array {
    const occurrences = new Map<string, number>();
    this.#count(passage.titleTerms, TITLE, USUAL_TITLE_LENGTH, occurrences);
    this.#count(passage.headingTerms, HEADINGS, USUAL_TITLE_LENGTH, occurrences);
    this.#countBag(passage.bodyBag, BODY, passage.bodyLength / usualLength, occurrences);
    if (around !== undefined) {
      this.#countBag(around.before, BEFORE, 1, occurrences);
      this.#countBag(around.after, AFTER, 1, occurrences);
    }
    const scores = new Float64Array(this.#concepts.length);
    for (const [term, count] of occurrences) {
      const saturated = (count * (SATURATION + 1)) / (count + SATURATION);
      for (const { concept, value } of this.#terms.get(term) ?? []) {
        const score = value * saturated;
        if (score > (scores[concept] ?? 0)) scores[concept] = score;
      }
    }
    return scores;
  }

  #count(text: string, field: Field, usualLength: number, occurrences: Map<string, number>): void {
    if (text === '') return;
    const terms = text.split(' ');
    const each = eachIn(field, terms.length / usualLength);
    for (const term of terms) {
      if (this.#terms.has(term)) occurrences.set(term, (occurrences.get(term) ?? 0) + each);
    }
  }

  #countBag(bag: string, field: Field, length: number, occurrences: Map<string, number>): void {
    if (bag === '') return;
    const each = eachIn(field, length);
    for (const entry of bag.split(' ')) {
      const colon = entry.indexOf(':');
      const term = colon === -1 ? entry : entry.slice(0, colon);
      if (!this.#terms.has(term)) continue;
      const count = colon === -1 ? 1 : Number(entry.slice(colon + 1));
      occurrences.set(term, (occurrences.get(term) ?? 0) + count * each);
    }
  }
}

/** @param length of the field, as a multiple of the usual one */
function eachIn({ weight, lengthNormalisation }: Field, length: number): number {
  return weight / (1 - lengthNormalisation + lengthNormalisation * length);
}

/** Inverse document frequency, never negative. */
export function rarity(frequency: number, total: number): number {
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
}
