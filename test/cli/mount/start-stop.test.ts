import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { stopProcess } from '../../support/stop-process.ts';
import { type Teardown, temporaryFolder } from '../../support/temporary.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';
import { runHere } from '../run-here.ts';
import { isRunning, mountPlace, until } from './mount-place.ts';

/** A project with a document, whose daemons are ended with the test. */
function project(t: Teardown): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '# Alpha\n\n[Beta](b.md)\n');
  writeFileSync(join(folder, 'docs/b.md'), '# Beta\n');
  t.teardown(() => runHere(['stop', '--force'], { cwd: folder }));
  return folder;
}

async function statusOf(folder: string) {
  return JSON.parse((await runHere(['status', '--json'], { cwd: folder })).out);
}

t.test('start runs a daemon that keeps the index, and stop ends it', async (t) => {
  const folder = project(t);
  const started = JSON.parse(kgraphfs(['start', '--wait', '--json'], { cwd: folder }).out);
  t.match(started, { state: 'ready', mountpoint: null, driver: null, documents: 2, mount: null });
  t.ok(isRunning(started.pid));
  writeFileSync(join(folder, 'docs/c.md'), '# Gamma\n');
  await until('the new document', async () => (await statusOf(folder)).documents === 3);
  await until('all to be read', async () => (await statusOf(folder)).indexing.pending === 0);
  t.match(await statusOf(folder), { pid: started.pid, documents: 3, errors: 0, last_errors: { length: 0 } });
  t.match(await statusOf(folder), { watcher: { alive: true }, indexing: { pending: 0, lag_ms: 0 } });
  t.match(await runHere(['query', 'Gamma'], { cwd: folder }), { status: 0 }, 'commands read what it keeps');

  t.match(await runHere(['start'], { cwd: folder }), {
    status: 0,
    out: `a daemon is already running, pid ${started.pid}\n`,
  });
  t.match(await runHere(['stop'], { cwd: folder }), { status: 0, out: `stopped, pid ${started.pid}\n` });
  t.notOk(isRunning(started.pid));
  t.same(readdirSync(join(folder, '.kgraphfs/daemons')), []);
  t.match(await runHere(['stop'], { cwd: folder }), { status: 0, out: 'no daemon is running\n' });
});

t.test('of several that start at once one runs, and the others say so', async (t) => {
  const folder = project(t);
  const children = [0, 1, 2].map(() => spawn(process.execPath, [MAIN, 'start'], { cwd: folder }));
  const ended = await Promise.all(
    children.map(async (child) => {
      const [out, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      return { status, out };
    }),
  );
  await until('it to have read all', async () => (await statusOf(folder)).state === 'ready');
  const { pid } = await statusOf(folder);
  t.match(await statusOf(folder), { mountpoint: null });
  t.same(
    ended.map(({ status }) => status),
    [0, 0, 0],
  );
  const told = ended.map(({ out }) => out.replace(/^started a daemon, pid (\d+): .*/s, 'started $1'));
  const others = `a daemon is already running, pid ${pid}\n`;
  t.same(told.sort(), [others, others, `started ${pid}`]);
});

t.test('a stopped project says what its state folder knows, with the fields of a running one', async (t) => {
  const folder = project(t);
  const running = JSON.parse(kgraphfs(['start', '--wait', '--json'], { cwd: folder }).out);
  t.equal((await runHere(['stop'], { cwd: folder })).status, 0);
  writeFileSync(join(folder, 'docs/bad.md'), '---\ntitle: [\n---\n# Bad\n');
  await runHere(['build'], { cwd: folder });
  const stopped = await statusOf(folder);
  t.same(Object.keys({ ...running, last_errors: [] }).sort(), Object.keys(stopped).sort());
  t.same(Object.keys(running.watcher).sort(), Object.keys(stopped.watcher).sort());
  t.same(Object.keys(running.indexing).sort(), Object.keys(stopped.indexing).sort());
  t.match(stopped, { state: 'stopped', documents: 3, errors: 1, watcher: { alive: false } });
  t.match(stopped.last_errors, [{ path: '/docs/bad.md' }]);
  t.match((await runHere(['status'], { cwd: folder })).out, /bad\.md:\d+: /, 'in words too');
});

t.test('a daemon that was killed is not counted as one', async (t) => {
  const folder = project(t);
  const { pid } = JSON.parse(kgraphfs(['start', '--wait', '--json'], { cwd: folder }).out);
  process.kill(pid, 'SIGKILL');
  await until('the daemon to be gone', () => !isRunning(pid));
  t.equal((await statusOf(folder)).state, 'stopped');
  t.same(readdirSync(join(folder, '.kgraphfs/daemons')), [], 'what it told is cleared away');
});

t.test('a daemon that no command can find ends by itself', async (t) => {
  const folder = project(t);
  const { pid } = JSON.parse(kgraphfs(['start', '--wait', '--json'], { cwd: folder }).out);
  t.teardown(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  rmSync(join(folder, '.kgraphfs'), { recursive: true });
  t.match(await runHere(['stop'], { cwd: folder }), { status: 0, out: 'no daemon is running\n' });
  await until('the daemon to be gone', () => !isRunning(pid));
  t.same(readdirSync(folder), ['docs'], 'and makes no state folder again');
});

t.test('a daemon that hangs is killed when that is asked for', async (t) => {
  const folder = project(t);
  const { pid } = JSON.parse(kgraphfs(['start', '--wait', '--json'], { cwd: folder }).out);
  stopProcess(pid);
  t.match(await runHere(['stop', '--force'], { cwd: folder }), { status: 0 });
  t.notOk(isRunning(pid));
});

t.test('a mount and a daemon without one share a state folder', needsFuse(), async (t) => {
  const { mountpoint, at } = mountPlace(t);
  t.teardown(() => runHere(['stop', ...at]));
  t.equal(kgraphfs(['start', ...at]).status, 0);
  t.equal(kgraphfs(['mount', mountpoint, ...at]).status, 0);
  const found: { mountpoint: string | null; mount: Record<string, number> | null }[] = JSON.parse(
    (await runHere(['status', '--json', ...at])).out,
  );
  t.same(new Set(found.map((one) => one.mountpoint)), new Set([null, mountpoint]));
  const mounted = found.find((one) => one.mountpoint === mountpoint)?.mount ?? {};
  for (const name of ['requests', 'pending', 'nodes', 'handles']) t.type(mounted[name], 'number', name);
  t.match(await runHere(['stop', '--all', ...at]), { status: 0, out: /^stopped, pid \d+, \d+\n/ });
  t.equal(JSON.parse((await runHere(['status', '--json', ...at])).out).state, 'stopped');
  t.equal(readFileSync('/proc/mounts', 'utf8').includes(mountpoint), false);
});
