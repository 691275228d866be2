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
    'Serves by standard input and output, for a client that starts this process itself (mcp install enters it there). It ends when the\n' +
    'client does. With --http it serves at http://127.0.0.1:7317/mcp, for clients that have the token: the one in KGRAPHFS_MCP_TOKEN or\n' +
    'in a file, else a new one, shown once. A daemon keeps the index. If none runs, one is started, as by start; with --no-start this\n' +
    "process keeps the index itself. What a client writes to memory has the client's name and waits in review, unless your own config,\n" +
    'or --allow-writes, lets it count at once.',
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
      summary:
        'with --http: a web page that may send requests, such as http://localhost:6274; may be repeated',
    },
    start: { type: 'boolean', summary: 'start a daemon if none runs (the default; --no-start does not)' },
    allowWrites: { type: 'boolean', summary: 'what clients write to memory counts at once' },
    ...EMBEDDING_OPTIONS,
  },
  example: 'kgraphfs mcp --no-start --docs docs/sample',
  async run(args, io) {
    const { http = false, start = true, allowWrites, tokenFile, allowOrigin } = args;
    const port = portOf(args.port);
    if (!http && (port !== undefined || tokenFile !== undefined || allowOrigin.length > 0))
      throw usageError('a port, --token-file and --allow-origin are only for --http', VERB);
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
      'waiting for a client of the Model Context Protocol on standard input; kgraphfs mcp --help says how to connect one\n',
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
