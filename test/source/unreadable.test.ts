import { spawnSync } from 'node:child_process';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { openFixture } from './docs-fixture.ts';

const program = fileURLToPath(new URL('unreadable-program.js', import.meta.url));

/**
 * Root reads everything. Without these two capabilities it is a user like any other, who can still read this build.
 * (Changing the user id instead, without executing a program, would close /proc/self/fd to the process.)
 */
const WITHOUT_RIGHTS = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'];
const prefix = process.getuid?.() === 0 ? WITHOUT_RIGHTS : [];
const canDrop = prefix.length === 0 || spawnSync('setpriv', [...prefix.slice(1), 'true']).status === 0;
const skip = canDrop ? false : 'root cannot give up its rights here (setpriv failed)';

t.test('what this user may not read is reported, and the rest goes on', { skip }, async (t) => {
  const { folder } = openFixture(t, {
    'a.md': '',
    'closed/x.md': '',
    'locked/x.md': '',
    'secret.md': '',
    'rules/.gitignore': 'x.md',
    'rules/x.md': '',
    'z.md': '',
  });
  symlinkSync('closed/x.md', join(folder, 'link.md'));
  chmodSync(join(folder, 'locked'), 0o311);
  chmodSync(join(folder, 'closed'), 0o644);
  chmodSync(join(folder, 'secret.md'), 0o000);
  chmodSync(join(folder, 'rules/.gitignore'), 0o000);
  t.teardown(() => {
    for (const name of ['locked', 'closed']) chmodSync(join(folder, name), 0o755);
  });
  const [command = '', ...args] = [...prefix, process.execPath, program, folder];
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  t.equal(stderr, '');
  t.match(JSON.parse(stdout), {
    listed: ['a.md', 'closed', 'link.md', 'locked', 'rules', 'secret.md', 'z.md'],
    scanned: ['a.md', 'rules/.gitignore', 'rules/x.md', 'secret.md', 'z.md'],
    problems: ['unreadable closed', 'unreadable locked', 'ignore-file rules/.gitignore'],
    refusals: {
      list: /^EACCES: locked: /,
      open: /^EACCES: secret\.md: /,
      below: /^EACCES: closed\/x\.md: /,
      root: /locked cannot be read by this user$/,
    },
  });
});
