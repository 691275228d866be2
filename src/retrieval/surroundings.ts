import type { FoundPassage } from '../store/passages.ts';
import type { Corpus } from './corpus.ts';

/** What was said just before a passage and just after it, nearest first. */
export interface Surroundings {
  readonly before: readonly FoundPassage[];
  readonly after: readonly FoundPassage[];
}

export interface SurroundedPassage {
  readonly passage: FoundPassage;
  /** Undefined where passages do not follow one another. */
  readonly around?: Surroundings | undefined;
}

/** So far from it what was said tells what a turn is about. */
const MAX_TURNS_APART = 2;
/** The neighbours of so many passages are found, too: an answer often says nothing of what the question before it named. */
const WITH_NEIGHBOURS = 100;

/**
 * Passages by their numbers, the best first. Where they follow one another, as the turns of a conversation do, each comes with what was said before
 * and after it, and with the passages beside the best ones.
 */
export function readSurrounded(corpus: Corpus, ids: readonly number[]): SurroundedPassage[] {
  const passages = new Map<number, FoundPassage>();
  // What was read already has had its neighbours looked at.
  const read = (wanted: Iterable<number>): readonly FoundPassage[] => {
    const missing = new Set<number>();
    for (const id of wanted) if (!passages.has(id)) missing.add(id);
    const found = missing.size === 0 ? [] : corpus.read([...missing]);
    for (const passage of found) passages.set(passage.id, passage);
    return found;
  };
  let latest = read(ids);
  const chosen = new Set(ids);
  for (const id of ids.slice(0, WITH_NEIGHBOURS)) {
    const passage = passages.get(id);
    if (passage !== undefined) addBeside(passage, chosen);
  }
  latest = [...latest, ...read(chosen)];
  for (let distance = 0; distance < MAX_TURNS_APART; distance += 1) {
    const reach = new Set<number>();
    for (const passage of latest) addBeside(passage, reach);
    latest = read(reach);
  }
  const chain = (passage: FoundPassage, side: 'before' | 'after'): FoundPassage[] => {
    const found: FoundPassage[] = [];
    for (let id = passage[side]; id !== null && found.length < MAX_TURNS_APART; ) {
      const next = passages.get(id);
      if (next === undefined) break;
      found.push(next);
      id = next[side];
    }
    return found;
  };
  const surrounded: SurroundedPassage[] = [];
  for (const id of chosen) {
    const passage = passages.get(id);
    if (passage === undefined) continue;
    const isAlone = passage.before === null && passage.after === null;
    const around = isAlone ? undefined : { before: chain(passage, 'before'), after: chain(passage, 'after') };
    surrounded.push({ passage, around });
  }
  return surrounded;
}

function addBeside({ before, after }: FoundPassage, ids: Set<number>): void {
  if (before !== null) ids.add(before);
  if (after !== null) ids.add(after);
}
