import { atOnce, recover } from '../core/awaitable.ts';
import { isFsError } from '../core/errors.ts';
import { childOf, type VfsPath } from '../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext } from '../core/resolver.ts';
import type { Vfs } from './vfs.ts';

/** As {@link Vfs.statNames}, where nobody can say it of many. */
export function statOneByOne(
  vfs: Pick<Vfs, 'find'>,
  folder: VfsPath,
  names: readonly string[],
  context: OpContext,
): (NodeInfo | undefined)[] {
  return names.map((name) => thereNow(() => vfs.find(childOf(folder, name), context)));
}

/** What is found; undefined for what is said to be missing. */
export function orMissing<T>(ask: () => Awaitable<T>): Awaitable<T | undefined> {
  return recover<T, undefined>(ask, (error) => {
    if (isFsError(error, 'ENOENT')) return undefined;
    throw error;
  });
}

/** What is there at once; undefined for what fails with an FsError, or comes later. */
export function thereNow<T>(ask: () => Awaitable<T>): T | undefined {
  return atOnce(
    recover<T, undefined>(ask, (error) => {
      if (isFsError(error)) return undefined;
      throw error;
    }),
  );
}
