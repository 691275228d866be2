import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { COMMANDS } from '../../src/cli/registry.ts';
import { needsFuse } from '../fuse/fuse-available.ts';
import { mountPlace } from './mount/mount-place.ts';
import { MAIN } from './run-cli.ts';

t.test('the example of each command works in a clone, in the order of the help', needsFuse(), async (t) => {
  const { folder: home } = mountPlace(t);
  const clone = join(home, 'clone');
  cpSync('docs/sample', join(clone, 'docs/sample'), { recursive: true });
  const program = join(home, 'bin/kgraphfs');
  mkdirSync(join(home, 'bin'));
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`);
  chmodSync(program, 0o755);
  const env = { ...process.env, HOME: home, PATH: `${join(home, 'bin')}:${process.env['PATH']}` };
  for (const { example } of COMMANDS) {
    const { status, stdout, stderr } = spawnSync('bash', ['-c', example], {
      cwd: clone,
      env,
      encoding: 'utf8',
    });
    t.equal(status, 0, example);
    t.equal(stderr, '');
    t.ok(stdout.length > 0);
  }
});
