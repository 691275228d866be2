const HIDDEN = '[key]';
/** What one's own servers accept as a key, such as `ollama`, is shorter. It is not a secret, and may be a word of an answer. */
const MIN_KEY_LENGTH = 12;

/** Removes the key from a text, as {@link WithoutKey} does in parts. */
export function withoutKey(text: string, key: string | undefined): string {
  return isSecret(key) ? text.replaceAll(key, HIDDEN) : text;
}

/** Removes the key from what a model says, which arrives in parts, and is shown and stored. */
export class WithoutKey {
  readonly #key: string | undefined;
  #held = '';

  constructor(key: string | undefined) {
    this.#key = isSecret(key) ? key : undefined;
  }

  /** @returns the text; what may be the beginning of the key is held back */
  take(part: string): string {
    if (this.#key === undefined) return part;
    const text = withoutKey(this.#held + part, this.#key);
    const heldLength = beginningAtEnd(text, this.#key);
    this.#held = heldLength === 0 ? '' : text.slice(-heldLength);
    return text.slice(0, text.length - heldLength);
  }

  /** To be called at the end. @returns what was held back */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

function isSecret(key: string | undefined): key is string {
  return key !== undefined && key.length >= MIN_KEY_LENGTH;
}

/** How many characters of the key the text ends with, if they are its beginning. */
function beginningAtEnd(text: string, key: string): number {
  for (let length = Math.min(text.length, key.length - 1); length > 0; length -= 1)
    if (text.endsWith(key.slice(0, length))) return length;
  return 0;
}
