import { callerContext } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { EMBEDDING_OPTIONS } from '../embeddings.ts';
import type { Io } from '../io.ts';
import { type ClosableDoor, lazyDoor } from '../mcp/lazy-door.ts';
import { usageError } from '../usage-error.ts';

const VERB = 'mcp';

export const mcp = defineCommand({
  verb: VERB,
  summary: 'serve the tree and its tools over the Model Context Protocol',
  details:
    'By standard input and output, for a client that starts this itself (mcp install enters it there); it ends when the client does. With\n' +
    '--http at http://127.0.0.1:7317/mcp, for clients that have the token: that in KGRAPHFS_MCP_TOKEN or in a file, else a new one, shown\n' +
    'once. A daemon keeps the index, and is started where none runs, as by start; with --no-start this process keeps it itself. What a\n' +
    'client writes to memory bears its name and waits in review, unless your own config, or --allow-writes, lets it count at once.',
  positionals: { port: { summary: 'with --http: the port; 0 for any that is free', count: 'optional' } },
  options: {
    http: { type: 'boolean', summary: 'serve by streamable HTTP at 127.0.0.1' },
    tokenFile: {
      type: 'text',
      value: 'FILE',
      summary: 'with --http: a file with the token, which nobody else can read',
    },
    allowOrigin: {
      type: 'texts',
      value: 'ORIGIN',
      summary: 'with --http: a web page that may ask, such as http://localhost:6274; may be repeated',
    },
    start: { type: 'boolean', summary: 'start a daemon where none runs (the default; --no-start does not)' },
    allowWrites: { type: 'boolean', summary: 'what clients write to memory counts at once' },
    ...EMBEDDING_OPTIONS,
  },
  example: 'kgraphfs mcp --no-start --docs docs/sample',
  async run(args, io) {
    const { http = false, start = true, allowWrites, tokenFile, allowOrigin } = args;
    const port = portOf(args.port);
    if (!http && (port !== undefined || tokenFile !== undefined || allowOrigin.length > 0))
      throw usageError('a port, --token-file and --allow-origin are for --http', VERB);
    const door = lazyDoor({ ...args, mayStart: start, allowWrites }, io);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    process.once('SIGINT', end).once('SIGTERM', end).once('SIGHUP', end);
    try {
      if (http) {
        const { serveHttpCommand } = await import('../mcp/serve-http.ts');
        await serveHttpCommand({ ...args, port }, door, ending.signal, io);
      } else {
        await serveInput(door, ending.signal, io);
      }
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end).off('SIGHUP', end);
      await door.close();
    }
    return 0;
  },
});

async function serveInput(door: ClosableDoor, signal: AbortSignal, io: Io): Promise<void> {
  if (io.out.isTerminal)
    io.err.write(
      'a client of the Model Context Protocol is expected here; for people: kgraphfs mcp --help\n',
    );
  const { caller } = callerContext(io);
  const [{ openServer }, { serveStdio }, { VERSION }] = await Promise.all([
    import('../../mcp/server.ts'),
    import('../../mcp/stdio.ts'),
    import('../../core/version.ts'),
  ]);
  const server = openServer({
    version: VERSION,
    tools: async () => (await import('../../toolkit/toolkit.ts')).TOOLS,
    door,
    actor: caller?.name ?? VERB,
    session: caller?.session,
  });
  await serveStdio(server, { input: process.stdin, output: process.stdout, signal });
}

/** @throws UserError */
function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw usageError(`a port is a whole number from 0 to 65535, not "${given}"`, VERB);
}
