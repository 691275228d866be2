import type { EarlierTurns } from '../../conversation/project-conversation.ts';
import { UserError } from '../../core/errors.ts';
import type { HistoryTable } from '../../store/history-table.ts';
import { nearestNames } from '../near-names.ts';
import { askedQuestions, entriesOfConversation, type ReplayedEvent, replayOf } from '../replay/replay.ts';

const ALL = Number.MAX_SAFE_INTEGER;
const QUESTIONS_KEPT = 500;
const NAMES_SHOWN = 3;
/** Ids of conversations that chat had begin so. */
const CHAT = 'chat-';
/** What `--resume` takes for the one that was asked something last. */
const LAST = 'last';

/** What was asked in chats, newest first, each once. */
export function pastQuestions(history: Pick<HistoryTable, 'select'>): string[] {
  const rows = history.select({ type: 'question', limit: QUESTIONS_KEPT });
  const questions = replayOf(rows.map(({ line }) => line)).flatMap(({ deed }) =>
    deed.kind === 'question' && deed.data.conversation.startsWith(CHAT) ? deed.data.question : [],
  );
  return [...new Set(questions.reverse())];
}

/** A conversation that was had before. */
export interface PastConversation {
  readonly id: string;
  readonly earlier: EarlierTurns;
}

/**
 * What was said in a conversation, as far as it came to answers.
 * @param name its id, that of a session for the last one in it, or {@link LAST}
 * @throws UserError where there is none, with those that may be meant
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
  // As they were entered: by their times an answer may come before its question, where the clock was put back.
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
  if (name === LAST) return new UserError('there was no chat yet');
  const near = nearestNames(name, known, NAMES_SHOWN);
  const wayOut =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : '"kgraphfs context history --type question" shows what was asked';
  return new UserError(`there is no conversation "${name}"; ${wayOut}`);
}
