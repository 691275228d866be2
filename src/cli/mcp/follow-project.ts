import { clearInterval, setInterval } from 'node:timers';
import type { App } from '../../app/app.ts';
import { codeOfFailure, reasonOf, UserError } from '../../core/errors.ts';
import type { Unsubscribe } from '../../core/resolver.ts';
import type { LiveDocs } from '../../ingest/live-docs.ts';
import { followModules } from '../../modules/follow-modules.ts';

/** How often to check whether another process changed the index. */
const LOOK_EVERY_MS = 500;

export type ChangeHeard = (what: 'everything' | 'files') => void;

export interface FollowedProject {
  onChange(listener: ChangeHeard): Unsubscribe;
  /** Looks at once instead of at the next tick. */
  look(): void;
  /** From now on follows the index that this process keeps, in place of the daemon's. */
  keptBy(live: LiveDocs): void;
  close(): void;
}

/**
 * Has an open project notice what its daemon, or this process itself, takes in from docs and modules, and tells listeners about it.
 * @param live what keeps the index in this process; undefined if a daemon does
 * @param onFault called with what a listener throws, which does not affect the others. Default: a line of `errors.jsonl`
 */
export function followProject(
  app: App,
  live: LiveDocs | undefined,
  onFault: (error: unknown) => void = (error) =>
    app.errors.add({
      code: codeOfFailure(error),
      path: '/',
      message: `told of a change: ${reasonOf(error)}`,
    }),
): FollowedProject {
  const listeners = new Set<ChangeHeard>();
  const tell: ChangeHeard = (what) => {
    for (const listener of listeners) {
      try {
        listener(what);
      } catch (error) {
        onFault(error);
      }
    }
  };
  let revision = app.store.revision();
  const look = (): void => {
    const now = app.store.revision();
    if (now !== revision) {
      revision = now;
      app.docsChanged();
      app.graphChanged();
      tell('everything');
    }
    app.refresh();
    // Files that are no documents change without a new revision.
    tell('files');
  };
  const timer = setInterval(() => {
    try {
      look();
    } catch (error) {
      app.errors.add({ code: codeOfFailure(error), path: '/', message: `refresh: ${reasonOf(error)}` });
    }
  }, LOOK_EVERY_MS).unref();
  const forget = app.memory.onChange(() => tell('everything'));
  let endModules: Unsubscribe | undefined;
  const keptBy = (live: LiveDocs): void => {
    live.listen((message) => {
      if (message.type === 'disk-changed') app.docsChanged(message.paths);
      if (message.type === 'failed')
        app.errors.add({ code: message.code, path: '/', message: `index: ${message.reason}` });
      if (message.type === 'indexed' || message.type === 'progress') look();
      else tell('files');
    });
    const modules = app.modules();
    endModules = modules && followModules(modules, (paths) => live.noteChanged(paths));
  };
  if (live !== undefined) keptBy(live);
  return {
    look,
    keptBy,
    onChange(listener) {
      if (typeof listener !== 'function')
        throw new UserError('onChange takes a function that is told of changes');
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearInterval(timer);
      forget();
      endModules?.();
      listeners.clear();
    },
  };
}
