import type { SubPath } from '../core/paths.ts';
import type { IngestReply } from './ingest-worker.ts';
import type { WatchState } from './watch-state.ts';

/** A message about the docs and their index. Messages come in order. */
export type LiveDocsMessage =
  | IngestReply
  /**
   * Sent at once, before the change is read: where something changed, as in `WatchOptions.onChange` of `ingest/watch.ts`, and how many paths are waiting to be
   * read. Without a time, something may have changed while nobody watched.
   */
  | {
      readonly type: 'disk-changed';
      readonly atMs?: number;
      readonly paths: readonly SubPath[];
      readonly waiting: number;
    }
  /** How many paths are being read now; `indexed` or `failed` follows. */
  | { readonly type: 'indexing'; readonly paths: number }
  /** How changes are noticed from now on. Sent before changes that happened meanwhile. */
  | { readonly type: 'watch'; readonly state: WatchState };
