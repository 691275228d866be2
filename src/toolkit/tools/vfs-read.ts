import { z } from 'zod';
import { parsePath } from '../../core/paths.ts';
import { linesOf } from '../file-text.ts';
import { defineTool } from '../tool.ts';
import { LINE, LINES } from './read.ts';

export const vfsRead = defineTool({
  name: 'vfs_read',
  description:
    'Lines of any file of the tree, such as /graph/nodes/Charge, /context/memory/fact/refunds, "/context/for/<question>" or /AGENTS.md, which says what is where. For documents that search or evidence names, read takes their path as it stands there.',
  effect: 'reads',
  parameters: z.strictObject({ path: z.string().min(1).max(4095), line: LINE, lines: LINES }),
  run: ({ path, line, lines }, { fs }, context) =>
    linesOf(fs, parsePath(path), { line, count: lines }, context),
});
