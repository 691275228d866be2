/** Remembers what a pure function of a text gave. Bounded, and without any effect on what comes out. */
export class Memo<Value> {
  readonly #compute: (text: string) => Value;
  #values = new Map<string, { readonly value: Value }>();

  constructor(compute: (text: string) => Value) {
    this.#compute = compute;
  }

  get(text: string): Value {
    const known = this.#values.get(text);
    if (known !== undefined) return known.value;
    const value = this.#compute(text);
    if (this.#values.size >= MAX_ENTRIES) this.#values = new Map();
    this.#values.set(copyOf(text), { value });
    return value;
  }
}

const MAX_ENTRIES = 10_000;

/** A part of a document's text holds the whole of it in memory; a copy does not. V8 copies short parts itself. */
function copyOf(text: string): string {
  return text.length < 13 ? text : [...text].join('');
}
