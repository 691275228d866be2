import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { runGit } from '../../src/git/run-git.ts';
import { GitSandbox } from './sandbox.ts';

t.test('no transport is used, whatever a repository allows', async (t) => {
  const git = new GitSandbox(t);
  const trace = join(git.folder, 'was-run');
  git.git('config', 'protocol.ext.allow', 'always');
  const asked = ['ls-remote', `ext::touch ${trace}`];
  t.not(git.attempt(...asked).status, 0);
  t.ok(existsSync(trace), 'Git itself runs what is allowed');
  git.git('config', 'protocol.allow', 'always');
  const other = join(git.folder, 'was-run-here');
  const call = { folder: git.folder, variables: { ...git.variables, GIT_ALLOW_PROTOCOL: 'ext' } };
  t.throws(() => runGit({ ...call, arguments: ['ls-remote', `ext::touch ${other}`] }), {
    name: 'GitFailure',
    message: /not allowed/,
  });
  t.notOk(existsSync(other));
});
