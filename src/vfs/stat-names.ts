import { atOnce, recover } from '../core/awaitable.ts';
import { isFsError } from '../core/errors.ts';
import { childOf, type VfsPath } from '../core/paths.ts';
import type { Awaitable, NodeInfo, OpContext } from '../core/resolver.ts';
import type { Vfs } from './vfs.ts';

/** As {@link Vfs.statNames}, where nobody can say it of many. */
export function statOneByOne(
  vfs: Pick<Vfs, 'stat'>,
  folder: VfsPath,
  names: readonly string[],
  context: OpContext,
): (NodeInfo | undefined)[] {
  return names.map((name) => thereNow(() => vfs.stat(childOf(folder, name), context)));
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
