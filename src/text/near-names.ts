import { changesAllowed, nearest, nearestWithin } from './near.ts';

/** For this many questions, looking through all names takes less time than making the index. */
const QUESTIONS_WITHOUT_INDEX = 16;
const CHARACTERS_OF_A_PART = 3;
/** A transposition in the middle of a name changes four parts of it. No other change affects as many. */
const PARTS_OF_A_CHANGE = CHARACTERS_OF_A_PART + 1;
/** Put before and after a name, so that its first and last characters are in as many parts as the others. */
const EDGE = '\0'.repeat(CHARACTERS_OF_A_PART - 1);

interface Index {
  readonly names: readonly string[];
  /** By part, the indexes in `names` of the names that contain it. */
  readonly withPart: ReadonlyMap<string, readonly number[]>;
  /** Used while a question is answered, and all 0 otherwise. */
  readonly counts: Uint8Array;
}

/**
 * Names among which many misspelt ones are looked up, with the results of `nearest`. A name that is this many changes away has nearly all
 * three-character parts of the misspelt one, so only names with enough of its rarest parts are compared.
 */
export class NearNames {
  readonly #names: ReadonlySet<string>;
  #questions = 0;
  #index: Index | undefined;

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  /** @param except a name that is not meant */
  nearestTo(name: string, except?: string): string | undefined {
    this.#questions += 1;
    if (this.#questions <= QUESTIONS_WITHOUT_INDEX) return nearest(name, without(this.#names, except));
    const wanted = name.toLowerCase();
    const limit = changesAllowed(wanted);
    // Most mistakes are a single change, for which few names have to be compared.
    for (let changes = 1; changes <= limit; changes += 1) {
      const candidates = without(this.candidates(changes, wanted), except);
      const { isAny, only } = nearestWithin(changes, wanted, candidates);
      if (isAny) return only;
    }
    return undefined;
  }

  /** All names with at most this many changes, and few others. @param wanted in lower case */
  candidates(changes: number, wanted: string): Iterable<string> {
    const parts = partsOf(wanted);
    const lost = changes * PARTS_OF_A_CHANGE;
    // Names this short need not share any part.
    if (parts.length <= lost) return this.#names;
    this.#index ??= indexOf(this.#names);
    const { names, withPart, counts } = this.#index;
    const lists = rarestOf(
      parts.map((part) => withPart.get(part) ?? []),
      lost + 1,
    );
    const enough = lists.length - lost;
    const found: string[] = [];
    for (const list of lists) {
      for (const at of list) {
        const count = (counts[at] ?? 0) + 1;
        counts[at] = count;
        if (count === enough) found.push(names[at] ?? '');
      }
    }
    for (const list of lists) for (const at of list) counts[at] = 0;
    return found;
  }
}

/** The shortest lists: as many as are needed, and others as long as all of these, since with more lists fewer names have enough. */
function rarestOf(lists: (readonly number[])[], needed: number): (readonly number[])[] {
  lists.sort((one, other) => one.length - other.length);
  let room = lists.slice(0, needed).reduce((sum, list) => sum + list.length, 0);
  let end = needed;
  for (; end < lists.length; end += 1) {
    room -= lists[end]?.length ?? 0;
    if (room < 0) break;
  }
  return lists.slice(0, end);
}

function indexOf(all: Iterable<string>): Index {
  const names = [...all];
  const withPart = new Map<string, number[]>();
  for (const [at, name] of names.entries()) {
    for (const part of new Set(partsOf(name.toLowerCase()))) {
      const known = withPart.get(part);
      if (known === undefined) withPart.set(part, [at]);
      else known.push(at);
    }
  }
  return { names, withPart, counts: new Uint8Array(names.length) };
}

/** One part for each position, so a repeated part is there twice: a change may affect one of them and leave the other. */
function partsOf(name: string): string[] {
  const padded = EDGE + name + EDGE;
  const parts: string[] = [];
  for (let at = 0; at + CHARACTERS_OF_A_PART <= padded.length; at += 1)
    parts.push(padded.slice(at, at + CHARACTERS_OF_A_PART));
  return parts;
}

function* without(names: Iterable<string>, except: string | undefined): Generator<string> {
  for (const name of names) if (name !== except) yield name;
}
