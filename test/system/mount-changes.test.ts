import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';

/** A table of mounts of its own, in which nobody else mounts anything meanwhile. */
const UNSHARE = ['--user', '--map-root-user', '--mount'];
const canUnshare = spawnSync('unshare', [...UNSHARE, 'true']).status === 0;
const program = fileURLToPath(new URL('mount-changes-program.js', import.meta.url));

t.test(
  'each mount and each unmount is told once to each who asks, and nothing else is',
  { skip: canUnshare ? false : 'no namespaces can be made here' },
  async (t) => {
    const args = [...UNSHARE, process.execPath, program, temporaryFolder(t)];
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    t.equal(stderr, '');
    t.same(JSON.parse(stdout), {
      before: [true, true, true],
      atFirst: [true, false, true],
      quiet: [false, false, false],
      mounted: [true, false, true],
      unmounted: [true, false, true],
      inThread: [true, true],
    });
  },
);
