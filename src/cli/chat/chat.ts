import { addUsage, NO_USAGE, type Usage } from '../../agent/chat-model.ts';
import type { App } from '../../app/app.ts';
import { type Answer, answerJson, usageJson } from '../../conversation/answer.ts';
import type { Conversation } from '../../conversation/project-conversation.ts';
import { EXIT, UserError } from '../../core/errors.ts';
import { counted } from '../../text/counted.ts';
import { printable, printableText } from '../../text/printable.ts';
import { LiveAnswer, noticesOf, stepLine, writeAnswer } from '../ask-model.ts';
import { isStopped, modelFailure, spentInVain } from '../conversation.ts';
import type { Io } from '../io.ts';
import type { Provenance } from '../provenance.ts';
import { reportError } from '../report-error.ts';
import { usageText } from '../text/usage.ts';
import type { Lines } from './lines.ts';
import { helpLines, type SlashCommand, slashCommand } from './slash.ts';
import { contextLines, memoryLines, sourceLines, toolLines } from './views.ts';

export interface ChatParts {
  readonly io: Io;
  readonly app: Pick<App, 'fs' | 'memory'>;
  readonly lines: Lines;
  /** Whether a person types the questions. Otherwise they come from a file or a pipe, and the exit status says whether all were answered. */
  readonly isInteractive: boolean;
  /** Whether to write a JSON object for each answer, each on a line of its own. */
  readonly isJson: boolean;
  readonly conversation: Conversation;
  /** Begins a new conversation. */
  begin(): Promise<Conversation>;
  /** Brings the index and search up to date that answers are made from. */
  freshen(): Promise<void>;
  /** Begins to count the time of a question. */
  provenance(question: string): (revision: number) => Provenance;
}

/** Two interrupts within this time end the chat. */
const TWICE_WITHIN_MS = 1000;
/** How many sources are shown below an answer; /sources shows all. */
const SOURCES_SHOWN = 5;

/** Questions and answers, one after another, until the user ends the chat. */
export class Chat {
  readonly #parts: ChatParts;
  #conversation: Conversation;
  /** Stops the answer that is being made. */
  #stopping: AbortController | undefined;
  readonly #ending = new AbortController();
  #status = 0;
  #interruptedMs = Number.NEGATIVE_INFINITY;
  #questions = 0;
  #usage: Usage = NO_USAGE;

  constructor(parts: ChatParts) {
    this.#parts = parts;
    this.#conversation = parts.conversation;
  }

  /** @returns the exit status */
  async run(): Promise<number> {
    const { lines } = this.#parts;
    const signals = { SIGINT: this.#onInterrupt, SIGTERM: this.#onEnd, SIGHUP: this.#onEnd };
    for (const [name, onSignal] of Object.entries(signals)) process.on(name, onSignal);
    try {
      while (!this.#ending.signal.aborted) {
        const line = await lines.next();
        if (line === undefined) break;
        if (line.trim() !== '') await this.#take(line.trim());
      }
      this.#farewell();
      return this.#status;
    } finally {
      for (const [name, onSignal] of Object.entries(signals)) process.off(name, onSignal);
      this.#conversation.close();
    }
  }

  async #take(line: string): Promise<void> {
    const slash = slashCommand(line);
    if (slash === undefined) return this.#ask(line);
    if ('unknown' in slash) {
      this.#fail(new UserError(slash.unknown));
      return;
    }
    await this.#do(slash.command);
  }

  async #ask(question: string): Promise<void> {
    const { io, isJson, isInteractive, freshen, provenance } = this.#parts;
    const stopping = new AbortController();
    this.#stopping = stopping;
    const screen = isJson || !io.out.isTerminal ? undefined : new LiveAnswer(io);
    const made = provenance(question);
    try {
      await freshen();
      const answer = await this.#conversation.ask(question, {
        signal: stopping.signal,
        onStep: (step) => {
          if (io.err.isTerminal) io.err.write(`${io.err.style('dim', stepLine(step))}\n`);
        },
        ...(screen ? { onText: screen.onText, onTurn: screen.onTurn } : {}),
      });
      screen?.onTurn();
      this.#questions += 1;
      this.#usage = addUsage(this.#usage, answer.usage);
      if (isJson)
        this.#writeJson({ question, ...answerJson(answer, this.#names()), ...made(answer.revision) });
      else if (isInteractive && screen) this.#writeBelow(answer);
      else this.#writePiped(answer, screen);
      if (answer.answer.trim() === '')
        throw new UserError(`${this.#conversation.model} gave no answer (${answer.end})`);
    } catch (error) {
      screen?.onTurn();
      const spent = spentInVain(error);
      if (isStopped(error)) this.#stopped(question, spent);
      else this.#fail(modelFailure(error), question, spent);
    } finally {
      this.#stopping = undefined;
    }
  }

  #writePiped(answer: Answer, screen: LiveAnswer | undefined): void {
    const { io } = this.#parts;
    if (this.#questions > 1) io.out.write('\n');
    writeAnswer(answer, io, screen);
  }

  /** Writes what the user should know about an answer that was already shown. */
  #writeBelow(answer: Answer): void {
    const { out } = this.#parts.io;
    const { sources } = answer;
    const shown = sources.slice(0, SOURCES_SHOWN).map(printable).join(', ');
    const more = sources.length > SOURCES_SHOWN ? ', …' : '';
    const places =
      sources.length === 0 ? [] : [`${counted(sources.length, 'source')} (/sources): ${shown}${more}`];
    for (const line of [...places, ...noticesOf(answer)]) out.write(`${out.style('dim', printable(line))}\n`);
  }

  #stopped(question: string, spent: Usage | undefined): void {
    const { io, isInteractive, isJson } = this.#parts;
    io.err.write(`${io.err.style('dim', 'stopped')}\n`);
    this.#spend(spent);
    if (isJson) this.#writeJson({ question, error: 'stopped', ...spentJson(spent) });
    if (!isInteractive) this.#status ||= 1;
  }

  #fail(error: unknown, question?: string, spent?: Usage): void {
    const { io, isJson, isInteractive } = this.#parts;
    if (!isInteractive) this.#status = 1;
    reportError(error, io);
    this.#spend(spent);
    if (isJson && question !== undefined) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#writeJson({ question, error: reason, ...spentJson(spent) });
    }
  }

  /** Adds what was spent without an answer to the usage of the chat, and says so. */
  #spend(spent: Usage | undefined): void {
    if (spent === undefined) return;
    const { err } = this.#parts.io;
    this.#usage = addUsage(this.#usage, spent);
    err.write(`${err.style('dim', `spent without an answer: ${usageText(usageJson(spent))}`)}\n`);
  }

  async #do(command: SlashCommand): Promise<void> {
    const answers = this.#conversation.answers();
    const { app } = this.#parts;
    switch (command) {
      case 'tools':
        return this.#show(toolLines(answers));
      case 'sources':
        return this.#show(await sourceLines(answers.at(-1), app));
      case 'context':
        return this.#show(contextLines(answers));
      case 'memory':
        return this.#show(memoryLines(answers, app));
      case 'usage':
        return this.#show([this.#usageText()]);
      case 'help':
        return this.#show(helpLines());
      case 'new':
        this.#conversation.close();
        this.#conversation = await this.#parts.begin();
        return this.#show([`a new conversation: ${this.#conversation.id}`]);
      case 'quit':
        return this.#onEnd();
    }
  }

  /** Shows lines that documents or models have a say in; nothing in them may move the cursor. */
  #show(lines: readonly string[]): void {
    const { io, isJson } = this.#parts;
    const output = isJson ? io.err : io.out;
    for (const line of lines) output.write(`${printableText(line.replaceAll('\n', ' '))}\n`);
  }

  #names() {
    const { model, session, id } = this.#conversation;
    return { model, session, conversation: id };
  }

  #usageText(): string {
    return `${counted(this.#questions, 'answer')}, ${usageText(usageJson(this.#usage))}`;
  }

  #farewell(): void {
    const { io, isInteractive } = this.#parts;
    if (!isInteractive || this.#questions === 0) return;
    const goOn = `kgraphfs chat --resume ${this.#conversation.id} goes on`;
    io.out.write(`${io.out.style('dim', `${this.#usageText()}; ${goOn}`)}\n`);
  }

  #writeJson(value: unknown): void {
    this.#parts.io.out.write(`${JSON.stringify(value)}\n`);
  }

  /** If questions come by a pipe, nobody sees a prompt: an interrupt with no answer to stop, or a second one, ends the chat. */
  readonly #onInterrupt = (): void => {
    const nowMs = performance.now();
    const isTwice = nowMs - this.#interruptedMs < TWICE_WITHIN_MS;
    this.#interruptedMs = nowMs;
    const isAnswering = this.#stopping !== undefined;
    this.#stopping?.abort();
    if (this.#parts.isInteractive || (isAnswering && !isTwice)) return;
    this.#status = EXIT.interrupted;
    this.#onEnd();
  };

  readonly #onEnd = (): void => {
    this.#ending.abort();
    this.#stopping?.abort();
    this.#parts.lines.close();
  };
}

function spentJson(spent: Usage | undefined) {
  return spent === undefined ? {} : { usage: usageJson(spent) };
}
