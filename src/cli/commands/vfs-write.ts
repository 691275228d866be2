import { EXIT, isFsError, UserError } from '../../core/errors.ts';
import { below, parsePath, type VfsPath } from '../../core/paths.ts';
import type { OpContext } from '../../core/resolver.ts';
import { MEMORY_POINT, REVIEW_POINT } from '../../core/tree-points.ts';
import { counted } from '../../text/counted.ts';
import type { SystemFs } from '../../vfs/system-fs.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { FROM_OPTION, givenContent, TEXT_SUMMARY, wholeContent } from '../given-content.ts';
import { writeJson } from '../io.ts';
import { METADATA_OPTIONS, type SaidMetadata, saidMetadata } from '../metadata-options.ts';
import { withProject } from '../project.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'vfs write';
const MEMORY_FOLDERS = [MEMORY_POINT, REVIEW_POINT];

export const vfsWrite = defineCommand({
  verb: VERB,
  summary: 'replace the bytes of a writable path',
  details:
    'Writes a file below /context/memory or /context/scratchpad, new or not, and creates the folders on the way; or writes to a file\n' +
    'for which a module takes content. The content is the text with a line feed, or a file or standard input byte for byte. The options\n' +
    'of metadata are for memory. An entry of memory is replaced as a whole or not at all.',
  positionals: {
    path: { summary: 'path in the mount, such as /context/memory/fact/refunds' },
    text: { summary: TEXT_SUMMARY, count: 'many' },
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
      // A content longer than an entry may be has to be refused before the entry is changed.
      const parts = isMemory ? [await wholeContent(given, settings.limits.memoryEntryBytes)] : given;
      const { replaceFile } = await import('../../vfs/replace-file.ts');
      const sizeBytes = await replaceFile(fs, path, parts, context);
      await describe(fs, path, metadata, context);
      if (args.json) writeJson(io.out, { path, size_bytes: sizeBytes });
      else io.out.write(`wrote ${counted(sizeBytes, 'byte')} to ${path}\n`);
      return 0;
    }).finally(() => given.close());
  },
});

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
      throw new UserError(`${error.message}\n  the content is written, its ${name} is not set`, EXIT.failed, {
        cause: error,
      });
    }
  }
}
