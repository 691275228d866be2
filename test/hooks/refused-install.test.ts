import fs, { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { hookStates, uninstallHooks } from '../../src/hooks/install.ts';
import { MAIN } from '../cli/run-cli.ts';
import { outcome } from '../durability/small-disk.ts';
import { GitSandbox } from '../git/sandbox.ts';
import { failingDisk } from '../support/failing-disk.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { contentOf, install, repositoryOf } from './fixture.ts';

const OF_PYTHON = '#!/usr/bin/env python3\nopen("ran-python", "w")\n';

function repository(t: Test): { git: GitSandbox; hooks: string } {
  const git = new GitSandbox(t);
  git.write('charges.md', '# Charge\n');
  git.commit('first');
  const hooks = join(git.folder, '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, 'post-commit'), OF_PYTHON);
  chmodSync(join(hooks, 'post-commit'), 0o755);
  return { git, hooks };
}

t.test(
  'hooks that are installed stay where the disk takes no new ones, and nothing else is left',
  async (t) => {
    const { git, hooks } = repository(t);
    await install(git);
    const before = contentOf(hooks);
    const command = [process.execPath, MAIN, 'hooks', 'install', '--docs', git.folder];
    const state = join(temporaryFolder(t), 'state');
    // No file may have any byte, as on a full disk.
    const said = await outcome('ulimit -f 0; "$@"', ...command, '--state', state);
    t.match(said, /^failed: kgraphfs: .*hooks: the hooks cannot be written: EFBIG/);
    t.same(contentOf(hooks), before);
  },
);

t.test('where one hook cannot be written, none is added', async (t) => {
  const { git, hooks } = repository(t);
  mkdirSync(join(hooks, 'post-rewrite.kgraphfs-new'));
  const before = contentOf(hooks);
  await t.rejects(install(git), /hooks: the hooks cannot be written: E/);
  t.same(contentOf(hooks), before);
  t.equal(readFileSync(join(hooks, 'post-commit'), 'utf8'), OF_PYTHON);
});

t.test('a hook that cannot be put in its place is not left beside it', async (t) => {
  const { git, hooks } = repository(t);
  const before = contentOf(hooks);
  const { renameSync } = fs;
  t.teardown(() => {
    Object.assign(fs, { renameSync });
    syncBuiltinESMExports();
  });
  fs.renameSync = (from, to) => {
    if (!String(from).endsWith('.kgraphfs-new')) return renameSync(from, to);
    const refusal = { code: 'EIO', errno: -5, syscall: 'rename' };
    throw Object.assign(new Error('EIO: i/o error, rename'), refusal);
  };
  syncBuiltinESMExports();
  await t.rejects(install(git), /hooks: the hooks cannot be written: EIO/);
  t.same(contentOf(hooks), before);
});

t.test('a hook that the disk fails to read is not taken for a program of another language', async (t) => {
  const { git, hooks } = repository(t);
  const disk = failingDisk(t);
  await install(git);
  const before = contentOf(hooks);
  disk.failAt(join(hooks, 'pre-commit'));
  await t.rejects(install(git), /hooks: the hooks cannot be written: EIO/);
  await t.rejects(uninstallHooks(repositoryOf(git)), /hooks: the hooks cannot be written: EIO/);
  t.throws(() => hookStates(repositoryOf(git)), /hooks: the hooks cannot be read: EIO/);
  disk.failAt();
  t.same(contentOf(hooks), before);
});
