const HIDDEN = '[key]';
/** What servers of one's own take for a key, such as `ollama`, is shorter: it is no secret, and a word of answers. */
const MIN_KEY_LENGTH = 12;

/** A text without the key, as {@link WithoutKey} of all at once. */
export function withoutKey(text: string, key: string | undefined): string {
  return isSecret(key) ? text.replaceAll(key, HIDDEN) : text;
}

/** Takes the key out of what a model says, as it comes in parts: what is said is shown, and kept. */
export class WithoutKey {
  readonly #key: string | undefined;
  #held = '';

  constructor(key: string | undefined) {
    this.#key = isSecret(key) ? key : undefined;
  }

  /** @returns what is said of it; what may be the beginning of the key is held back */
  take(part: string): string {
    if (this.#key === undefined) return part;
    const text = withoutKey(this.#held + part, this.#key);
    const heldLength = beginningAtEnd(text, this.#key);
    this.#held = heldLength === 0 ? '' : text.slice(-heldLength);
    return text.slice(0, text.length - heldLength);
  }

  /** @returns what was held back; to be called when nothing more comes */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

function isSecret(key: string | undefined): key is string {
  return key !== undefined && key.length >= MIN_KEY_LENGTH;
}

/** How many characters at the end of a text the key begins with. */
function beginningAtEnd(text: string, key: string): number {
  for (let length = Math.min(text.length, key.length - 1); length > 0; length -= 1)
    if (text.endsWith(key.slice(0, length))) return length;
  return 0;
}
