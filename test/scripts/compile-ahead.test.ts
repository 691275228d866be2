import { spawnSync } from 'node:child_process';
import t from 'tap';

t.test('a folder for temporary files that is not there is named, and nothing else is said', (t) => {
  const run = ['scripts/bundling/compile-ahead.mjs'];
  const env = { ...process.env, TMPDIR: '/nonexistent/folder' };
  const { status, stdout, stderr } = spawnSync(process.execPath, run, { env, encoding: 'utf8' });
  t.equal(status, 1);
  t.equal(stdout, '');
  t.equal(
    stderr,
    'build: no folder can be made in /nonexistent/folder (ENOENT): set TMPDIR to one that can be written to\n',
  );
  t.end();
});
