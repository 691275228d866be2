import { setTimeout as delay } from 'node:timers/promises';
import { HISTORY_EVENT_TYPES } from '../../core/history-event.ts';
import { parsePath } from '../../core/paths.ts';
import type { Sessions } from '../../history/sessions.ts';
import type { HistoryFilter, HistoryTable } from '../../store/history-table.ts';
import { defineCommand } from '../command.ts';
import { withContext } from '../context.ts';
import { type Io, writeJson } from '../io.ts';
import { type Provenance, provenanceOf } from '../provenance.ts';
import type { ReplayedEvent } from '../replay/replay.ts';
import { sinceMs } from '../since.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'context history';
const DEFAULT_LIMIT = 100;
const LOOK_EVERY_MS = 200;

export const contextHistory = defineCommand({
  verb: VERB,
  summary: 'what was read, written and searched, by whom',
  details:
    'The newest entry is last. --json prints an array of entries, with --follow one entry a line. context/history of a mount has the\n' +
    'same as JSON lines.\n' +
    'Reads in quick succession, such as those of grep -r, are one entry: data has their count and the first hundred paths.\n' +
    '--replay prints a session as a transcript: questions, contexts, tool calls with their arguments and results, answers, what was\n' +
    'read and remembered.',
  positionals: {},
  options: {
    session: { type: 'text', value: 'ID', summary: 'only events of this session' },
    type: {
      type: 'text',
      value: 'TYPE',
      choices: HISTORY_EVENT_TYPES,
      summary: 'only this kind of event, such as read or write',
    },
    actor: { type: 'text', value: 'NAME', summary: 'only what this command, tool or person did' },
    path: { type: 'text', value: 'PATH', summary: 'only at this path of the mount, or below it' },
    since: {
      type: 'text',
      value: 'WHEN',
      summary: 'only events since then: 2h, 3d, 2026-11-21 or a whole ISO 8601 time',
    },
    limit: {
      type: 'count',
      value: 'N',
      min: 1,
      summary: `the newest N entries (default: ${DEFAULT_LIMIT}; of a replay all)`,
    },
    follow: { type: 'boolean', summary: 'also print new entries until interrupted' },
    replay: {
      type: 'text',
      value: 'SESSION',
      summary: 'print a past session, or one conversation, from its beginning',
    },
  },
  example: 'kgraphfs context history --since 1d --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf(VERB, args);
    const { session, type, actor, path, since, limit, follow: isFollowed, replay } = args;
    if (replay !== undefined && (isFollowed || session !== undefined))
      throw usageError(
        '--replay prints one past session whole; it cannot be used with --session or --follow',
        VERB,
      );
    return withContext(args, io, async ({ store: { history }, sessions }) => {
      const filter = {
        session,
        type,
        actor,
        path: path === undefined ? undefined : parsePath(path),
        sinceMs: since === undefined ? undefined : sinceMs(since, Date.now(), VERB),
        limit: limit ?? (replay === undefined ? DEFAULT_LIMIT : Number.MAX_SAFE_INTEGER),
      };
      if (replay !== undefined) {
        const { replaySession } = await import('../replay/replay-session.ts');
        const events = replaySession(replay, filter, { history, sessions });
        await writeEvents(replay, events, args.json ? provenance(null) : undefined, io);
        return 0;
      }
      const { historyLine, parseEntry } = await import('../text/history-line.ts');
      if (isFollowed) return follow(history, filter, args.json ? (line) => line : historyLine, io);
      const rows = history.select(filter);
      const entries = rows.map(({ line }) => parseEntry(line));
      if (args.json) writeJson(io.out, entries);
      else if (rows.length === 0) io.err.write(`no entries${await hint(session, history, sessions)}\n`);
      else for (const { line } of rows) io.out.write(historyLine(line));
      // An empty history is no failure. A session that does not exist is.
      return rows.length === 0 && session !== undefined ? 1 : 0;
    });
  },
});

/** Writes a replay as a transcript, or as JSON with a provenance block. */
async function writeEvents(
  replay: string,
  events: readonly ReplayedEvent[],
  provenance: Provenance | undefined,
  { out }: Io,
): Promise<void> {
  if (provenance === undefined) {
    const { writeReplay } = await import('../replay/replay-text.ts');
    writeReplay(out, replay, events);
    return;
  }
  const { eventView, replayCounts } = await import('../replay/replay.ts');
  writeJson(out, { replay, ...replayCounts(events), events: events.map(eventView), ...provenance });
}

/** A hint for a session that does not exist. */
async function hint(
  id: string | undefined,
  history: HistoryTable,
  sessions: Pick<Sessions, 'list'>,
): Promise<string> {
  if (id === undefined) return '';
  const { knownSessions, otherNames } = await import('../replay/replay-session.ts');
  const known = knownSessions(history, sessions);
  return known.includes(id) ? '' : `: there is no session "${id}"; ${otherNames(id, known)}`;
}

/** Shows new entries until the process ends. */
async function follow(
  history: HistoryTable,
  filter: HistoryFilter,
  shown: (line: string) => string,
  io: Io,
): Promise<never> {
  let seenId = history.latestId();
  let rows = history.select(filter);
  for (;;) {
    for (const { id, line } of rows) {
      io.out.write(shown(line));
      seenId = Math.max(seenId, id);
    }
    await delay(LOOK_EVERY_MS);
    const latestId = history.latestId();
    rows = history.select({ ...filter, afterId: seenId, limit: Number.MAX_SAFE_INTEGER });
    seenId = Math.max(seenId, latestId);
  }
}
