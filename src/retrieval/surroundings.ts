import type { FoundPassage } from '../store/passages.ts';
import type { Corpus } from './corpus.ts';

/** What was said just before and just after a passage, nearest first. */
export interface Surroundings {
  readonly before: readonly FoundPassage[];
  readonly after: readonly FoundPassage[];
}

export interface SurroundedPassage {
  readonly passage: FoundPassage;
  /** Undefined if passages do not follow one another. */
  readonly around?: Surroundings | undefined;
}

/** How many turns away something that was said still tells what a turn is about. */
const MAX_TURNS_APART = 2;
/** For how many passages the neighbours are found, too: an answer often does not mention what the question before it has named. */
const WITH_NEIGHBOURS = 100;

/**
 * The passages with these ids, best first. If passages follow one another, like the turns of a conversation, each comes with what was said before and
 * after it, and the neighbours of the best ones are added.
 */
export function readSurrounded(corpus: Corpus, ids: readonly number[]): SurroundedPassage[] {
  const passages = new Map<number, FoundPassage>();
  // Neighbours of passages that were read before have been looked at already.
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
