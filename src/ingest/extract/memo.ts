/**
 * Remembers the results of a pure function of a text; the results do not depend on it. Texts with the same hash share one slot, in which the latest replaces
 * the one before. So the size is bounded, and looking up a part of a document does not need V8's own hash, which takes longer than everything else here.
 */
export class Memo<Value> {
  readonly #compute: (text: string) => Value;
  readonly #slots: (Entry<Value> | undefined)[] = new Array(SLOTS);

  constructor(compute: (text: string) => Value) {
    this.#compute = compute;
  }

  get(text: string): Value {
    const slot = hashOf(text, 0, text.length) & (SLOTS - 1);
    const known = this.#slots[slot];
    return known?.text === text ? known.value : this.#add(slot, text);
  }

  /** The result for the part of a text from `start` to `end`. */
  at(text: string, start: number, end: number): Value {
    const slot = hashOf(text, start, end) & (SLOTS - 1);
    const known = this.#slots[slot];
    return known !== undefined && isAt(known.text, text, start, end)
      ? known.value
      : this.#add(slot, text.slice(start, end));
  }

  #add(slot: number, part: string): Value {
    const text = copyOf(part);
    const value = this.#compute(text);
    this.#slots[slot] = { text, value };
    return value;
  }
}

interface Entry<Value> {
  readonly text: string;
  readonly value: Value;
}

/** The number of slots, a power of two. */
const SLOTS = 1 << 14;

function hashOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash ^ (hash >>> 15);
}

function isAt(known: string, text: string, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at += 1) {
    if (known.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  }
  return true;
}

/** A copy of a text. A part of a document's text would keep the whole document in memory; V8 copies short parts itself. */
function copyOf(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
