import type { WritableFile } from '../../core/changes.ts';
import { FsError, isFsError, UserError } from '../../core/errors.ts';
import { below, childOf, parentOf, parsePath, ROOT, type VfsPath } from '../../core/paths.ts';
import type { OpContext } from '../../core/resolver.ts';
import type { SystemFs } from '../../vfs/system-fs.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { FROM_OPTION, givenContent, wholeContent } from '../given-content.ts';
import { writeJson } from '../io.ts';
import { METADATA_OPTIONS, type SaidMetadata, saidMetadata } from '../metadata-options.ts';
import { withProject } from '../project.ts';
import { counted } from '../text/printable.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'vfs write';
const MEMORY_FOLDERS = ['/context/memory', '/context/review'].map(parsePath);
/** What is new may be used by its owner alone, as all below context/. */
const NEW_FILE_MODE = 0o600;
const NEW_FOLDER_MODE = 0o700;
const NO_CONTENT = new Uint8Array();

export const vfsWrite = defineCommand({
  verb: VERB,
  summary: 'replace the bytes of a writable path',
  details:
    'Writes a file below /context/memory or /context/scratchpad, new or not, and makes the folders on the way: the text with a line\n' +
    'feed, or a file or standard input byte for byte. The options of metadata are for memory. An entry of memory is replaced as a whole or not at all.',
  positionals: {
    path: { summary: 'path in the mount, such as /context/memory/fact/refunds' },
    text: { summary: 'the content; without it standard input is read', count: 'many' },
  },
  options: { from: FROM_OPTION, ...METADATA_OPTIONS },
  example:
    'kgraphfs vfs write /context/memory/fact/partial-refunds "A partial refund keeps the charge" --tags billing --docs docs/sample',
  async run(args, io) {
    const path = parsePath(args.path);
    const isMemory = MEMORY_FOLDERS.some((folder) => below(path, folder) !== undefined);
    const metadata = await saidMetadata(args, VERB);
    if (!isMemory && Object.keys(metadata).length > 0) {
      throw usageError(`${path}: --confidence, --tags and --source are for entries of memory`, VERB);
    }
    const context = callerContext(io);
    const given = await givenContent(args, io, VERB);
    return withProject(args, io, async ({ fs, settings }) => {
      // What is longer than an entry may be is seen before the entry is touched.
      const parts = isMemory ? [await wholeContent(given, settings.limits.memoryEntryBytes)] : given;
      const sizeBytes = await replaceFile(fs, path, parts, context);
      await describe(fs, path, metadata, context);
      if (args.json) writeJson(io.out, { path, size_bytes: sizeBytes });
      else io.out.write(`wrote ${counted(sizeBytes, 'byte')} to ${path}\n`);
      return 0;
    }).finally(() => given.close());
  },
});

/** @returns how many bytes the file has */
async function replaceFile(
  fs: SystemFs,
  path: VfsPath,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  context: OpContext,
): Promise<number> {
  const file = await openEmpty(fs, await behindLinks(fs, path, context), context);
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

/** Opens what is there, or makes it and the folders on the way, whichever of the two is possible at this moment. */
async function openEmpty(fs: SystemFs, path: VfsPath, context: OpContext): Promise<WritableFile> {
  const options = { append: false, truncate: true };
  try {
    return await fs.openToWrite(path, options, context);
  } catch (error) {
    if (!isFsError(error, 'ENOENT')) throw error;
  }
  await makeFolders(fs, parentOf(path), context);
  try {
    return await fs.create(path, { ...options, mode: NEW_FILE_MODE, exclusive: true }, context);
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
    await fs.makeFolder(folder, NEW_FOLDER_MODE, context);
  } catch (error) {
    if (!isFsError(error, 'EEXIST')) throw error;
  }
}

/** Links are followed, as a shell does that writes to a path; the last names may be new. */
async function behindLinks(fs: SystemFs, path: VfsPath, context: OpContext): Promise<VfsPath> {
  const { followLinks } = await import('../../vfs/follow-links.ts');
  try {
    return await followLinks(fs, path, context);
  } catch (error) {
    if (!isFsError(error, 'ENOENT') || path === ROOT) throw error;
    return childOf(await behindLinks(fs, parentOf(path), context), path.slice(path.lastIndexOf('/') + 1));
  }
}

async function describe(
  fs: SystemFs,
  path: VfsPath,
  metadata: SaidMetadata,
  context: OpContext,
): Promise<void> {
  const { confidence, tags, sourcePaths } = metadata;
  const attributes = Object.entries({
    confidence,
    tags: tags?.join(','),
    source_paths: sourcePaths?.join(','),
  });
  for (const [name, value] of attributes) {
    if (value === undefined) continue;
    try {
      await fs.setAttribute(path, `user.kgraphfs.${name}`, Buffer.from(String(value)), 'either', context);
    } catch (error) {
      if (!isFsError(error)) throw error;
      throw new UserError(`${error.message}\n  the content is written, its ${name} is not set`, 1, {
        cause: error,
      });
    }
  }
}
