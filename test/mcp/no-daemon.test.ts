/** The server where no daemon can be started, or is to be. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import t, { type Test } from 'tap';
import { kgraphfs, MAIN } from '../cli/run-cli.ts';
import { eventually } from '../durability/small-disk.ts';
import { temporaryFolder } from '../support/temporary.ts';

interface Project {
  readonly folder: string;
  /** Whatever a daemon loads first, which ends it. */
  readonly ending: string;
}

function project(t: Test): Project {
  const folder = temporaryFolder(t);
  const ending = join(folder, 'ending.cjs');
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/charges.md'), '# Charges\n\nA `Charge` requires a `Customer`.\n');
  writeFileSync(ending, "if (process.argv0 === 'kgraphfs') process.exit(7);\n");
  t.equal(kgraphfs(['build'], { cwd: folder }).status, 0);
  t.teardown(() => kgraphfs(['stop'], { cwd: folder }));
  return { folder, ending };
}

async function clientOf(t: Test, { folder, ending }: Project, ...options: readonly string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...options],
    env: {
      PATH: process.env['PATH'] ?? '',
      XDG_CONFIG_HOME: '/nowhere',
      NODE_OPTIONS: `--require=${ending}`,
    },
    cwd: folder,
    stderr: 'pipe',
  });
  const said: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const client = new Client({ name: 'a-client', version: '1' });
  await client.connect(transport);
  t.teardown(() => client.close());
  return {
    inspect: async (node: string) =>
      JSON.stringify(await client.callTool({ name: 'inspect', arguments: { node } })),
    said: () => said.join(''),
  };
}

const SAID = /^no daemon can be started, so this process keeps the index: the daemon ended before .*\n$/;

t.test('where a daemon cannot be started the server keeps the index itself, and says so once', async (t) => {
  const place = project(t);
  const { inspect, said } = await clientOf(t, place);
  t.match(await inspect('Charge'), /"entity":"Charge"/);
  writeFileSync(join(place.folder, 'docs/refunds.md'), '# Refunds\n\nA `Refund` requires a `Charge`.\n');
  await eventually(/"entity":"Refund"/, () => inspect('Refund'));
  t.match(said(), SAID);
});

for (const [why, options, expected] of [
  ['cannot be started again', [], SAID],
  ['is not to be started', ['--no-start'], /^$/],
] as const)
  t.test(`where the daemon stops and ${why} the server goes on to keep the index`, async (t) => {
    const place = project(t);
    t.equal(kgraphfs(['start'], { cwd: place.folder }).status, 0);
    const { inspect, said } = await clientOf(t, place, ...options);
    t.match(await inspect('Charge'), /"entity":"Charge"/);
    t.equal(kgraphfs(['stop'], { cwd: place.folder }).status, 0);
    writeFileSync(join(place.folder, 'docs/refunds.md'), '# Refunds\n\nA `Refund` requires a `Charge`.\n');
    await eventually(/"entity":"Refund"/, () => inspect('Refund'));
    t.match(await inspect('Charge'), /"entity":"Charge"/);
    t.match(said(), expected);
  });
