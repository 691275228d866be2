import type { FoundPassage } from '../store/passages.ts';
import type { Corpus } from './corpus.ts';

/** What was said just before a passage and just after it, nearest first. */
export interface Surroundings {
  readonly before: readonly FoundPassage[];
  readonly after: readonly FoundPassage[];
}

export interface SurroundedPassage {
  readonly passage: FoundPassage;
  /** Absent where passages do not follow one another. */
  readonly around?: Surroundings;
}

/** So far from it what was said tells what a turn is about. */
const DISTANCE = 2;
/** The neighbours of so many passages are found, too: an answer often says nothing of what the question before it named. */
const WITH_NEIGHBOURS = 100;

/**
 * Passages by their numbers, the best first. Where they follow one another, as the turns of a conversation do, each comes with what was said before
 * and after it, and with the passages beside the best ones.
 */
export function readSurrounded(corpus: Corpus, ids: readonly number[]): SurroundedPassage[] {
  const passages = new Map<number, FoundPassage>();
  const read = (wanted: Iterable<number>): void => {
    const missing = [...new Set(wanted)].filter((id) => !passages.has(id));
    for (const passage of corpus.read(missing)) passages.set(passage.id, passage);
  };
  const beside = (id: number): number[] => {
    const { before, after } = passages.get(id) ?? {};
    return [before, after].filter((other) => other !== null && other !== undefined);
  };
  read(ids);
  const chosen = new Set(ids);
  for (const id of ids.slice(0, WITH_NEIGHBOURS)) for (const other of beside(id)) chosen.add(other);
  let reach: Iterable<number> = chosen;
  for (let distance = 0; distance < DISTANCE; distance += 1) {
    read(reach);
    reach = [...passages.keys()].flatMap(beside);
  }
  read(reach);
  const chain = (passage: FoundPassage, side: 'before' | 'after'): FoundPassage[] => {
    const found: FoundPassage[] = [];
    for (let id = passage[side]; id !== null && found.length < DISTANCE; ) {
      const next = passages.get(id);
      if (next === undefined) break;
      found.push(next);
      id = next[side];
    }
    return found;
  };
  return [...chosen].flatMap((id): SurroundedPassage[] => {
    const passage = passages.get(id);
    if (passage === undefined) return [];
    if (passage.before === null && passage.after === null) return [{ passage }];
    return [{ passage, around: { before: chain(passage, 'before'), after: chain(passage, 'after') } }];
  });
}
