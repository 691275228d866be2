import type { EarlierTurns } from '../../conversation/project-conversation.ts';
import { UserError } from '../../core/errors.ts';
import type { HistoryTable } from '../../store/history-table.ts';
import { either } from '../../text/either.ts';
import { nearestNames } from '../near-names.ts';
import { askedQuestions, entriesOfConversation, type ReplayedEvent, replayOf } from '../replay/replay.ts';

const ALL = Number.MAX_SAFE_INTEGER;
const QUESTIONS_KEPT = 500;
const NAMES_SHOWN = 3;
/** The ids of conversations that a chat began have this prefix. */
const CHAT = 'chat-';
/** The value of `--resume` for the conversation with the latest question. */
const LAST = 'last';

/** The questions of earlier chats, newest first, each once. */
export function pastQuestions(history: Pick<HistoryTable, 'select'>): string[] {
  const rows = history.select({ type: 'question', limit: QUESTIONS_KEPT });
  const questions = replayOf(rows.map(({ line }) => line)).flatMap(({ deed }) =>
    deed.kind === 'question' && deed.data.conversation.startsWith(CHAT) ? deed.data.question : [],
  );
  return [...new Set(questions.reverse())];
}

/** An earlier conversation. */
export interface PastConversation {
  readonly id: string;
  readonly earlier: EarlierTurns;
}

/**
 * The questions of a conversation that were answered, with their answers.
 * @param name the conversation's id; the id of a session, for the last conversation in it; or {@link LAST}
 * @throws UserError if there is none, with those that may be meant
 */
export function pastConversation(name: string, history: Pick<HistoryTable, 'select'>): PastConversation {
  const asked = askedQuestions(history.select({ type: 'question', limit: ALL }));
  const own = asked.filter(({ conversation }) => conversation === name);
  const meant =
    own[0] ??
    asked.findLast(
      ({ conversation, session }) => conversation.startsWith(CHAT) && (name === LAST || session === name),
    );
  if (meant === undefined)
    throw noConversation(name, [...new Set(asked.map(({ conversation }) => conversation))]);
  const id = meant.conversation;
  const first = asked.find(({ conversation }) => conversation === id);
  const sessions = new Set(
    asked.filter(({ conversation }) => conversation === id).map(({ session }) => session),
  );
  const rows = [...sessions].flatMap((session) =>
    ['question', 'answer'].flatMap((type) =>
      history.select({ session, type, afterId: first === undefined ? undefined : first.id - 1, limit: ALL }),
    ),
  );
  // In the order in which they were entered: if the clock was put back, an answer may have an earlier time than its question.
  const entries = entriesOfConversation(rows, id).sort((a, b) => a.id - b.id);
  return { id, earlier: earlierTurns(entries.flatMap(({ line }) => replayOf([line]))) };
}

function earlierTurns(events: readonly ReplayedEvent[]): EarlierTurns {
  const questions = new Map<number, string>();
  const turns: EarlierTurns['turns'][number][] = [];
  for (const { deed } of events) {
    if (deed.kind === 'question') questions.set(deed.data.turn, deed.data.question);
    if (deed.kind !== 'answer' || deed.data.error !== undefined) continue;
    const question = questions.get(deed.data.turn);
    if (question !== undefined) turns.push({ question, answer: deed.data.answer });
  }
  return { turns, lastTurn: Math.max(0, ...questions.keys()) };
}

function noConversation(name: string, known: readonly string[]): UserError {
  if (name === LAST) return new UserError('there has been no chat yet');
  const near = nearestNames(name, known, NAMES_SHOWN);
  const wayOut =
    near.length > 0
      ? `did you mean ${either(near)}?`
      : '"kgraphfs context history --type question" shows what was asked';
  return new UserError(`there is no conversation "${name}"; ${wayOut}`);
}
