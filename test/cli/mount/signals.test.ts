import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { onEachDriver } from '../../support/each-driver.ts';
import { stopProcess } from '../../support/stop-process.ts';
import { kgraphfs, MAIN } from '../run-cli.ts';
import {
  daemonOf,
  isRunning,
  mountedBelow,
  mountPlace,
  readThrough,
  unmountOutside,
  until,
} from './mount-place.ts';

const fuse = needsFuse();
const byRoot = process.getuid?.() === 0 ? fuse : { skip: 'only root may do this' };

/** Has a stopped daemon find two signals at once when it goes on. */
function signalTwice(pid: number): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGCONT'] as const) process.kill(pid, signal);
}

onEachDriver(
  'two signals take no mount away that another daemon made at the same point',
  fuse,
  async (t, driver) => {
    const { folder, mountpoint, at } = mountPlace(t, driver);
    kgraphfs(['mount', mountpoint, ...at]);
    const first = daemonOf(mountpoint);
    stopProcess(first);
    await unmountOutside(mountpoint);
    const second = [...at, '--state', join(folder, 'second')];
    t.equal(kgraphfs(['mount', mountpoint, ...second]).status, 0);
    signalTwice(first);
    await until('the first daemon to end', () => !isRunning(first));
    t.match(readThrough(join(mountpoint, 'docs/errors.md')), /Errors/);
    t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  },
);

onEachDriver('two signals leave alone what is mounted over a mount', byRoot, async (t, driver) => {
  const { mountpoint, at } = mountPlace(t, driver);
  kgraphfs(['mount', mountpoint, ...at]);
  const pid = daemonOf(mountpoint);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', mountpoint]);
  writeFileSync(join(mountpoint, 'mine'), 'kept');
  stopProcess(pid);
  signalTwice(pid);
  await until('the daemon to end', () => !isRunning(pid));
  t.equal(readFileSync(join(mountpoint, 'mine'), 'utf8'), 'kept');
});

t.test('two signals while a helper still mounts leave no mount behind', fuse, async (t) => {
  const { folder, mountpoint, at } = mountPlace(t, 'linux');
  const helpers = join(folder, 'helpers');
  const [begun, release] = [join(folder, 'begun'), join(folder, 'release')];
  const real = execFileSync('which', ['fusermount3'], { encoding: 'utf8' }).trim();
  mkdirSync(helpers);
  const script = `#!/bin/sh
[ "$1" != -o ] || { echo $$ > '${begun}.new'; mv '${begun}.new' '${begun}'; until [ -e '${release}' ]; do sleep 0.02; done; }
exec '${real}' "$@"
`;
  writeFileSync(join(helpers, 'fusermount3'), script, { mode: 0o755 });
  const child = spawn(process.execPath, [MAIN, 'mount', mountpoint, '--foreground', ...at], {
    env: { ...process.env, PATH: `${helpers}${delimiter}${process.env['PATH']}` },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await until('the helper to begin', () => existsSync(begun));
  const pid = child.pid ?? 0;
  stopProcess(pid);
  signalTwice(pid);
  await until('the signals to be taken', () => !hasPending(pid));
  writeFileSync(release, '');
  await ended;
  const helper = Number(readFileSync(begun, 'utf8'));
  await until('the helper to end', () => !isRunning(helper));
  t.same(mountedBelow(folder), []);
});

function hasPending(pid: number): boolean {
  return isRunning(pid) && /^(?:Sig|Shd)Pnd:\s*0*[1-9a-f]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
