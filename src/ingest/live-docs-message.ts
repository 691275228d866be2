import type { SubPath } from '../core/paths.ts';
import type { IngestReply } from './ingest-worker.ts';
import type { WatchState } from './watch-state.ts';

/** What is told of the docs and their index, in order. */
export type LiveDocsMessage =
  | IngestReply
  /**
   * Told at once, before it is read: where something changed, as `WatchOptions.onChange` of `ingest/watch.ts`; and how many paths wait to be read. Without
   * a time, something may have changed while nobody watched.
   */
  | {
      readonly type: 'disk-changed';
      readonly atMs?: number;
      readonly paths: readonly SubPath[];
      readonly waiting: number;
    }
  /** So many paths are being read now; `indexed` or `failed` follows. */
  | { readonly type: 'indexing'; readonly paths: number }
  /** How changes are noticed from now on. Told before what changed meanwhile. */
  | { readonly type: 'watch'; readonly state: WatchState };
