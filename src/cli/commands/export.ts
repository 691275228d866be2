import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';
import type { NodeLinkData } from '../../graph/node-link.ts';
import { counted } from '../../text/counted.ts';
import { type CommonArguments, defineCommand } from '../command.ts';
import type { Io } from '../io.ts';
import { withProject } from '../project.ts';
import { shownOn } from '../text/printable.ts';
import { usageError } from '../usage-error.ts';

export const exportGraph = defineCommand({
  verb: 'export',
  summary: 'the whole graph in a format for other programs',
  details: 'json is the node-link format of NetworkX; --from reads it back.',
  positionals: {},
  options: {
    format: {
      type: 'text',
      value: 'FORMAT',
      choices: ['json', 'graphml', 'gexf', 'dot', 'mermaid'],
      default: 'json',
      summary: 'the form',
    },
    output: { type: 'text', value: 'FILE', summary: 'write to a file instead of standard output' },
    sections: { type: 'boolean', summary: 'also sections of documents, and what links to them' },
    from: {
      type: 'text',
      value: 'FILE',
      summary: 'read a graph that was exported as json, instead of the index',
    },
  },
  example: 'kgraphfs export --format mermaid --docs docs/sample',
  async run(args, io) {
    if (args.json && args.format !== 'json')
      throw usageError(`--json and --format ${args.format} cannot be used together`, 'export');
    const { formatGraph } = await import('../../graph/export.ts');
    const data =
      args.from === undefined
        ? await indexed(args, args.sections ?? false, io)
        : await exported(args.from, io);
    const text = formatGraph(data, args.format);
    if (args.output === undefined) await io.out.writeBytes(Buffer.from(shownOn(io.out, text)));
    else await writeFile(args.output, text, data, io);
    return 0;
  },
});

async function indexed(args: CommonArguments, withSections: boolean, io: Io): Promise<NodeLinkData> {
  const { nodeLinkData } = await import('../../graph/node-link.ts');
  return withProject(args, io, async ({ graph }) => nodeLinkData(graph, withSections));
}

async function exported(file: string, io: Io): Promise<NodeLinkData> {
  const { parseNodeLink } = await import('../../graph/parse-node-link.ts');
  try {
    return parseNodeLink(readFileSync(resolve(io.workingFolder(), file), 'utf8'), file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${file}: cannot be read: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

async function writeFile(file: string, text: string, { nodes, links }: NodeLinkData, io: Io): Promise<void> {
  const { replaceWholeFile } = await import('../../user-files/replace-file.ts');
  try {
    replaceWholeFile(resolve(io.workingFolder(), file), text);
  } catch (error) {
    throw new UserError(`${file}: cannot be written: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
  io.err.write(`wrote ${counted(nodes.length, 'node')} and ${counted(links.length, 'edge')} to ${file}\n`);
}
