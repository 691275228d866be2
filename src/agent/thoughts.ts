const OPENING = ['<think>', '<thinking>'] as const;
const LONGEST_MARK = '</thinking>'.length;
const CLOSING = /<\/think(?:ing)?>\s*/;

/**
 * Removes the thoughts from an answer. Some servers send what a model thinks at the beginning of the answer, between `<think>` and `</think>`. Text
 * that comes later stays as it is, so an answer may mention such marks.
 */
export class Thoughts {
  #held = '';
  #state: 'unknown' | 'speaking' = 'unknown';

  /** @returns what is said in it, as far as that is known by now */
  take(part: string): string {
    if (this.#state === 'speaking') return part;
    this.#held += part;
    const speech = spokenOf(this.#held);
    if (speech === undefined) {
      // Long thoughts are not stored, nor scanned again and again: only what may be the beginning of their end mark is.
      if (isThought(this.#held)) this.#held = OPENING[0] + this.#held.slice(-LONGEST_MARK);
      return '';
    }
    if (speech === '') return '';
    this.#state = 'speaking';
    return speech;
  }

  /** To be called at the end. @returns what was held back and is not a thought */
  end(): string {
    return this.#state === 'speaking' || isThought(this.#held) ? '' : this.#held;
  }
}

/** Undefined if that is not known yet. */
function spokenOf(text: string): string | undefined {
  const start = text.trimStart();
  if (!isThought(text)) return OPENING.some((mark) => mark.startsWith(start)) ? undefined : text;
  const end = CLOSING.exec(text);
  return end === null ? undefined : text.slice(end.index + end[0].length);
}

function isThought(text: string): boolean {
  const start = text.trimStart();
  return OPENING.some((mark) => start.startsWith(mark));
}
