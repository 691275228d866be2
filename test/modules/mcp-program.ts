/** A server of the Model Context Protocol for tests, over standard input and output. */
import { appendFileSync } from 'node:fs';
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const trace = process.argv[2];
if (trace !== undefined) appendFileSync(trace, `${process.pid}\n`);

const server = new McpServer({ name: 'notes', version: '1.2.3' }, { instructions: 'Read first.' });
server.registerResource('first.md', 'note:///first', { mimeType: 'text/markdown' }, (uri) => ({
  contents: [{ uri: uri.href, text: '# First\n' }],
}));
server.registerResource('same', 'note:///a', {}, (uri) => ({ contents: [{ uri: uri.href, text: 'a' }] }));
server.registerResource('same', 'note:///b', {}, (uri) => ({
  contents: [{ uri: uri.href, blob: Buffer.from([0, 255]).toString('base64') }],
}));
server.registerResource(
  'any',
  new ResourceTemplate('note:///any/{id}', { list: undefined }),
  {},
  (uri, { id }) => ({
    contents: [{ uri: uri.href, text: `any ${String(id)}` }],
  }),
);
server.registerTool(
  'add',
  { description: 'Adds two numbers.', inputSchema: { a: z.number(), b: z.number() } },
  ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
);
server.registerTool('fail', { description: 'Fails.' }, () => ({
  content: [{ type: 'text', text: 'it cannot be done' }],
  isError: true,
}));
server.registerTool('exit', { description: 'Ends the server.' }, () => process.exit(7));
server.registerTool('hang', { description: 'Never answers.' }, () => new Promise(() => {}));
await server.connect(new StdioServerTransport());
