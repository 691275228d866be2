import { type AsyncSubscription, subscribe } from '@parcel/watcher';
import { reasonOf } from '../core/errors.ts';

export interface WatchOptions {
  /** Absolute, without links. */
  readonly docs: string;
  /** Absolute folders that are not watched. */
  readonly excluded: readonly string[];
  /** Called once for all changes of a moment (50 ms and more); what changed is for the caller to find out. */
  readonly onChange: () => void;
  /** Called when changes are no longer seen, with the reason. */
  readonly onEnd: (reason: string) => void;
}

export interface DocsWatch {
  close(): Promise<void>;
}

/** Dot folders hold no docs, and `.git` changes all the time. */
const NEVER_WATCHED = ['**/.*/**'];

/**
 * Follows changes below the docs root with inotify(7).
 * @throws Error where the folder cannot be watched, such as past the user's limit of watches
 */
export async function watchDocs({ docs, excluded, onChange, onEnd }: WatchOptions): Promise<DocsWatch> {
  const subscription: AsyncSubscription = await subscribe(
    docs,
    (error) => {
      if (error) onEnd(reasonOf(error));
      else onChange();
    },
    { ignore: [...excluded, ...NEVER_WATCHED] },
  );
  return { close: () => subscription.unsubscribe() };
}
