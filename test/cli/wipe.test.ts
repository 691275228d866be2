import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t from 'tap';
import { runCommandLine } from '../../src/cli/run.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { registerDaemon } from '../../src/state/daemons.ts';
import { withDaemonsLocked } from '../../src/state/daemons-lock.ts';
import { stateFolderAt } from '../../src/state/state-folder.ts';
import { toWipe, wipe } from '../../src/state/wipe.ts';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';
import { memoryOutput } from './memory-output.ts';
import { kgraphfs } from './run-cli.ts';
import { runHere } from './run-here.ts';

/** A project that is built, with a memory. */
async function project(t: Teardown): Promise<string> {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '# A\n');
  await runHere(['build'], { cwd: folder });
  await runHere(['vfs', 'write', '/context/memory/fact/a', 'kept'], { cwd: folder });
  return folder;
}

t.test('the index goes, memory and docs stay', async (t) => {
  const cwd = await project(t);
  t.match(await runHere(['wipe', '--yes'], { cwd }), { status: 0, out: /index\.sqlite/ });
  t.same(
    readdirSync(join(cwd, '.kgraphfs')).filter((name) => name.startsWith('index')),
    [],
  );
  t.equal((await runHere(['vfs', 'read', '/context/memory/fact/a'], { cwd })).out, 'kept\n');
  t.match(await runHere(['query', 'A'], { cwd }), { status: 0 }, 'the index is made again');
});

t.test('memory goes when that is said', async (t) => {
  const cwd = await project(t);
  t.match(await runHere(['wipe', '--memory', '--yes'], { cwd }), { status: 0, out: /context\.sqlite/ });
  t.ok(existsSync(join(cwd, '.kgraphfs/index.sqlite')));
  t.match(await runHere(['vfs', 'read', '/context/memory/fact/a'], { cwd }), { status: 1 });
});

t.test('all that is ours goes, with the folder; what is not ours stays', async (t) => {
  const cwd = await project(t);
  const state = join(cwd, '.kgraphfs');
  writeFileSync(join(state, 'mine.txt'), 'mine');
  writeFileSync(join(state, 'mine.sqlite'), 'mine');
  mkdirSync(join(state, 'daemons'), { recursive: true });
  writeFileSync(join(state, 'daemons/mine'), 'mine');
  t.match(await runHere(['wipe', '--all', '--yes'], { cwd }), { status: 0 });
  t.same(
    readdirSync(state)
      .filter((name) => name !== '.gitignore')
      .sort(),
    ['daemons', 'mine.sqlite', 'mine.txt'],
  );
  const other = await project(t);
  t.match(await runHere(['wipe', '--all', '-y'], { cwd: other }), { status: 0 });
  t.notOk(existsSync(join(other, '.kgraphfs')));
  t.match(await runHere(['wipe', '--all', '-y'], { cwd: other }), {
    status: 0,
    out: 'there is nothing to remove\n',
  });
});

t.test('nobody to ask means no, and what would be lost is named', async (t) => {
  const cwd = await project(t);
  t.match(await runHere(['wipe', '--all'], { cwd }), {
    status: 2,
    err: /1 memory, .*cannot be made again; there is no terminal to ask on, so confirm with --yes/,
  });
  t.ok(existsSync(join(cwd, '.kgraphfs/index.sqlite')));
});

t.test('links lead nowhere out of the state folder', async (t) => {
  const cwd = await project(t);
  const outside = join(cwd, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'file'), 'kept');
  writeFileSync(join(outside, '1.json'), 'kept');
  const state = join(cwd, '.kgraphfs');
  const scratchpads = join(state, 'scratchpads');
  mkdirSync(scratchpads, { recursive: true });
  symlinkSync(outside, join(scratchpads, 'link'));
  symlinkSync(join(outside, 'file'), join(state, 'daemon.log.1'));
  t.match(await runHere(['wipe', '--all', '--yes'], { cwd }), { status: 0 });
  t.equal(readFileSync(join(outside, 'file'), 'utf8'), 'kept');
  t.notOk(existsSync(scratchpads));

  const linked = join(cwd, 'linked');
  symlinkSync(outside, linked);
  t.match(await runHere(['wipe', '--all', '--yes', '--state', 'linked'], { cwd }), {
    status: 1,
    err: /is not a folder/,
  });
  t.same(readdirSync(outside).sort(), ['1.json', 'file']);
  t.match(await runHere(['wipe', '--all', '--yes', '--state', 'outside'], { cwd }), {
    status: 1,
    err: /there are other things in this folder/,
  });
  t.same(readdirSync(outside).sort(), ['1.json', 'file'], 'a folder that is none of ours loses nothing');
});

t.test('while a daemon runs nothing is removed', async (t) => {
  const cwd = await project(t);
  t.teardown(() => kgraphfs(['stop', '--force'], { cwd }));
  t.equal(kgraphfs(['start', '--wait'], { cwd }).status, 0);
  t.match(await runHere(['wipe', '--yes'], { cwd }), {
    status: 1,
    err: /a daemon works in .*kgraphfs stop --all/,
  });
  t.ok(existsSync(join(cwd, '.kgraphfs/index.sqlite')));
});

t.test('a daemon that begins while somebody thinks about the answer keeps its files', async (t) => {
  const cwd = await project(t);
  const state = stateFolderAt(join(cwd, '.kgraphfs'));
  const before = toWipe(state, { index: true, memory: true });
  async function* answer() {
    t.teardown(registerDaemon(state, { mountpoint: null, docs: join(cwd, 'docs') }));
    yield Buffer.from('y\n');
  }
  const [out, err] = [memoryOutput(), memoryOutput(80)];
  const status = await runCommandLine(['wipe', '--all'], {
    out,
    err,
    input: Object.assign(Readable.from(answer()), { isTTY: true }),
    workingFolder: () => cwd,
    debug: true,
    environment: readEnvironment({ XDG_CONFIG_HOME: '/nowhere' }),
  });
  t.match(err.text(), /Remove that\?.*a daemon works in .*kgraphfs stop --all/s);
  t.equal(status, 1);
  const after = toWipe(state, { index: true, memory: true });
  t.same(
    before.filter((name) => !after.includes(name)),
    [],
  );
});

t.test('who wipes waits for a daemon that begins just now, and sees it', async (t) => {
  const cwd = await project(t);
  const state = stateFolderAt(join(cwd, '.kgraphfs'));
  const begun = await withDaemonsLocked(state, () => {
    const wiped = wipe(state, ['index.sqlite']);
    t.teardown(registerDaemon(state, { mountpoint: null, docs: join(cwd, 'docs') }));
    return { wiped };
  });
  await t.rejects(begun.wiped, { message: /a daemon works in/ });
  t.ok(existsSync(state.indexFile));
});

t.test('who waits to begin where all is wiped begins in a new folder', async (t) => {
  const cwd = await project(t);
  const state = stateFolderAt(join(cwd, '.kgraphfs'));
  let beginning: Promise<boolean> | undefined;
  await withDaemonsLocked(state, () => {
    beginning = withDaemonsLocked(state, () => existsSync(state.daemonsLock));
    rmSync(state.path, { recursive: true });
  });
  t.ok(await beginning, 'the lock that it has is that of the folder that is there');
});

t.test('a disk that takes no more files is made room on', needsRootToMount, async (t) => {
  const cwd = temporaryFolder(t);
  const disk = diskInMemory(t, 'size=20m,nr_inodes=40');
  writeFileSync(join(cwd, 'a.md'), '# A\n');
  const at = ['--docs', cwd, '--state', join(disk, 'state')];
  await runHere(['build', ...at], { cwd });
  t.notOk(existsSync(join(disk, 'state/daemons.lock')));
  t.throws(
    () => {
      for (let number = 0; ; number += 1) writeFileSync(join(disk, `file${number}`), '');
    },
    { code: 'ENOSPC' },
  );
  const { status, err } = await runHere(['wipe', '--all', '--yes', ...at], { cwd });
  t.match({ status, err }, { status: 0, err: '' });
  t.notOk(existsSync(join(disk, 'state')));
});
