/** What a terminal puts around pasted text if it is asked to (xterm's bracketed paste mode). */
const PASTE_BEGINS = '\u001b[200~';
const PASTE_ENDS = '\u001b[201~';
export const ASK_FOR_PASTES = '\u001b[?2004h';
export const NO_PASTES = '\u001b[?2004l';

/** How a pasted line feed is shown while a question is edited, since it does not end the line. */
export const LINE_FEED_SHOWN = '⏎';

const LINE_END = /[\r\n]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is left out
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;
const TAB = '    ';

/** Splits what a terminal sends into lines, and tells typed text from pasted text. */
export class TypedText {
  #waiting = '';
  /** The marker that ends the current text: the end of the paste if it is pasted, the beginning of the next paste if it is typed. */
  #marker: string = PASTE_BEGINS;

  add(text: string): void {
    this.#waiting += text;
  }

  /** The text to show and edit next, at most up to the end of a typed line. Empty if there is nothing yet. */
  take(): string {
    let keys = '';
    while (this.#waiting !== '') {
      const marker = this.#marker;
      const isPasted = marker === PASTE_ENDS;
      const found = this.#waiting.indexOf(marker);
      const part = this.#waiting.slice(0, found === -1 ? heldBackFrom(this.#waiting, marker) : found);
      const lineEnd = isPasted ? -1 : part.search(LINE_END);
      if (lineEnd !== -1) {
        const end = part.startsWith('\r\n', lineEnd) ? 2 : 1;
        this.#waiting = this.#waiting.slice(lineEnd + end);
        return keys + part.slice(0, lineEnd + 1);
      }
      keys += isPasted ? pastedKeys(part) : part;
      this.#waiting = this.#waiting.slice(part.length + (found === -1 ? 0 : marker.length));
      if (found === -1) break;
      this.#marker = isPasted ? PASTE_BEGINS : PASTE_ENDS;
    }
    return keys;
  }
}

/** The offset at the end of a text where the beginning of a marker may have arrived. */
function heldBackFrom(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(marker.slice(0, length))) return text.length - length;
  }
  return text.length;
}

/** The keys that insert a pasted text into the line, and do nothing else. */
function pastedKeys(text: string): string {
  return text
    .replace(/\r\n?|\n/g, LINE_FEED_SHOWN)
    .replaceAll('\t', TAB)
    .replace(CONTROLS, '');
}
