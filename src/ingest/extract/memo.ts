/** Remembers what a pure function of a text gave. Bounded, and without any effect on what comes out. */
export class Memo<Value> {
  readonly #compute: (text: string) => Value;
  #values = new Map<string, Value>();

  constructor(compute: (text: string) => Value) {
    this.#compute = compute;
  }

  get(text: string): Value {
    const known = this.#values.get(text);
    if (known !== undefined) return known;
    const value = this.#compute(text);
    if (this.#values.size >= MAX_ENTRIES) this.#values = new Map();
    this.#values.set(text, value);
    return value;
  }
}

const MAX_ENTRIES = 10_000;
