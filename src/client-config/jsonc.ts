import { UserError } from '../core/errors.ts';
import { placeInFile } from '../text/place-in-text.ts';

/** A value of a JSON text with its place. Places are indexes into the text, and ends are after the last character. */
export type JsonNode =
  | {
      readonly kind: 'object';
      readonly start: number;
      readonly end: number;
      readonly members: readonly Member[];
    }
  | { readonly kind: 'other'; readonly start: number; readonly end: number };

export interface Member {
  readonly name: string;
  /** The place of the name. */
  readonly start: number;
  readonly value: JsonNode;
  /** The place of the comma after it; undefined if there is none. */
  readonly comma: number | undefined;
}

const BLANK = /[ \t\r\n\uFEFF]*/y;
const COMMENT = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none in its strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORD = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
/** No settings are nested more deeply. */
const MAX_DEPTH = 200;

/**
 * Parses a JSON text and returns the places of everything in it, so that it can be edited without being rewritten.
 * @param file for messages
 * @param isLenient allows comments, and commas after the last item of a list
 * @throws UserError with file, line and column of the mistake
 */
export function parseJsonc(text: string, file: string, isLenient: boolean): JsonNode {
  return new Reader(text, file, isLenient).whole();
}

class Reader {
  readonly #text: string;
  readonly #file: string;
  readonly #isLenient: boolean;
  #at = 0;

  constructor(text: string, file: string, isLenient: boolean) {
    this.#text = text;
    this.#file = file;
    this.#isLenient = isLenient;
  }

  whole(): JsonNode {
    this.#skip();
    const node = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#wrong('nothing more was expected here');
    return node;
  }

  #value(depth: number): JsonNode {
    const start = this.#at;
    if (depth > MAX_DEPTH) throw this.#wrong('this is nested too deeply');
    const character = this.#text[start];
    if (character === '{') return { kind: 'object', start, members: this.#members(depth), end: this.#at };
    if (character === '[') this.#items(depth);
    else if (!(this.#take(STRING) || this.#take(WORD))) throw this.#wrong('a value was expected here');
    return { kind: 'other', start, end: this.#at };
  }

  #members(depth: number): Member[] {
    const members: Member[] = [];
    this.#list('}', () => {
      const start = this.#at;
      if (!this.#take(STRING)) throw this.#wrong('a name in quotation marks was expected here');
      const name: unknown = JSON.parse(this.#text.slice(start, this.#at));
      this.#skip();
      if (this.#text[this.#at] !== ':') throw this.#wrong('a colon was expected here');
      this.#at += 1;
      this.#skip();
      const value = this.#value(depth + 1);
      return (comma) => members.push({ name: String(name), start, value, comma });
    });
    return members;
  }

  #items(depth: number): void {
    this.#list(']', () => {
      this.#value(depth + 1);
      return () => {};
    });
  }

  /** @param take reads one item, and is told where the comma after it is */
  #list(close: string, take: () => (comma: number | undefined) => void): void {
    this.#at += 1;
    this.#skip();
    let mayEnd = true;
    while (!(mayEnd && this.#text[this.#at] === close)) {
      const told = take();
      this.#skip();
      const isComma = this.#text[this.#at] === ',';
      told(isComma ? this.#at : undefined);
      if (!isComma) {
        if (this.#text[this.#at] !== close) throw this.#wrong(`a comma or ${close} was expected here`);
        break;
      }
      this.#at += 1;
      this.#skip();
      mayEnd = this.#isLenient;
    }
    this.#at += 1;
  }

  #skip(): void {
    do this.#take(BLANK);
    while (this.#isLenient && this.#take(COMMENT));
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #wrong(message: string): UserError {
    return new UserError(
      `${placeInFile(this.#file, this.#text, this.#at)}: ${message}; the file is left as it is`,
    );
  }
}
