import { UserError } from '../core/errors.ts';
import {
  MEMORY_TYPES,
  type MemoryEntry,
  type MemoryPlace,
  type MemoryType,
  placeText,
  REVIEW_TAG,
} from '../core/memory-entry.ts';
import type { Memory } from '../memory/memory.ts';
import { either } from '../text/either.ts';
import { printableName } from '../text/printable.ts';
import { didYouMean } from './near-names.ts';
import { usageError } from './usage-error.ts';

/** A name without the folders of the mount that a shell completes: `context/memory/fact/refunds` is `fact/refunds`. */
export function bareName(name: string): string {
  return name.replace(/^\/?(?:context\/)?memory\//, '');
}

/**
 * The one entry that a name means: `fact/refunds`, or the key alone if only one entry has it.
 * @throws UserError if there is none, or more than one
 */
export function namedEntry(memory: Pick<Memory, 'find' | 'places'>, name: string): MemoryEntry {
  const wanted = bareName(name);
  const [found, ...others] = memory.find(wanted);
  if (found === undefined) {
    const known = memory.places().flatMap((place) => [place.key, placeText(place)]);
    throw new UserError(
      `nothing is remembered as "${wanted}"${didYouMean(wanted, known)}\n  kgraphfs context memory list shows what is`,
    );
  }
  // A name with the type in front of the key is not ambiguous.
  if (others.length === 0 || placeText(found) === wanted) return found;
  const names = [found, ...others].map((entry) => printableName(placeText(entry)));
  throw new UserError(`"${wanted}" may be ${either(names)}; say which`);
}

/**
 * The one entry that a name means and that waits for review. The name may be a path below `context/review/`.
 * @throws UserError if there is none, more than one, or it does not wait for review
 */
export function waitingEntry(memory: Pick<Memory, 'find' | 'places'>, name: string): MemoryEntry {
  const entry = namedEntry(memory, name.replace(/^\/?context\/review\//, ''));
  if (entry.tags.includes(REVIEW_TAG)) return entry;
  throw new UserError(
    `${printableName(placeText(entry))} does not wait for review\n  kgraphfs context memory list --tag ${REVIEW_TAG} shows what does`,
  );
}

/** The place of an entry. @throws UserError of status 2 if the name does not say of which type the entry is */
export function requirePlace(name: string, verb: string): MemoryPlace {
  const wanted = bareName(name);
  const slash = wanted.indexOf('/');
  const key = wanted.slice(slash + 1);
  if (slash > 0 && key !== '') return { type: requireMemoryType(wanted.slice(0, slash), verb), key };
  if (slash !== -1)
    throw usageError(
      `"${name}" is not a name for an entry, which has a kind and a key, such as fact/refunds`,
      verb,
    );
  throw usageError(
    `"${name}" has no kind; write ${either(MEMORY_TYPES.map((type) => `${type}/${wanted}`))}`,
    verb,
  );
}

/** A type of memory by its name. @throws UserError of status 2 */
export function requireMemoryType(word: string, verb: string): MemoryType {
  const type = MEMORY_TYPES.find((type) => type === word.toLowerCase());
  if (type !== undefined) return type;
  throw usageError(
    `there is no kind of memory "${word}"${didYouMean(word, MEMORY_TYPES)}; the kinds are ${MEMORY_TYPES.join(', ')}`,
    verb,
  );
}
