/**
 * Vectors for tests and evaluations, made of words without any model: each stem has a direction of its own, and a text is the sum of those of its
 * words and, weaker, of words that mean much the same. So texts that say the same in other words are near each other, always in the same way.
 */
import { createHash } from 'node:crypto';
import { STOP_WORDS } from '../../src/words/stop-words.ts';
import { openThesaurus } from '../../src/words/thesaurus.ts';
import { stemOf, wordsOf } from '../../src/words/tokens.ts';

/** Words of software for one thing, of which a thesaurus of English knows nothing. */
const CONCEPTS = [
  'login signin authenticate authentication credentials password',
  'delete remove erase drop purge destroy',
  'create add make new register',
  'change edit update modify alter patch',
  'error failure exception fault crash problem',
  'config configuration setting settings option preference',
  'repository repo checkout clone',
  'folder directory path',
  'payment charge pay money billing invoice',
  'refund reimbursement chargeback',
  'webhook callback notification event',
  'user account member person customer',
  'card item task issue ticket',
  'board kanban column',
  'fast quick latency performance speed slow',
  'limit quota throttle maximum cap',
  'install setup deploy deployment',
  'doc document page file note',
  'token key secret credential',
  'search find lookup query',
].map((line) => line.split(' ').map(stemOf));

const SAME_CONCEPT = 0.6;
const RELATED = 0.5;
const FEWEST_NEARNESS = 0.4;

export type TextVector = (text: string) => Float32Array;

/** @param dimensions of the vectors, which have unit length */
export function textVectors(dimensions = 256): { readonly vectorOf: TextVector; close(): void } {
  const thesaurus = openThesaurus();
  const directions = new Map<string, Float32Array>();
  const meanings = new Map<string, Float32Array>();

  function directionOf(stem: string): Float32Array {
    const known = directions.get(stem);
    if (known) return known;
    const bits = createHash('shake128', { outputLength: Math.ceil(dimensions / 8) })
      .update(stem)
      .digest();
    const direction = Float32Array.from({ length: dimensions }, (_, index) =>
      ((bits[index >> 3] ?? 0) >> (index & 7)) & 1 ? 1 : -1,
    );
    directions.set(stem, direction);
    return direction;
  }

  function meaningOf(word: string): Float32Array {
    const known = meanings.get(word);
    if (known) return known;
    const stem = stemOf(word);
    const meaning = directionOf(stem).slice();
    for (const [near, nearness] of weightsNear(word, stem)) add(meaning, directionOf(near), nearness);
    normalise(meaning);
    meanings.set(word, meaning);
    return meaning;
  }

  function weightsNear(word: string, stem: string): Map<string, number> {
    const near = new Map<string, number>();
    for (const [other, nearness] of thesaurus.related(word)) {
      if (nearness >= FEWEST_NEARNESS && !other.includes(' ')) near.set(stemOf(other), nearness * RELATED);
    }
    for (const concept of CONCEPTS) {
      if (concept.includes(stem)) for (const other of concept) near.set(other, SAME_CONCEPT);
    }
    near.delete(stem);
    return near;
  }

  return {
    vectorOf(text) {
      // A text without words has a direction, too: that of all such texts.
      const vector = directionOf('').map((value) => value * 1e-3);
      for (const [word, count] of countsOf(text)) add(vector, meaningOf(word), 1 + Math.log(count));
      normalise(vector);
      return vector;
    },
    close: () => thesaurus.close(),
  };
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) {
    if (!STOP_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

function add(sum: Float32Array, vector: Float32Array, weight: number): void {
  for (let index = 0; index < sum.length; index += 1)
    sum[index] = (sum[index] ?? 0) + weight * (vector[index] ?? 0);
}

function normalise(vector: Float32Array): void {
  const length = Math.hypot(...vector);
  for (let index = 0; index < vector.length; index += 1) vector[index] = (vector[index] ?? 0) / length;
}
