import type { Clock } from '../core/clock.ts';
import type { ErrorLog } from '../core/error-log.ts';
import type { HistoryRecorder } from '../core/history-event.ts';
import type { OpContext } from '../core/resolver.ts';
import type { Room } from '../core/room.ts';
import type { ContextStore } from '../store/context-store.ts';
import type { Fields } from './metadata.ts';

/** What memory is opened with. */
export interface MemoryParts {
  readonly store: ContextStore;
  readonly record: HistoryRecorder;
  readonly clock: Clock;
  readonly errors: ErrorLog;
  readonly limits: MemoryLimits;
  /** The room on the disk. With it, a write to a full disk fails at once; few programs check the result of close(2). Default: there is always room. */
  readonly room?: Room;
  /** Who acts in an operation, and in which session. */
  readonly actorOf: (context: OpContext) => string;
  readonly sessionOf: (context: OpContext) => string;
}

export interface MemoryLimits {
  /** Default 16 MiB. */
  readonly maxEntryBytes: number;
  /** How long something that was removed or replaced can be restored. Default 30 days. */
  readonly keepRemovedMs: number;
  /** How long editors' files stay that nobody has removed. Default 30 days. */
  readonly keepTemporaryMs: number;
}

/** Content to be stored, and what comes with it. */
export interface Draft {
  readonly content: Uint8Array;
  /** Default: now. */
  readonly modifiedNs?: bigint;
  /** Permission bits to show. Default: those that the entry has, or 0600 for a new one. */
  readonly mode?: number;
  /** Permission bits that the file was made with. Some temporary files can be told by them. */
  readonly createdMode?: number;
  /** Metadata that comes with the content. It is applied last, and so has the last word. */
  readonly describe?: (fields: Fields) => Fields;
  /** A removed entry that this content revives. */
  readonly heirOf?: number | undefined;
  /** A temporary file that becomes the entry, if there is none yet. For whoever has it open it stays the same file. */
  readonly temporaryId?: number;
  readonly createdMs?: number;
  /** Default: now. */
  readonly updatedMs?: number;
  /** When an entry with a time to live expires. Default: that long after `updatedMs`. */
  readonly expiresMs?: number;
  /** Default: as it is. */
  readonly review?: { readonly reviewer: string; readonly reviewedMs: number | null };
  readonly actor?: string;
  readonly session?: string;
}
