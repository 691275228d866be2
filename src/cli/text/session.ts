import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '../../core/group.ts';
import { isoTime } from '../../core/iso-time.ts';
import { sum } from '../../core/sum.ts';
import type { Sessions } from '../../history/sessions.ts';
import type { ContextStore } from '../../store/context-store.ts';
import type { SessionRow } from '../../store/session-table.ts';

/** A session as `session list --json` shows it. Times are ISO 8601, null where there is none. */
export interface SessionView {
  readonly session: string;
  /**
   * `live` while a daemon serves it, `next` where the next mount goes on with it, `unused` where no mount ever had it, `ended` otherwise, also
   * where its daemon was killed.
   */
  readonly state: 'live' | 'next' | 'unused' | 'ended';
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly actor: string;
  /** Where it is mounted, or was last. */
  readonly mountpoint: string | null;
  /** Whether its scratchpad is still there to go on with. */
  readonly has_scratchpad: boolean;
  /** How many entries the history has of it, and how many bytes. */
  readonly entries: number;
  readonly history_bytes: number;
}

/** Oldest first. */
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
