import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../support/temporary.ts';
import { kgraphfs, MAIN } from './run-cli.ts';

/** A pid namespace of its own, as a container has. */
const UNSHARE = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc'];
const canUnshare = spawnSync('unshare', [...UNSHARE, 'true']).status === 0;

t.test(
  'a daemon that runs outside of a container is seen from within, and left alone',
  { skip: canUnshare ? false : 'no namespaces can be made here' },
  async (t) => {
    const cwd = temporaryFolder(t);
    mkdirSync(join(cwd, 'docs'));
    writeFileSync(join(cwd, 'docs/a.md'), '# A\n');
    t.teardown(() => kgraphfs(['stop', '--force'], { cwd }));
    t.equal(kgraphfs(['start', '--wait'], { cwd }).status, 0);
    const records = readdirSync(join(cwd, '.kgraphfs/daemons'));
    const within = (...args: string[]) => {
      const ran = spawnSync('unshare', [...UNSHARE, process.execPath, MAIN, ...args], {
        cwd,
        encoding: 'utf8',
      });
      return { status: ran.status, out: ran.stdout, err: ran.stderr };
    };
    t.match(within('status', '--json'), { status: 0, out: /"state": "ready"/ });
    t.match(within('stop'), { status: 1, err: /in another container \(pid \d+ there\).* ended there/ });
    t.match(within('wipe', '--all', '--yes'), {
      status: 1,
      err: /a daemon works in .* in another container/,
    });
    t.same(readdirSync(join(cwd, '.kgraphfs/daemons')), records);
    t.match(kgraphfs(['stop'], { cwd }), { status: 0, out: /^stopped, pid/ });
  },
);

t.test(
  'where no /proc is mounted that is said, with the way out',
  { skip: canUnshare ? false : 'no namespaces can be made here' },
  async (t) => {
    const cwd = temporaryFolder(t);
    writeFileSync(join(cwd, 'a.md'), '# A\n');
    const without = [
      '--user',
      '--map-root-user',
      '--mount',
      'sh',
      '-c',
      'mount -t tmpfs none /proc && exec "$@"',
      'sh',
    ];
    for (const command of ['build', 'stats', 'search', 'status']) {
      const args = [...without, process.execPath, MAIN, command, ...(command === 'search' ? ['a'] : [])];
      const { status, stderr } = spawnSync('unshare', args, { cwd, encoding: 'utf8' });
      t.match(
        { status, stderr },
        { status: 1, stderr: /^kgraphfs: \/proc is not mounted.* mount -t proc / },
        command,
      );
    }
  },
);
