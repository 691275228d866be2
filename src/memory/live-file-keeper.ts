import type { MemoryPlace } from '../core/memory-entry.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { Commits } from './commits.ts';
import type { Entries } from './entries.ts';
import type { LiveFile } from './live-file.ts';

/** What a file needs of those who keep it. */
export interface LiveFileKeeper {
  readonly entries: Entries;
  readonly commits: Commits;
  /** The file has another place from now on, or none. */
  moved(file: LiveFile, from: MemoryPlace): void;
  /** What a place shows is not what the caller's own doing has made of it. */
  surprising(place: MemoryPlace): void;
}

/** What a file begins as. */
export interface FileOrigin {
  /** The entry that it shows; undefined for a new one. */
  readonly kept?: MemoryRow;
  /** Id of the entry that was removed from this place while somebody had it open: a new file goes on with it. */
  readonly heirOf?: number | undefined;
}
