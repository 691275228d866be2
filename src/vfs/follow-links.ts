import { FsError } from '../core/errors.ts';
import { parsePath, partsOf, ROOT, type VfsPath } from '../core/paths.ts';
import type { OpContext } from '../core/resolver.ts';
import type { Vfs } from './vfs.ts';

/** How many links Linux follows on one path, see path_resolution(7). */
const MAX_LINKS = 40;

/**
 * Resolves the links on the way of a path and at its end, as the kernel does for callers who come through the mount.
 * @throws FsError ENOENT, ENOTDIR, EACCES, ELOOP
 */
export async function followLinks(
  vfs: Pick<Vfs, 'stat' | 'readLink'>,
  path: VfsPath,
  context: OpContext,
): Promise<VfsPath> {
  const ahead = partsOf(path);
  let reached: VfsPath = ROOT;
  let followed = 0;
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    const next = parsePath(`${reached}/${name}`);
    const { kind } = await vfs.stat(next, context);
    if (kind !== 'link') {
      reached = next;
      continue;
    }
    followed += 1;
    if (followed > MAX_LINKS) throw new FsError('ELOOP', path, `more than ${MAX_LINKS} links on the way`);
    const target = await vfs.readLink(next, context);
    // An absolute target cannot be resolved: it is not known here where the tree is mounted.
    if (target.startsWith('/')) throw new FsError('ENOENT', path, 'a link on the way leads outside the tree');
    ahead.unshift(...target.split('/').filter((part) => part !== ''));
  }
  return reached;
}
