import { UserError } from '../../core/errors.ts';
import type { Sessions } from '../../history/sessions.ts';
import type { HistoryFilter, HistoryTable } from '../../store/history-table.ts';
import { either } from '../../text/either.ts';
import { nearestNames } from '../near-names.ts';
import { askedQuestions, entriesOfConversation, type ReplayedEvent, replayOf } from './replay.ts';

interface Past {
  readonly history: HistoryTable;
  readonly sessions: Pick<Sessions, 'list'>;
}

const NAMES_SHOWN = 3;
const ALL = Number.MAX_SAFE_INTEGER;

/**
 * What was done in a session, or in a conversation with a model, in order.
 * @param id the id of a session or of a conversation
 * @param filter selects entries of the history
 * @throws UserError if there is neither, with those that may be meant
 */
export function replaySession(
  id: string,
  filter: HistoryFilter,
  { history, sessions }: Past,
): ReplayedEvent[] {
  const known = knownSessions(history, sessions);
  if (known.includes(id)) return replayOf(history.select({ ...filter, session: id }).map(({ line }) => line));

  const asked = askedQuestions(history.select({ type: 'question', limit: ALL }));
  const [first, ...others] = asked.filter(({ conversation }) => conversation === id);
  if (first !== undefined) {
    const own = [...new Set([first, ...others].map(({ session }) => session))].flatMap((session) =>
      entriesOfConversation(history.select({ session, afterId: first.id - 1, limit: ALL }), id),
    );
    const chosen = new Set(history.select({ ...filter, limit: ALL }).map((row) => row.id));
    const lines = own.filter((row) => chosen.has(row.id)).map(({ line }) => line);
    return replayOf(lines.slice(-filter.limit));
  }

  const all = [...known, ...new Set(asked.map(({ conversation }) => conversation))];
  throw new UserError(`there is no session and no conversation "${id}"; ${otherNames(id, all)}`);
}

/** The ids of all sessions, including those that only the history knows. */
export function knownSessions(
  history: Pick<HistoryTable, 'files'>,
  sessions: Pick<Sessions, 'list'>,
): string[] {
  const written = history.files().map(({ session }) => session);
  return [...new Set([...sessions.list().map(({ id }) => id), ...written])];
}

/** What to ask for instead of an id that does not exist. @param all oldest first */
export function otherNames(id: string, all: readonly string[]): string {
  const near = nearestNames(id, all, NAMES_SHOWN);
  if (near.length > 0) return `did you mean ${either(near)}?`;
  if (all.length === 0) return 'nothing was done here yet';
  return `the latest are ${all.slice(-NAMES_SHOWN).join(', ')}; "kgraphfs session list" shows the sessions`;
}
