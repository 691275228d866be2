import type { LoopEnd, TraversalStep } from '../agent/loop.ts';
import type { App } from '../app/app.ts';
import { type Answer, answerJson, usageJson } from '../conversation/answer.ts';
import { citedPlaces } from '../conversation/cited-places.ts';
import type { Conversation } from '../conversation/project-conversation.ts';
import { EXIT, UserError } from '../core/errors.ts';
import type { ModelSettings } from '../settings/language-model.ts';
import { printable, printableName, printableText } from '../text/printable.ts';
import {
  type ConversationArguments,
  isStopped,
  modelFailure,
  openedConversation,
  spentInVain,
} from './conversation.ts';
import { interruptible } from './interrupt.ts';
import { type Io, writeJson } from './io.ts';
import type { Provenance } from './provenance.ts';
import { usageText } from './text/usage.ts';

export interface ModelQuestion {
  readonly question: string;
  readonly app: App;
  readonly settings: ModelSettings;
  readonly isJson: boolean;
  readonly provenance: (revision: number) => Provenance;
}

/**
 * Has a model answer one question. Shows the answer as it comes if a person looks at it, otherwise once it is complete.
 * @returns the exit status
 * @throws UserError if there is no answer
 */
export async function askModel(args: ConversationArguments, io: Io, asked: ModelQuestion): Promise<number> {
  const { question, app, settings, isJson, provenance } = asked;
  const conversation = await openedConversation(args, io, { app, settings, kind: 'ask' });
  try {
    const screen = isJson || !io.out.isTerminal ? undefined : new LiveAnswer(io);
    const answer = await answered(conversation, question, io, screen);
    if (isJson) {
      const { id, session, model } = conversation;
      writeJson(io.out, {
        ...answerJson(answer, { model, session, conversation: id }),
        ...provenance(answer.revision),
      });
    } else writeAnswer(answer, io, screen);
    if (answer.answer.trim() === '')
      throw new UserError(
        `${conversation.model} gave no answer: it called tools until it reached the limit (${answer.end})`,
      );
    return 0;
  } catch (error) {
    const spent = spentInVain(error);
    if (spent !== undefined) io.err.write(`spent without an answer: ${usageText(usageJson(spent))}\n`);
    if (!isStopped(error)) throw modelFailure(error);
    io.err.write('stopped\n');
    return EXIT.interrupted;
  } finally {
    conversation.close();
  }
}

async function answered(
  conversation: Conversation,
  question: string,
  { err }: Io,
  screen: LiveAnswer | undefined,
): Promise<Answer> {
  const onStep = (step: TraversalStep): void => {
    if (err.isTerminal) err.write(`${err.style('dim', stepLine(step))}\n`);
  };
  try {
    return await interruptible((signal) =>
      conversation.ask(question, {
        signal,
        onStep,
        ...(screen ? { onText: screen.onText, onTurn: screen.onTurn } : {}),
      }),
    );
  } finally {
    screen?.onTurn();
  }
}

/** Shows the text of a model as it comes. */
export class LiveAnswer {
  readonly #io: Io;
  #last = '\n';

  constructor(io: Io) {
    this.#io = io;
  }

  readonly onText = (part: string): void => {
    this.#io.out.write(printableText(part));
    this.#last = part;
  };

  /** A new turn has begun: whatever comes next starts on a new line. */
  readonly onTurn = (): void => {
    if (!this.#last.endsWith('\n')) this.onText('\n');
  };
}

export function writeAnswer(answer: Answer, { out, err }: Io, screen: LiveAnswer | undefined): void {
  if (screen === undefined) out.write(`${printableText(answer.answer.trimEnd())}\n`);
  if (answer.sources.length > 0) {
    const heading = citedPlaces(answer.answer).length > 0 ? 'Sources' : 'It cites nothing. What it was shown';
    out.write(`\n${heading}:\n${answer.sources.map((place) => `- ${printableName(place)}\n`).join('')}`);
  }
  for (const line of noticesOf(answer)) err.write(`${printable(line)}\n`);
}

/** What a user should know about an answer besides its text. */
export function noticesOf({ end, unshown, usage, traversal, learnt, learnProblem }: Answer): string[] {
  const facts = learnt.filter(({ outcome }) => outcome === 'fact').length;
  const waiting = learnt.filter(
    ({ outcome }) => outcome === 'episodic' || outcome === 'contradiction',
  ).length;
  const learned = [
    ...(facts > 0 ? [`${facts} remembered as fact${facts > 1 ? 's' : ''}`] : []),
    ...(waiting > 0 ? [`${waiting} for review`] : []),
  ].join(', ');
  return [
    ...endNotice(end),
    ...(unshown.length > 0
      ? [`cited, but never shown to the model: ${unshown.map((place) => printableName(place)).join(', ')}`]
      : []),
    `${traversal.length} tool call${traversal.length === 1 ? '' : 's'}, ${usageText(usageJson(usage))}${learned === '' ? '' : `; claims: ${learned}`}`,
    ...(learnProblem === undefined ? [] : [`nothing could be learnt: ${learnProblem}`]),
  ];
}

function endNotice(end: LoopEnd): string[] {
  if (end === 'answered') return [];
  if (end === 'cut off') return ['the answer is cut off: the API ended it before the model did'];
  return [`it had to answer with what it had found: it reached the limit of ${end}`];
}

/** One step of a traversal, in a line. */
export function stepLine({ tool, args, resultSummary }: TraversalStep): string {
  const shown = typeof args === 'string' ? args : JSON.stringify(args);
  const short = shown.length > 100 ? `${shown.slice(0, 99).toWellFormed()}…` : shown;
  return printable(`  ${tool} ${short}: ${resultSummary}`);
}
