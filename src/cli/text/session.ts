import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Sessions } from '../../history/sessions.ts';
import type { ContextStore } from '../../store/context-store.ts';

/** A session as `session list --json` shows it. Times are ISO 8601, null where there is none. */
interface SessionView {
  readonly session: string;
  /** `live` while a daemon serves it, `waiting` for its first mount, `ended` otherwise, also where its daemon was killed. */
  readonly state: 'live' | 'waiting' | 'ended';
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly actor: string;
  /** Where it is mounted, or was last. */
  readonly mountpoint: string | null;
  /** Whether its scratchpad is still there to go on with. */
  readonly has_scratchpad: boolean;
  readonly history_bytes: number;
}

/** Oldest first. */
export function sessionViews(
  sessions: Sessions,
  store: Pick<ContextStore, 'history'>,
  scratchpadsFolder: string,
): SessionView[] {
  const bytes = new Map<string, number>();
  for (const { session, sizeBytes } of store.history.files()) {
    bytes.set(session, (bytes.get(session) ?? 0) + sizeBytes);
  }
  return sessions.list().map((session) => {
    const { id, startedMs, endedMs, actor, mountpoint } = session;
    return {
      session: id,
      state: sessions.isLive(session) ? 'live' : mountpoint === null ? 'waiting' : 'ended',
      started_at: new Date(startedMs).toISOString(),
      ended_at: endedMs === null ? null : new Date(endedMs).toISOString(),
      actor,
      mountpoint,
      has_scratchpad: existsSync(join(scratchpadsFolder, id)),
      history_bytes: bytes.get(id) ?? 0,
    };
  });
}
