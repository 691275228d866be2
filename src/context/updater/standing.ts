/** Finds which sources a context is based on, and which of them have changed. */
import type { Awaitable } from '../../core/resolver.ts';
import { WITHIN_SCRATCHPAD } from '../../core/tree-points.ts';

/** A file of the mount in the version that was used. */
export interface StoodOn {
  readonly path: string;
  /** Anything that identifies its bytes. */
  readonly version: string;
}

export interface SourceChange {
  readonly path: string;
  readonly change: 'changed' | 'removed' | 'added';
}

/** The versions of what the mount shows now. */
export interface Versions {
  /** Undefined if nothing has this path. */
  of(path: string): Awaitable<string | undefined>;
  /** All files of the session's scratchpad. */
  scratchpad(): Awaitable<readonly StoodOn[]>;
}

/** The versions of what spans of these paths are based on, and of the scratchpad, sorted by path. */
export async function standingOf(paths: Iterable<string>, versions: Versions): Promise<StoodOn[]> {
  const standing: StoodOn[] = [...(await versions.scratchpad())];
  for (const path of new Set(paths)) {
    const version = path.startsWith(WITHIN_SCRATCHPAD) ? undefined : await versions.of(path);
    if (version !== undefined) standing.push({ path, version });
  }
  return standing.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What has changed since, and what is new in the scratchpad, sorted by path. */
export async function changesSince(before: readonly StoodOn[], versions: Versions): Promise<SourceChange[]> {
  const scratchpad = new Map((await versions.scratchpad()).map(({ path, version }) => [path, version]));
  const changes: SourceChange[] = [];
  for (const { path, version } of before) {
    const now = path.startsWith(WITHIN_SCRATCHPAD) ? scratchpad.get(path) : await versions.of(path);
    scratchpad.delete(path);
    if (now === undefined) changes.push({ path, change: 'removed' });
    else if (now !== version) changes.push({ path, change: 'changed' });
  }
  for (const path of scratchpad.keys()) changes.push({ path, change: 'added' });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}
