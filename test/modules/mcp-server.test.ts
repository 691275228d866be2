import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { McpServer } from '../../src/modules/builtin/mcp-server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { untilAnswered } from './opened.ts';

/** Refuses the first time that it is started, and goes on until it is ended by a signal. */
const REFUSES_ONCE = `
const { existsSync, writeFileSync } = require('node:fs');
const [, mark] = process.argv;
const isFirst = !existsSync(mark);
writeFileSync(mark, '');
if (isFirst) setInterval(() => {}, 1000);
process.stdin.on('data', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method !== 'initialize') return;
  const { protocolVersion } = params;
  const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'late', version: '1' } };
  const error = { code: -32000, message: 'not yet' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(isFirst ? { error } : { result }) }));
});
`;

t.test('a server that ends late takes nothing from the one that was started after it', async (t) => {
  const started: number[] = [];
  const folder = temporaryFolder(t);
  const server = new McpServer(
    { command: process.execPath, args: ['-e', REFUSES_ONCE, join(folder, 'mark')] },
    {
      ...{ name: 'late', folder, docs: { folders: [], include: [], exclude: [] }, stateFolder: folder },
      ...{ secrets: {}, changed() {}, note() {} },
      started: (pid) => started.push(pid ?? 0),
    },
  );
  t.teardown(() => server.close());
  await t.rejects(server.about(), { message: /not yet/ });
  await untilAnswered(() => server.about());
  const [first = 0] = started;
  t.equal(started.length, 2);
  while (isRunning(first)) await pause(50);
  // What the end of the first brings with it comes in the next turns.
  await pause(50);
  t.match(await server.about(), { name: 'late' });
  t.equal(started.length, 2, 'the second goes on');
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
