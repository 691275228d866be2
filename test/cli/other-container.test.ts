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
