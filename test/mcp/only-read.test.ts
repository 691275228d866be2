/** The server over a state folder that can only be read. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import Sqlite from 'better-sqlite3';
import t, { type Test } from 'tap';
import { CommandDoor } from '../../src/cli/mcp/project-door.ts';
import { openContext } from '../../src/index.ts';
import { libraryIo } from '../../src/library/library-io.ts';
import { built, fill, onDisk } from '../cli/questioned-place.ts';
import { kgraphfs, MAIN } from '../cli/run-cli.ts';
import { needsRoot } from '../durability/small-disk.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Enough for an index of many pages: a change of all of them shows in each answer. */
const MANY = 200;
/** For tests of what is opened and closed. Reading many documents takes several times as long as all else that such a test does. */
const FEW = 3;

interface TwoWays {
  readonly folder: string;
  /** The state folder of the project, on a mount that can only be read. */
  readonly readOnly: string;
  /** Has all documents speak of other things. */
  rewrite(name: string): void;
}

/** What all projects begin as; for each number of documents it is built once. */
const templates = temporaryFolder(t);

function write(folder: string, name: string, documents: number): void {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  for (let number = 1; number <= documents; number += 1)
    writeFileSync(
      join(folder, `docs/d${number}.md`),
      `# ${name}${number}\n\nA \`${name}${number}\` requires a \`${name}${number + 1}\`.\n`,
    );
  const { status, err } = kgraphfs(['build'], { cwd: folder });
  if (status !== 0) throw new Error(err);
}

function seenTwoWays(t: Test, documents = FEW): TwoWays {
  const folder = join(temporaryFolder(t), 'project');
  const readOnly = `${folder}-state`;
  const template = join(templates, String(documents));
  if (!existsSync(template)) write(template, 'Thing', documents);
  execFileSync('cp', ['-a', '--', template, folder]);
  mkdirSync(readOnly);
  const rewrite = (name: string) => write(folder, name, documents);
  execFileSync('mount', ['--bind', join(folder, '.kgraphfs'), readOnly]);
  t.teardown(() => execFileSync('umount', ['--', readOnly]));
  execFileSync('mount', ['-o', 'remount,bind,ro', readOnly]);
  return { folder, readOnly, rewrite };
}

/** How many files this process has open. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

async function clientOf(t: Test, { folder, readOnly }: Pick<TwoWays, 'folder' | 'readOnly'>) {
  const client = new Client({ name: 'a-client', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', '--state', readOnly],
      env: { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: '/nowhere' },
      cwd: folder,
    }),
  );
  t.teardown(() => client.close());
  return async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent;
}

t.test('tools answer over a state folder that can only be read', needsRoot(), async (t) => {
  const project = seenTwoWays(t, MANY);
  const { folder, rewrite } = project;
  const call = await clientOf(t, project);
  t.match(await call('inspect', { node: 'Thing1' }), { entity: 'Thing1' });
  t.match(await call('read', { path: '/docs/d1.md' }), { text: /requires a `Thing2`/ });
  t.match(await call('search_files', { query: 'Thing7' }), { hits: [{}] });
  t.match(
    await call('memory_update', { entry: 'fact/sky', content: 'violet' }),
    { error: { code: 'EROFS', message: /can only be read.*mounted read-only.*--state/ } },
    'what would write is refused with the way out',
  );
  rewrite('Other');
  for (const number of [1, 77, MANY]) {
    t.match(await call('inspect', { node: `Other${number}` }), { entity: `Other${number}` });
    t.match(await call('inspect', { node: `Thing${number}` }), { error: { code: 'ENOENT' } });
  }
  t.equal(kgraphfs(['start'], { cwd: folder }).status, 0);
  t.teardown(() => kgraphfs(['stop'], { cwd: folder }));
  t.match(
    await call('inspect', { node: 'Other1' }),
    { entity: 'Other1' },
    'a daemon that begins is followed',
  );
});

t.test('tools answer on a full disk, and write once there is room', needsRoot(), async (t) => {
  const place = onDisk(t);
  await built(place);
  place.mounted('rw', 'size=2m');
  const ballast = fill(place);
  t.teardown(() => kgraphfs(['stop'], { cwd: place.folder }));
  const call = await clientOf(t, { folder: place.folder, readOnly: place.state });
  t.match(await call('inspect', { node: 'Charge' }), { entity: 'Charge' });
  t.match(await call('vfs_search', { query: 'violet' }), { hits: [{ path: '/context/memory/fact/sky:1' }] });
  t.match(await call('vfs_write', { path: '/context/memory/fact/sea', content: 'teal' }), {
    error: { code: 'ENOSPC', message: /the disk is full.*free some space/ },
  });
  rmSync(ballast);
  t.match(await call('vfs_write', { path: '/context/memory/fact/sea', content: 'teal' }), {
    call: { tool: 'vfs_write' },
    error: undefined,
  });
});

t.test(
  'what keeps the index itself answers on a full disk, and keeps it once there is room',
  needsRoot(),
  async (t) => {
    const place = onDisk(t);
    const { folder, state } = place;
    await built(place);
    for (const name of ['index.sqlite', 'search.sqlite'])
      for (const part of ['-shm', '-wal']) rmSync(join(state, `${name}${part}`), { force: true });
    writeFileSync(join(folder, 'docs/payouts.md'), '# Payouts\n\nA `Payout` belongs to a `Charge`.\n');
    place.mounted('rw', 'size=2m');
    const ballast = fill(place);
    const warnings: string[] = [];
    const io = libraryIo({
      folder,
      actor: undefined,
      session: undefined,
      onWarning: (warning) => warnings.push(warning),
    });
    const at = { docs: [], state, config: undefined, json: undefined };
    const door = new CommandDoor({ ...at, mayStart: false, allowWrites: false }, io);
    const find = () => door.use(async ({ box }) => box.graph.similar('Payout', 1)[0]?.name);
    t.not(await find(), 'Payout');
    t.match(warnings, [/the disk is full.*1 file added.*answered from the index as it is/]);
    t.not(await find(), 'Payout');
    t.equal(warnings.length, 1, 'it is not opened anew as long as the disk is full');
    rmSync(ballast);
    t.equal(await find(), 'Payout');
    await door.close();
  },
);

t.test(
  'what moved is opened anew once, whatever of it is no longer there or read otherwise',
  needsRoot(),
  async (t) => {
    const project = seenTwoWays(t);
    const state = join(project.folder, '.kgraphfs');
    const call = await clientOf(t, project);
    t.match(await call('inspect', { node: 'Thing1' }), { entity: 'Thing1' });
    rmSync(join(state, 'search.sqlite'));
    t.match(await call('inspect', { node: 'Thing1' }), { entity: 'Thing1' }, 'without a file that was read');
    const writer = new Sqlite(join(state, 'index.sqlite'));
    t.teardown(() => writer.close());
    writer.exec('CREATE TABLE of_another_program (number INTEGER)');
    t.match(await call('inspect', { node: 'Thing1' }), { entity: 'Thing1' }, 'beside a program that writes');
  },
);

t.test('tools go on answering when the daemon that kept the index stops', needsRoot(), async (t) => {
  const project = seenTwoWays(t, MANY);
  const { folder, rewrite } = project;
  const inProject = (verb: string) => t.equal(kgraphfs([verb], { cwd: folder }).status, 0);
  inProject('start');
  t.teardown(() => kgraphfs(['stop'], { cwd: folder }));
  const call = await clientOf(t, project);
  t.match(await call('inspect', { node: 'Thing1' }), { entity: 'Thing1' });
  inProject('stop');
  for (const number of [1, 77])
    t.match(await call('inspect', { node: `Thing${number}` }), { entity: `Thing${number}` });
  rewrite('Other');
  t.match(await call('inspect', { node: 'Other1' }), { entity: 'Other1' }, 'of what is there by now');
  inProject('start');
  t.match(await call('inspect', { node: 'Other2' }), { entity: 'Other2' });
});

t.test(
  'what is asked goes on where others have the project opened anew, and all are followed',
  needsRoot(),
  async (t) => {
    const { folder, readOnly, rewrite } = seenTwoWays(t);
    const io = libraryIo({ folder, actor: undefined, session: undefined, onWarning: () => {} });
    const place = { docs: [], state: readOnly, config: undefined, json: undefined };
    const door = new CommandDoor({ ...place, mayStart: false, allowWrites: false }, io);
    t.teardown(() => door.close());
    const heard: string[] = [];
    (await door.open()).onChange((what) => heard.push(what));
    const openBefore = openFiles();
    for (const name of ['Other', 'Third'])
      await door.use(async (before) => {
        rewrite(name);
        t.equal(await door.use(async ({ box }) => box.graph.similar(`${name}1`, 1)[0]?.name), `${name}1`);
        t.equal(before.documents().length, FEW, 'it is open for who began with it');
        t.ok(heard.splice(0).includes('everything'));
      });
    t.ok(openFiles() <= openBefore, 'and closed when they are done');
  },
);

for (const first of ['asking', 'closing'] as const) {
  t.test(`a project is not opened anew while it is closed, ${first} first`, needsRoot(), async (t) => {
    const { folder, readOnly, rewrite } = seenTwoWays(t);
    const io = libraryIo({ folder, actor: undefined, session: undefined, onWarning: () => {} });
    const place = { docs: [], state: readOnly, config: undefined, json: undefined };
    const openBefore = openFiles();
    const door = new CommandDoor({ ...place, mayStart: false, allowWrites: false }, io);
    await door.open();
    rewrite('Other');
    const ask = () => t.rejects(door.open(), { message: 'the server has ended' });
    const steps = [ask, () => door.close()];
    await Promise.all((first === 'asking' ? steps : steps.reverse()).map((step) => step()));
    t.equal(openFiles(), openBefore);
  });
}

t.test('a project that cannot be served after all is closed again', needsRoot(), async (t) => {
  const { folder, readOnly } = seenTwoWays(t);
  const own = join(folder, 'own');
  mkdirSync(join(own, 'kgraphfs'), { recursive: true });
  writeFileSync(join(own, 'kgraphfs/config.json'), '{');
  const io = libraryIo({ folder, actor: undefined, session: undefined, onWarning: () => {} });
  const openBefore = openFiles();
  const mended = new AbortController();
  const variables = {
    // It was whole until the project was open.
    get XDG_CONFIG_HOME() {
      return !mended.signal.aborted && openFiles() > openBefore ? own : '/nowhere';
    },
  };
  const place = { docs: [], state: readOnly, config: undefined, json: undefined };
  const asked = { ...place, mayStart: false, allowWrites: undefined };
  const door = new CommandDoor(asked, { ...io, environment: { ...io.environment, variables } });
  t.teardown(() => door.close());
  await t.rejects(door.open(), { message: /config\.json:1:2: this is not JSON/ });
  t.equal(openFiles(), openBefore);
  mended.abort();
  t.equal((await door.open()).documents().length, FEW);
});

t.test('a program is told that what it reads was written to from elsewhere', needsRoot(), async (t) => {
  const { folder, readOnly, rewrite } = seenTwoWays(t);
  const context = await openContext({ folder, state: readOnly });
  t.match(await context.inspect('Thing1'), { node: 'Thing1' });
  await context.refresh();
  rewrite('Other');
  await t.rejects(context.refresh(), { message: /index\.sqlite: was written to from elsewhere/ });
  const here = await openContext({ folder });
  await here.refresh();
  await Promise.all([here.close(), context.close()]);
});

t.test('of two that read the same the other is told, too, when one was closed', needsRoot(), async (t) => {
  const { folder, readOnly, rewrite } = seenTwoWays(t);
  const one = await openContext({ folder, state: readOnly });
  const other = await openContext({ folder, state: readOnly });
  await one.close();
  rewrite('Other');
  await t.rejects(other.refresh(), { message: /index\.sqlite: was written to from elsewhere/ });
  await other.close();
});

t.test('what was noted for an opening that failed is forgotten', needsRoot(), async (t) => {
  const { folder, readOnly, rewrite } = seenTwoWays(t);
  const index = join(folder, '.kgraphfs/index.sqlite');
  const setVersion = (difference: number): void => {
    const database = new Sqlite(index);
    database.pragma(
      `user_version = ${Number(database.pragma('user_version', { simple: true })) + difference}`,
    );
    database.close();
  };
  setVersion(-1);
  await t.rejects(openContext({ folder, state: readOnly }), { message: /written by an older kgraphfs/ });
  setVersion(1);
  rewrite('Other');
  execFileSync('mount', ['-o', 'remount,bind,rw', readOnly]);
  const context = await openContext({ folder, state: readOnly });
  t.teardown(() => context.close());
  t.match(await context.inspect('Other1'), { node: 'Other1' });
  await context.refresh();
});
