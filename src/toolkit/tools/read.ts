import { z } from 'zod';
import { parsePath, type VfsPath } from '../../core/paths.ts';
import type { OpContext } from '../../core/resolver.ts';
import type { SystemFs } from '../../vfs/system-fs.ts';
import { linesOf } from '../file-text.ts';
import { isThere, namedLines } from '../named-lines.ts';
import { defineTool } from '../tool.ts';

export const LINE = z.int().min(1).default(1).describe('the first line to show, from 1');
export const LINES = z
  .int()
  .min(1)
  .max(100_000)
  .optional()
  .describe('how many lines; without it as many as fit');

export const read = defineTool({
  name: 'read',
  description:
    'Lines of a document, by its path in the docs as search and evidence name it: charges/create-charge.md, with :31 for a line, :31-40 for several.',
  effect: 'reads',
  parameters: z.strictObject({
    path: z.string().min(1).max(4095).describe('relative to the docs, also with :LINE or :FROM-TO behind it'),
    line: LINE,
    lines: LINES,
  }),
  async run({ path: asked, line, lines }, { fs }, context) {
    const named = namedLines(asked);
    const path = await documentPath(named.place, fs, context);
    return linesOf(fs, path, named.lines({ line, lines }), context);
  },
});

/** The path in the tree of a document that is named by its path in the docs, or by its path in the tree. */
async function documentPath(named: string, fs: SystemFs, context: OpContext): Promise<VfsPath> {
  if (/^\/(docs|modules)\//.test(named)) return parsePath(named);
  const inDocs = parsePath(`/docs/${named}`);
  if (!named.startsWith('docs/')) return inDocs;
  // Paths of evidence come first: the docs may have a folder `docs`, or a root of that name.
  return (await isThere(fs, inDocs, context)) ? inDocs : parsePath(named);
}
