import type { MemoryPlace } from '../core/memory-entry.ts';
import type { MemoryRow } from '../store/memory-entries.ts';
import type { Commits } from './commits.ts';
import type { Entries } from './entries.ts';
import type { LiveFile } from './live-file.ts';

/** What an open file needs from the collection that holds it. */
export interface LiveFileKeeper {
  readonly entries: Entries;
  readonly commits: Commits;
  /** To be called when the file has another place, or none any more. */
  moved(file: LiveFile, from: MemoryPlace): void;
  /** To be called when a place shows something else than what the caller itself has made of it. */
  surprising(place: MemoryPlace): void;
}

/** What a file that is opened begins with. */
export interface FileOrigin {
  /** The entry that it shows; undefined for a new one. */
  readonly kept?: MemoryRow;
  /** The id of an entry that was removed from this place while somebody had it open, and that a new file continues. */
  readonly heirOf?: number | undefined;
}
