import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '../../core/group.ts';
import { isoTime } from '../../core/iso-time.ts';
import { sum } from '../../core/sum.ts';
import type { Sessions } from '../../history/sessions.ts';
import type { ContextStore } from '../../store/context-store.ts';
import type { SessionRow } from '../../store/session-table.ts';

/** A session as `session list --json` shows it. Times are ISO 8601, null if there is none. */
export interface SessionView {
  readonly session: string;
  /**
   * `live` while a daemon serves it, `next` if the next mount continues it, `unused` if no mount ever had it, `ended` otherwise, even
   * if its daemon was killed.
   */
  readonly state: 'live' | 'next' | 'unused' | 'ended';
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly actor: string;
  /** Where it is or was last mounted. */
  readonly mountpoint: string | null;
  /** Whether its scratchpad still exists and can be continued. */
  readonly has_scratchpad: boolean;
  /** The number of its entries in the history, and their bytes. */
  readonly entries: number;
  readonly history_bytes: number;
}

/** The sessions as JSON shows them, oldest first. */
export function sessionViews(
  sessions: Sessions,
  store: Pick<ContextStore, 'history'>,
  scratchpadsFolder: string,
): SessionView[] {
  const files = groupBy(store.history.files(), ({ session }) => session);
  const nextId = sessions.nextId();
  return sessions.list().map((session) => {
    const { id, startedMs, endedMs, actor, mountpoint } = session;
    const written = files.get(id) ?? [];
    return {
      session: id,
      state: sessions.isLive(session) ? 'live' : stateOfIdle(session, nextId),
      started_at: isoTime(startedMs),
      ended_at: endedMs === null ? null : isoTime(endedMs),
      actor,
      mountpoint,
      has_scratchpad: existsSync(join(scratchpadsFolder, id)),
      entries: sum(written.map(({ entries }) => entries)),
      history_bytes: sum(written.map(({ sizeBytes }) => sizeBytes)),
    };
  });
}

function stateOfIdle({ id, mountpoint }: SessionRow, nextId: string | undefined): SessionView['state'] {
  if (id === nextId) return 'next';
  return mountpoint === null ? 'unused' : 'ended';
}
