import { atOnce, recover } from '../core/awaitable.ts';
import { isFsError } from '../core/errors.ts';
import { childOf, type VfsPath } from '../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext } from '../core/resolver.ts';
import type { Vfs } from './vfs.ts';

/** As {@link Vfs.statNames}, for resolvers that can only answer for one name at a time. */
export function statOneByOne(
  vfs: Pick<Vfs, 'find'>,
  folder: VfsPath,
  names: readonly string[],
  context: OpContext,
): (NodeInfo | undefined)[] {
  return names.map((name) => thereNow(() => vfs.find(childOf(folder, name), context)));
}

/** The answer, or undefined if it is ENOENT. */
export function orMissing<T>(ask: () => Awaitable<T>): Awaitable<T | undefined> {
  return recover<T, undefined>(ask, (error) => {
    if (isFsError(error, 'ENOENT')) return undefined;
    throw error;
  });
}

/** The answer if it comes at once; undefined if it fails with an FsError, or comes later. */
export function thereNow<T>(ask: () => Awaitable<T>): T | undefined {
  return atOnce(
    recover<T, undefined>(ask, (error) => {
      if (isFsError(error)) return undefined;
      throw error;
    }),
  );
}
