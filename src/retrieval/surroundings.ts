import type { FoundPassage } from '../store/passages.ts';
import type { Corpus } from './corpus.ts';

/** What was said just before a passage and just after it, in an entry of its own each: as bags of terms. */
export interface Surroundings {
  readonly before: string;
  readonly after: string;
}

export interface SurroundedPassage {
  readonly passage: FoundPassage;
  /** Absent where passages do not follow one another. */
  readonly around?: Surroundings;
}

/**
 * Passages by their numbers. Where they follow one another, as the turns of a conversation do, each comes with what was said before and after
 * it; and the neighbours of each come, too: an answer often says nothing of what the question before it named.
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
  const chosen = new Set(ids.flatMap((id) => [id, ...beside(id)]));
  read(chosen);
  read([...chosen].flatMap(beside));
  const bagOf = (id: number | null): string => (id === null ? '' : (passages.get(id)?.bodyBag ?? ''));
  return [...chosen].flatMap((id): SurroundedPassage[] => {
    const passage = passages.get(id);
    if (passage === undefined) return [];
    const { before, after } = passage;
    if (before === null && after === null) return [{ passage }];
    return [{ passage, around: { before: bagOf(before), after: bagOf(after) } }];
  });
}
