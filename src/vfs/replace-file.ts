import type { WritableFile } from '../core/changes.ts';
import { FsError, isFsError } from '../core/errors.ts';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { baseName, childOf, parentOf, ROOT, type VfsPath } from '../core/paths.ts';
import type { OpContext } from '../core/resolver.ts';
import { followLinks } from './follow-links.ts';
import type { SystemFs } from './system-fs.ts';

const NO_CONTENT = new Uint8Array();

/**
 * Replaces the content of a file. If the file does not exist it is made, with the folders on the way; only the owner may use what is made, like
 * everything below context/.
 * @returns how many bytes the file has
 * @throws FsError as the tree refuses
 */
export async function replaceFile(
  fs: SystemFs,
  path: VfsPath,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  context: OpContext,
): Promise<number> {
  const file = await openEmpty(fs, await writtenAt(fs, path, context), context);
  let position = 0;
  try {
    for await (const part of parts) {
      for (let done = 0; done < part.byteLength; ) {
        const count = await file.write(part.subarray(done), position, context);
        done += count;
        position += count;
      }
    }
    if (position === 0) await file.write(NO_CONTENT, 0, context);
    await file.flush(context);
    return position;
  } catch (error) {
    if (error instanceof FsError) throw new FsError(error.code, path, error.why, { cause: error });
    throw error;
  } finally {
    file.close();
  }
}

/** Opens a file, or makes it with the folders on the way, whichever of the two is possible at this moment. */
async function openEmpty(fs: SystemFs, path: VfsPath, context: OpContext): Promise<WritableFile> {
  const options = { append: false, truncate: true };
  try {
    return await fs.openToWrite(path, options, context);
  } catch (error) {
    if (!isFsError(error, 'ENOENT')) throw error;
  }
  await makeFolders(fs, parentOf(path), context);
  try {
    return await fs.create(path, { ...options, mode: PRIVATE_FILE_MODE, exclusive: true }, context);
  } catch (error) {
    if (isFsError(error, 'EEXIST')) return fs.openToWrite(path, options, context);
    throw error;
  }
}

async function makeFolders(fs: SystemFs, folder: VfsPath, context: OpContext): Promise<void> {
  try {
    await fs.stat(folder, context);
    return;
  } catch (error) {
    if (!isFsError(error, 'ENOENT') || folder === ROOT) throw error;
  }
  await makeFolders(fs, parentOf(folder), context);
  try {
    await fs.makeFolder(folder, PRIVATE_FOLDER_MODE, context);
  } catch (error) {
    if (!isFsError(error, 'EEXIST')) throw error;
  }
}

/** The path that a write ends up at: links are followed as a shell does, and the last names may be new. @throws FsError */
export async function writtenAt(fs: SystemFs, path: VfsPath, context: OpContext): Promise<VfsPath> {
  try {
    return await followLinks(fs, path, context);
  } catch (error) {
    if (!isFsError(error, 'ENOENT')) throw error;
    return childOf(await writtenAt(fs, parentOf(path), context), baseName(path));
  }
}
