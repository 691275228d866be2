/**
 * Remembers what a pure function of a text gave, without any effect on what comes out. A text has one slot, which the next text with the
 * same hash takes over: so it is bounded, and looking up a part of a document needs no hash of V8's own, which takes longer than all else here.
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

  /** Of the part of a text from `start` to `end`. */
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

/** A power of two. */
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

/** A part of a document's text holds the whole of it in memory; a copy does not. V8 copies short parts itself. */
function copyOf(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1);
}
