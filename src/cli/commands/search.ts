import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { FsError, reasonOf, UserError } from '../../core/errors.ts';
import { parsePath } from '../../core/paths.ts';
import type { FoundHit, SystemFs } from '../../vfs/system-fs.ts';
import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { type Io, writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { hitView, writeHits } from '../text/hits.ts';
import { usageError } from '../usage-error.ts';

const DEFAULT_LIMIT = 10;

export const search = defineCommand({
  verb: 'search',
  summary: 'the best hits of a query in docs, graph and memory, ranked together',
  details:
    '--batch reads one query a line and prints one line of JSON for each, {"query", "hits"}; it succeeds when every\n' +
    'line was answered, also with no hits.',
  positionals: { query: { summary: 'words to look for', count: 'optional' } },
  options: {
    limit: { type: 'count', value: 'N', min: 1, default: DEFAULT_LIMIT, summary: 'at most so many hits' },
    scope: {
      type: 'text',
      value: 'PATH',
      default: '/',
      summary: 'only below this path of the mount, such as /docs',
    },
    superseded: { type: 'boolean', summary: 'also memories that others supersede' },
    batch: {
      type: 'text',
      value: 'FILE',
      summary: 'answer the queries of a file, or of standard input with -',
    },
  },
  example: 'kgraphfs search "refund a charge" --docs docs/sample',
  async run(args, io) {
    const { query, batch, limit, superseded = false } = args;
    if ((query === undefined) === (batch === undefined))
      throw usageError('search needs a <query>, or --batch', 'search');
    const scope = parsePath(args.scope);
    const context = callerContext(io);
    return withProject(args, io, async ({ fs }) => {
      await fs.stat(scope, {});
      const ask = (text: string) => fs.search({ text, limit, superseded }, scope, context);
      if (query === undefined) return answerAll(queriesOf(batch ?? '-', io), ask, io);
      const hits = await ask(query);
      if (args.json) writeJson(io.out, answerView(query, hits));
      else writeHits(io.out, hits);
      if (hits.length > 0) return 0;
      throw new UserError(`nothing found for "${query}"`);
    });
  },
});

async function answerAll(
  queries: AsyncIterable<string>,
  ask: (query: string) => ReturnType<SystemFs['search']>,
  io: Io,
): Promise<number> {
  for await (const query of queries) {
    io.out.write(`${JSON.stringify(answerView(query, await ask(query)))}\n`);
  }
  return 0;
}

function answerView(query: string, hits: readonly FoundHit[]) {
  return { query, hits: hits.map(hitView) };
}

/** The lines that hold a query. @throws UserError where the file cannot be read */
async function* queriesOf(file: string, io: Io): AsyncIterable<string> {
  const input = file === '-' ? io.input : createReadStream(resolve(io.workingFolder(), file));
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() !== '') yield line;
    }
  } catch (error) {
    if (error instanceof UserError || error instanceof FsError) throw error;
    throw new UserError(`${file}: cannot be read: ${reasonOf(error)}`, 1, { cause: error });
  }
}
