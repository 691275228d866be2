import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { writeCorpus } from '../../../scripts/corpus.ts';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { stopProcess } from '../../support/stop-process.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';
import { runHere } from '../run-here.ts';
import {
  daemonOf,
  isRunning,
  mountedBelow,
  mountPlace,
  readThrough,
  unmountOutside,
  until,
  workIn,
} from './mount-place.ts';

const fuse = needsFuse();

t.test('a mount in use is not taken away, unless by force', fuse, async (t) => {
  const { folder, mountpoint, at } = mountPlace(t);
  kgraphfs(['mount', mountpoint, ...at]);
  const pid = daemonOf(mountpoint);
  workIn(t, join(mountpoint, 'graph'));
  const busy = kgraphfs(['unmount', mountpoint], { cwd: folder });
  t.equal(busy.status, 3);
  t.match(
    busy.err,
    /\/ctx is busy, in use by\n {2}\d+ sleep 120\nunmount again once they have ended, or use --force\n$/,
  );
  t.ok(isRunning(pid));
  t.equal(kgraphfs(['unmount', '--force', mountpoint]).status, 0);
  t.same(mountedBelow(folder), []);
  t.notOk(isRunning(pid));
});

t.test('stop --all ends a mount that has another one in it', fuse, async (t) => {
  const { folder, mountpoint, at } = mountPlace(t);
  const inner = join(mountpoint, 'context/scratchpad');
  for (const point of [mountpoint, inner]) t.equal(kgraphfs(['mount', point, ...at]).status, 0);
  t.match(
    (await runHere(['stop', ...at])).out,
    new RegExp(`are those of the mounts at (${mountpoint}|${inner}), `),
  );
  t.match(await runHere(['stop', '--all', ...at]), { status: 0, out: /^stopped, pid \d+, \d+\n$/ });
  t.same(mountedBelow(folder), []);
});

t.test('a daemon whose state folder was moved or removed is still found', fuse, async (t) => {
  const { folder, mountpoint, state, at } = mountPlace(t);
  kgraphfs(['mount', mountpoint, '--wait', ...at]);
  const pid = daemonOf(mountpoint);
  const served = { status: 0, out: new RegExp(`^state +ready\n(.*\n)?daemon +pid ${pid},`) };
  const moved = join(folder, 'moved');
  renameSync(state, moved);
  t.match(await runHere(['status', ...at, '--state', moved]), served);
  rmSync(moved, { recursive: true });
  t.match(await runHere(['status', ...at]), served);
  t.match(
    (await runHere(['stop', ...at])).out,
    /^the only daemon running is that of the mount at .*\/ctx; end it with/,
  );
  t.ok(isRunning(pid));
  t.match(await runHere(['stop', '--all', ...at]), { status: 0, out: `stopped, pid ${pid}\n` });
  t.notOk(isRunning(pid));
  t.same(mountedBelow(folder), []);
  t.match((await runHere(['status', ...at])).out, /^state +stopped/);
});

t.test(
  'daemons that were killed leave dead mounts, which are told, taken over and cleared away',
  fuse,
  async (t) => {
    const { folder, mountpoint, at } = mountPlace(t);
    const other = join(folder, 'other');
    const mount = (point: string): number => {
      t.equal(kgraphfs(['mount', point, ...at]).status, 0);
      return daemonOf(point);
    };
    const kill = async (pid: number) => {
      process.kill(pid, 'SIGKILL');
      await until('the daemon to be gone', () => !isRunning(pid));
    };
    await kill(mount(mountpoint));
    t.match(await runHere(['status', mountpoint]), { status: 3, out: /^state +dead: / });
    t.match(await runHere(['status', ...at]), {
      status: 3,
      out: `dead: its daemon ended without unmounting; mount takes it over, kgraphfs unmount ${mountpoint} clears it away`,
    });
    mount(other);
    t.match(JSON.parse((await runHere(['status', '--json', ...at])).out), [
      { mountpoint: other, state: /ready|indexing/ },
      { mountpoint, state: 'dead' },
    ]);
    const clearedBy = `kgraphfs unmount ${mountpoint}, or stop --all, clears it away\n`;
    t.match((await runHere(['stop', ...at])).out, clearedBy);
    t.match(await runHere(['stop', '--all', ...at]), {
      status: 0,
      out: /^stopped, pid \d+\nremoved the dead mount at \S+\/ctx\n$/,
    });
    t.same(mountedBelow(folder), []);
    t.match((await runHere(['stop', ...at])).out, /^no daemon is running\n$/);

    const killed = [mount(other), mount(mountpoint)];
    for (const pid of killed) await kill(pid);
    t.match(kgraphfs(['unmount', other]), { status: 0, out: `unmounted ${other}\n` });
    t.same(mountedBelow(folder), [mountpoint]);
    const next = mount(mountpoint);
    t.notOk(killed.includes(next));
    t.match(kgraphfs(['check', ...at]), { status: 0 }, 'nothing is left of the one before');
    t.match(readThrough(join(mountpoint, 'graph/nodes/Charge')), /"entity": "Charge"/);
    const status = JSON.parse((await runHere(['status', '--json', ...at])).out);
    t.match(status, { mountpoint }, 'one that was taken over is none');
    await kill(next);
    t.match((await runHere(['wipe', '--yes', ...at])).out, `removed the dead mount at ${mountpoint}\n`);
    t.same(mountedBelow(folder), []);
  },
);

t.test(
  'a daemon that hangs holds up neither status nor a second mount, and unmount says so',
  fuse,
  async (t) => {
    const { mountpoint, at } = mountPlace(t);
    kgraphfs(['mount', mountpoint, ...at]);
    const pid = daemonOf(mountpoint);
    stopProcess(pid);
    const startMs = performance.now();
    const [status, second] = await Promise.all([
      runHere(['status', mountpoint]),
      runHere(['mount', mountpoint, ...at]),
    ]);
    t.ok(performance.now() - startMs < 6000, 'what is asked of it is asked at once, for 3 s');
    t.match(status, { status: 3, out: /^state +silent: / });
    t.match(second, { status: 3, err: /already mounted at .*, and does not answer/ });
    const { ended } = await readerThatWaits(mountpoint);
    t.match(kgraphfs(['unmount', mountpoint]), {
      status: 3,
      err: /does not answer, .*unmount --force removes it/,
    });
    process.kill(pid, 'SIGCONT');
    await ended;
    t.match(kgraphfs(['unmount', mountpoint]), { status: 0, err: '' });
    await until('the daemon to end', () => !isRunning(pid));
  },
);

/** Others may do so where FUSE has its control files. */
const byRoot = process.getuid?.() === 0 ? fuse : { skip: 'only root may do this everywhere' };

t.test('unmount --force frees who waits for a daemon that hangs', byRoot, async (t) => {
  const { folder, mountpoint, at } = mountPlace(t);
  kgraphfs(['mount', mountpoint, ...at]);
  const pid = daemonOf(mountpoint);
  stopProcess(pid);
  const { waiting, ended } = await readerThatWaits(mountpoint);
  t.match(kgraphfs(['unmount', '--force', mountpoint]), {
    status: 0,
    err: /did not answer and may still run/,
  });
  await ended;
  t.not(waiting.exitCode, 0, 'it was told of an error');
  t.same(mountedBelow(folder), []);
  process.kill(pid, 'SIGCONT');
  await until('the daemon to end', () => !isRunning(pid));
});

t.test('a signal to stop unmounts', fuse, async (t) => {
  const { folder, at } = mountPlace(t);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const point = join(folder, signal);
    kgraphfs(['mount', point, ...at]);
    const pid = daemonOf(point);
    process.kill(pid, signal);
    await until(`the daemon to end after ${signal}`, () => !isRunning(pid));
    t.same(mountedBelow(folder), [], signal);
  }
});

onEachDriver(
  'in the foreground mount serves until it is signalled, and says the same',
  fuse,
  async (t, driver) => {
    const { folder, mountpoint, at } = mountPlace(t, driver);
    const child = spawn(process.execPath, [MAIN, 'mount', mountpoint, '--foreground', ...at]);
    t.match(await firstLine(child), /^mounted .*\/ctx: \d+ documents, /);
    t.match(readThrough(join(mountpoint, 'graph/nodes/Charge')), /"entity": "Charge"/);
    child.kill('SIGINT');
    const [status] = await once(child, 'exit');
    t.equal(status, 0);
    t.same(mountedBelow(folder), []);
  },
);

t.test(
  'a mount in the foreground serves whether its line can be written or not, until an unmount from outside',
  fuse,
  async (t) => {
    const { folder, mountpoint, at } = mountPlace(t);
    const full = openSync('/dev/full', 'w');
    t.teardown(() => closeSync(full));
    const child = spawn(process.execPath, [MAIN, 'mount', mountpoint, '--foreground', ...at], {
      stdio: ['ignore', full, 'pipe'],
    });
    if (child.stderr === null) throw new Error('what this process complains of is not read');
    const [said] = await once(child.stderr, 'data');
    t.equal(String(said), 'kgraphfs: cannot write to standard output: no space left on device\n');
    t.match(readThrough(join(mountpoint, 'graph/nodes/Charge')), /"entity": "Charge"/);
    const ended = once(child, 'exit');
    await unmountOutside(mountpoint);
    t.equal((await ended)[0], 0);
    t.same(mountedBelow(folder), []);
  },
);

t.test('a mount that is interrupted while it waits leaves nothing behind', fuse, async (t) => {
  const { folder, mountpoint, state } = mountPlace(t);
  const docs = join(folder, 'docs');
  writeCorpus(docs, 500);
  const place = ['--docs', docs, '--state', state];
  const child = spawn(process.execPath, [MAIN, 'mount', mountpoint, '--wait', ...place]);
  await until('the mount', () => mountedBelow(folder).length > 0);
  child.kill('SIGINT');
  const [status] = await once(child, 'exit');
  t.equal(status, 130);
  t.same(mountedBelow(folder), []);
});

/** A program that waits for the daemon, which hangs: it sleeps as nothing but an answer makes it go on. */
async function readerThatWaits(mountpoint: string) {
  const waiting = spawn('cat', [join(mountpoint, 'docs/subscriptions/create.md')], { stdio: 'ignore' });
  const ended = once(waiting, 'close');
  const status = `/proc/${waiting.pid}/status`;
  await until('a reader to wait', () => /^State:\s+S/m.test(readFileSync(status, 'utf8')));
  return { waiting, ended };
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('the output of this process is not read');
  const [chunk] = await once(child.stdout, 'data');
  return String(chunk);
}
