import { FsError } from '../core/errors.ts';
import type { VfsPath } from '../core/paths.ts';
import type { OpContext } from '../core/resolver.ts';
import { followLinks } from '../vfs/follow-links.ts';
import { wholeOf } from '../vfs/read-file.ts';
import type { SystemFs } from '../vfs/system-fs.ts';
import type { Found } from './tool.ts';

/** A tool that reads text has no use for a larger file. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The rest of a longer line is not shown. */
const MAX_LINE_LENGTH = 2_000;

/**
 * The lines of a file from one on.
 * @param count the maximal number; undefined for all
 * @throws FsError EISDIR for a folder, EFBIG, EILSEQ for a file that is not text, EINVAL for a line after the end
 */
export async function linesOf(
  fs: SystemFs,
  path: VfsPath,
  { line, count }: { readonly line: number; readonly count?: number | undefined },
  context: OpContext,
): Promise<Found> {
  const text = await textOf(fs, path, context);
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (line > Math.max(1, lines.length))
    throw new FsError('EINVAL', path, `it has ${lines.length} lines, so there is no line ${line}`);
  const asked = lines.slice(line - 1, count === undefined ? undefined : line - 1 + count);
  return {
    fields: { path, line, total_lines: lines.length },
    list: {
      name: 'text',
      items: asked.map((text) => cutLine(text)),
      offset: line,
      isText: true,
      beyond: lines.length - (line - 1) - asked.length,
      argumentsFrom: (next) => ({ line: next }),
    },
  };
}

async function textOf(fs: SystemFs, path: VfsPath, context: OpContext): Promise<string> {
  const target = await followLinks(fs, path, context);
  const file = await fs.open(target, context);
  try {
    if (file.sizeBytes > MAX_BYTES) {
      throw new FsError('EFBIG', path, `it has ${file.sizeBytes} bytes; a tool reads at most ${MAX_BYTES}`);
    }
    const bytes = await wholeOf(file);
    const text = bytes.toString('utf8');
    if (bytes.includes(0) || text.includes('\uFFFD'))
      throw new FsError('EILSEQ', path, 'this file is not text');
    return text;
  } finally {
    file.close();
  }
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  return `${line.slice(0, MAX_LINE_LENGTH).toWellFormed()}… (${line.length - MAX_LINE_LENGTH} more characters in this line)`;
}
