import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { needsFuse } from '../../fuse/fuse-available.ts';
import { kgraphfs } from '../run-cli.ts';
import { daemonOf, isRunning, mountedBelow, mountPlace } from './mount-place.ts';

const fuse = needsFuse();
const byRoot = process.getuid?.() === 0 ? fuse : { skip: 'only root may do this' };

t.test('unmount of a bind mount of a mount takes that away alone', byRoot, async (t) => {
  const { folder, mountpoint, at } = mountPlace(t);
  kgraphfs(['mount', mountpoint, ...at]);
  const pid = daemonOf(mountpoint);
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  for (const part of ['', 'docs']) {
    execFileSync('mount', ['--bind', join(mountpoint, part), copy]);
    t.match(kgraphfs(['unmount', '--force', copy]), { status: 0, out: `unmounted ${copy}\n`, err: '' });
    t.same(mountedBelow(folder), [mountpoint]);
    t.equal(daemonOf(mountpoint), pid);
  }
  execFileSync('mount', ['--bind', mountpoint, copy]);
  t.equal(kgraphfs(['unmount', mountpoint]).status, 0);
  t.notOk(isRunning(pid), 'with its own mount the daemon ends');
});
