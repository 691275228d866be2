import { z } from 'zod';
import { parsePath } from '../../core/paths.ts';
import { linesOf } from '../file-text.ts';
import { isThere, namedLines } from '../named-lines.ts';
import { defineTool } from '../tool.ts';
import { LINE, LINES } from './read.ts';

export const vfsRead = defineTool({
  name: 'vfs_read',
  description:
    'Lines of any file of the tree, such as /graph/nodes/Charge, /context/memory/fact/refunds, "/context/for/<question>" or /AGENTS.md, which says what is where. For documents that search or evidence names, read takes their path as it stands there.',
  effect: 'reads',
  parameters: z.strictObject({
    path: z.string().min(1).max(4095).describe('also with :LINE or :FROM-TO behind it, as search has it'),
    line: LINE,
    lines: LINES,
  }),
  async run({ path: asked, line, lines }, { fs }, context) {
    const path = parsePath(asked);
    const named = namedLines(asked);
    // Any file may be named like this, and every question has a page, whatever it contains.
    if (!named.hasLine || (await isThere(fs, path, context)))
      return linesOf(fs, path, { line, count: lines }, context);
    return linesOf(fs, parsePath(named.place), named.lines({ line, lines }), context);
  },
});
