import { FsError, isFsError } from '../../core/errors.ts';
import type { VfsPath } from '../../core/paths.ts';
import type { SystemFs } from '../../vfs/system-fs.ts';

/**
 * Refuses a path that does not exist: nothing would ever be found below it, and a mistyped path would look like an answer.
 * @param option the option that names the path
 * @throws FsError if there is nothing at the path
 */
export async function requirePlace(
  fs: Pick<SystemFs, 'stat'>,
  path: VfsPath,
  option: `--${string}`,
): Promise<void> {
  try {
    await fs.stat(path, {});
  } catch (error) {
    if (!isFsError(error, 'ENOENT', 'ENOTDIR')) throw error;
    const why = `there is nothing of this path in the tree; ${option} takes one of it, such as /docs`;
    throw new FsError(error.code, path, why, { cause: error });
  }
}
