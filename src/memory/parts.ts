import type { Clock } from '../core/clock.ts';
import type { ErrorLog } from '../core/error-log.ts';
import type { HistoryRecorder } from '../core/history-event.ts';
import type { OpContext } from '../core/resolver.ts';
import type { Room } from '../core/room.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { Fields } from './metadata.ts';

/** What memory stands on. */
export interface MemoryParts {
  readonly store: ContextStore;
  readonly record: HistoryRecorder;
  readonly clock: Clock;
  readonly errors: ErrorLog;
  readonly limits: MemoryLimits;
  /** Where it is kept, so that who writes is told of a full disk at once: few look at what close(2) says. Default: without end. */
  readonly room?: Room;
  /** Who acts, and in which session. */
  readonly actorOf: (context: OpContext) => string;
  readonly sessionOf: (context: OpContext) => string;
}

export interface MemoryLimits {
  /** Default 16 MiB. */
  readonly maxEntryBytes: number;
  /** How long what was removed or replaced can be brought back. Default 30 days. */
  readonly keepRemovedMs: number;
  /** How long editors' files are kept that nobody removed. Default 30 days. */
  readonly keepTemporaryMs: number;
}

/** A content to be written, and what comes with it. */
export interface Draft {
  readonly content: Uint8Array;
  /** Default: now. */
  readonly modifiedNs?: bigint;
  /** Permission bits to show. Default: as they are, 0600 for a new one. */
  readonly mode?: number;
  /** Permission bits the file was made with, which tell some temporary files. */
  readonly createdMode?: number;
  /** What is said of it along with the content; has the last word. */
  readonly describe?: (fields: Fields) => Fields;
  /** An entry that was removed and is to be this one again. */
  readonly heirOf?: number | undefined;
  /** A temporary file that is to be this entry where there is none yet: the same file still, for whoever has it open. */
  readonly temporaryId?: number;
  readonly createdMs?: number;
  /** Default: now. */
  readonly updatedMs?: number;
  /** Of what has a time to live. Default: that long after `updatedMs`. */
  readonly expiresMs?: number;
  /** Default: as it is. */
  readonly review?: { readonly reviewer: string; readonly reviewedMs: number | null };
  readonly actor?: string;
  readonly session?: string;
}
