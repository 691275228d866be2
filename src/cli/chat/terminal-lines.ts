import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { printableText } from '../../text/printable.ts';
import type { Terminal } from '../io.ts';
import type { Lines } from './lines.ts';
import { ASK_FOR_PASTES, LINE_FEED_SHOWN, NO_PASTES, TypedText } from './paste.ts';

export interface TerminalLinesOptions {
  readonly prompt: string;
  /** The prompt for the further lines of a question. */
  readonly promptForMore: string;
  /** Lines that the arrow keys bring back, newest first. */
  readonly history: readonly string[];
  /** The words that Tab completes at the beginning of a line. */
  readonly words: readonly string[];
  /** Shown if Ctrl-C at an empty prompt does not end the chat yet. */
  readonly hint: string;
}

const MAX_HISTORY = 500;

/**
 * Questions that a person types at a terminal, and edits as in a shell. A line that ends with a backslash is continued, and pasted text is one
 * question with all its lines. Ctrl-C drops what was typed; twice at an empty prompt, it ends the chat, as Ctrl-D does.
 *
 * Keys are read one by one only while a question is asked for. In between, the terminal is in the state in which a shell leaves it, so that Ctrl-C
 * sends a signal to whatever is running, and what is typed ahead waits in the terminal.
 */
export class TerminalLines implements Lines {
  readonly #terminal: Terminal;
  readonly #options: TerminalLinesOptions;
  readonly #editor: Interface;
  readonly #keys: KeyStream;
  readonly #typed = new TypedText();
  readonly #decoder = new StringDecoder('utf8');
  #draft = '';
  #interrupts = 0;
  readonly #ended = new AbortController();
  /** Called with the line that is being asked for. */
  #onLine: ((line: string | undefined) => void) | undefined;

  constructor(terminal: Terminal, options: TerminalLinesOptions) {
    const { history, words } = options;
    this.#terminal = terminal;
    this.#options = options;
    this.#keys = new KeyStream(terminal);
    this.#editor = createInterface({
      input: this.#keys,
      output: terminal.output,
      terminal: true,
      history: history.map(shownLine),
      historySize: MAX_HISTORY,
      removeHistoryDuplicates: true,
      completer: (line: string) => [words.filter((word) => line !== '' && word.startsWith(line)), line],
    });
    this.#editor.on('line', (line) => this.#onTyped(line));
    this.#editor.on('SIGINT', () => this.#onInterrupt());
    this.#editor.on('SIGCONT', () => this.#editor.prompt(true));
    this.#editor.on('close', () => this.#end());
    terminal.input.on('data', this.#onData);
    terminal.input.on('end', this.#onEnd);
  }

  next(): Promise<string | undefined> {
    if (this.#ended.signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#onLine = resolve;
      this.#ask();
    });
  }

  close(): void {
    this.#editor.close();
  }

  #ask(): void {
    const { input, output } = this.#terminal;
    input.setRawMode(true);
    output.write(ASK_FOR_PASTES);
    this.#editor.setPrompt(this.#draft === '' ? this.#options.prompt : this.#options.promptForMore);
    this.#editor.prompt();
    input.resume();
    this.#pass();
  }

  /** Passes on what was typed up to the end of a line. The rest is for the next question. */
  #pass(): void {
    const keys = this.#typed.take();
    if (keys !== '') this.#keys.write(keys);
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#typed.add(this.#decoder.write(bytes));
    if (this.#onLine !== undefined) this.#pass();
  };

  readonly #onEnd = (): void => this.#editor.close();

  #onTyped(line: string): void {
    this.#interrupts = 0;
    const text = `${this.#draft}${line.replaceAll(LINE_FEED_SHOWN, '\n')}`;
    if (text.endsWith('\\')) {
      this.#draft = `${text.slice(0, -1)}\n`;
      this.#ask();
      return;
    }
    this.#draft = '';
    this.#rest();
    this.#answer(text);
  }

  #onInterrupt(): void {
    const hasText = this.#editor.line !== '' || this.#draft !== '';
    this.#editor.write(null, { ctrl: true, name: 'e' });
    this.#editor.write(null, { ctrl: true, name: 'u' });
    this.#draft = '';
    this.#interrupts = hasText ? 0 : this.#interrupts + 1;
    this.#terminal.output.write(this.#interrupts === 1 ? `\n${this.#options.hint}\n` : '\n');
    if (this.#interrupts > 1) this.#editor.close();
    else this.#ask();
  }

  /** Puts the terminal into the state in which a shell leaves it. */
  #rest(): void {
    const { input, output } = this.#terminal;
    input.pause();
    input.setRawMode(false);
    output.write(NO_PASTES);
  }

  #end(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    this.#terminal.input.off('data', this.#onData);
    this.#terminal.input.off('end', this.#onEnd);
    if (this.#onLine !== undefined) this.#rest();
    this.#answer(undefined);
  }

  #answer(line: string | undefined): void {
    const onLine = this.#onLine;
    this.#onLine = undefined;
    onLine?.(line);
  }
}

/** The keys that are given to the editor. The editor itself switches the terminal when the process is stopped and continued. */
class KeyStream extends PassThrough {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    super();
    this.#terminal = terminal;
  }

  setRawMode(isRaw: boolean): this {
    this.#terminal.input.setRawMode(isRaw);
    return this;
  }
}

/** A question without what could move the cursor: other programs may have asked it. */
function shownLine(text: string): string {
  return printableText(text).replaceAll('\n', LINE_FEED_SHOWN);
}
