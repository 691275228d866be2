const OPENING = ['<think>', '<thinking>'] as const;
const LONGEST_MARK = '</thinking>'.length;
const CLOSING = /<\/think(?:ing)?>\s*/;

/**
 * Takes the thoughts off an answer: some servers send what a model thinks as the beginning of what it says, between `<think>` and `</think>`. Text
 * that comes later stays as it is, so an answer may speak of such marks.
 */
export class Thoughts {
  #held = '';
  #state: 'unknown' | 'speaking' = 'unknown';

  /** @returns what is said of it, as far as one can know by now */
  take(part: string): string {
    if (this.#state === 'speaking') return part;
    this.#held += part;
    const speech = spokenOf(this.#held);
    if (speech === undefined) {
      // Long thoughts are not kept, nor read again and again: only what may be the beginning of their end.
      if (isThought(this.#held)) this.#held = OPENING[0] + this.#held.slice(-LONGEST_MARK);
      return '';
    }
    if (speech === '') return '';
    this.#state = 'speaking';
    return speech;
  }

  /** @returns what was held back and is no thought after all; to be called when nothing more comes */
  end(): string {
    return this.#state === 'speaking' || isThought(this.#held) ? '' : this.#held;
  }
}

/** Undefined where it is not yet known what it is. */
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
