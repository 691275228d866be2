import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { hookStates, uninstallHooks } from '../../src/hooks/install.ts';
import { GitSandbox } from '../git/sandbox.ts';
import { contentOf, install, repositoryOf } from './fixture.ts';

function executable(git: GitSandbox, path: string, text: string): void {
  git.write(path, text);
  chmodSync(join(git.folder, path), 0o755);
}

t.test('what is installed is taken out again, and the repository is as it was', async (t) => {
  const git = new GitSandbox(t);
  git.write('charges.md', '# Charge\n');
  git.commit('first');
  executable(git, '.git/hooks/pre-commit', '#!/usr/bin/env bash\nset -eu\necho mine >> ran\n');
  executable(git, '.git/hooks/post-commit', '#!/usr/bin/env python3\nopen("ran-python", "w")\n');
  git.write('.git/hooks/post-merge', '#!/bin/sh\necho no >> ran\n');
  git.write('scripts/rewrite', '#!/bin/sh\n');
  symlinkSync('../../scripts/rewrite', join(git.folder, '.git/hooks/post-rewrite'));
  const before = contentOf(join(git.folder, '.git'));
  const states = await install(git);
  t.ok(states.every(({ installed }) => installed));
  const installed = contentOf(join(git.folder, '.git'));
  await install(git);
  t.same(contentOf(join(git.folder, '.git')), installed, 'a second time changes nothing');
  t.notOk(
    readFileSync(join(git.folder, '.git/hooks/pre-commit'), 'utf8').includes(git.folder),
    'no hook names where the repository is',
  );
  git.write('refunds.md', '# Refund\n');
  git.commit('second');
  t.equal(readFileSync(join(git.folder, 'ran'), 'utf8'), 'mine\n', 'the hook that was there runs, once');
  t.ok(existsSync(join(git.folder, 'ran-python')), 'one in another language too');
  await uninstallHooks(repositoryOf(git));
  const hooks = (content: Map<string, string>) =>
    [...content].filter(([name]) => name.startsWith('hooks/') || name === 'config').sort();
  t.same(hooks(contentOf(join(git.folder, '.git'))), hooks(before));
  t.ok(hookStates(repositoryOf(git)).every(({ installed }) => !installed));
});

t.test('a link that came with a repository does not lead a hook elsewhere', async (t) => {
  const git = new GitSandbox(t);
  git.write('charges.md', '# Charge\n');
  git.write('elsewhere', 'kept');
  git.commit('first');
  for (const hook of ['pre-commit', 'post-merge'])
    symlinkSync('../../elsewhere', join(git.folder, `.git/hooks/${hook}.kgraphfs-new`));
  t.ok((await install(git)).every(({ installed }) => installed));
  t.equal(readFileSync(join(git.folder, 'elsewhere'), 'utf8'), 'kept');
  t.ok(lstatSync(join(git.folder, '.git/hooks/pre-commit')).isFile());
});

t.test(
  'a hook that may no longer be run, or became another language, comes back without what was ours in it',
  async (t) => {
    for (const edit of [
      (hook: string) => chmodSync(hook, 0o644),
      (hook: string) =>
        writeFileSync(hook, readFileSync(hook, 'utf8').replace('#!/bin/sh', '#!/usr/bin/env fish')),
    ]) {
      const git = new GitSandbox(t);
      git.write('charges.md', '# Charge\n');
      git.commit('first');
      executable(git, '.git/hooks/pre-commit', '#!/bin/sh\necho mine\n');
      const hook = join(git.folder, '.git/hooks/pre-commit');
      await install(git);
      edit(hook);
      const { mode } = lstatSync(hook);
      t.match((await install(git))[0], { hook: 'pre-commit', installed: true, chained: true });
      t.notMatch(readFileSync(`${hook}.before-kgraphfs`, 'utf8'), 'kgraphfs');
      await uninstallHooks(repositoryOf(git));
      t.match(readFileSync(hook, 'utf8'), /^#!.*\necho mine\n$/);
      t.equal(lstatSync(hook).mode, mode);
      t.ok(hookStates(repositoryOf(git)).every(({ installed }) => !installed));
    }
  },
);

const OF_PYTHON = '#!/usr/bin/env python3\nopen("ran-python", "w")\n';

/** A repository with a hook that is put aside, and what its hooks were before anything was installed. */
function withPythonHook(t: Test): { git: GitSandbox; hook: string; before: Map<string, string> } {
  const git = new GitSandbox(t);
  git.write('charges.md', '# Charge\n');
  git.commit('first');
  executable(git, '.git/hooks/pre-commit', OF_PYTHON);
  const before = contentOf(join(git.folder, '.git/hooks'));
  return { git, hook: join(git.folder, '.git/hooks/pre-commit'), before };
}

t.test('a hook that was put aside when an install was killed runs after the next one', async (t) => {
  const { git, hook, before } = withPythonHook(t);
  renameSync(hook, `${hook}.before-kgraphfs`);
  t.match((await install(git))[0], { hook: 'pre-commit', installed: true, chained: true });
  git.write('refunds.md', '# Refund\n');
  git.commit('second');
  t.ok(existsSync(join(git.folder, 'ran-python')));
  await uninstallHooks(repositoryOf(git));
  t.same(contentOf(join(git.folder, '.git/hooks')), before);
});

t.test('a hook that was put aside when an install was killed is put back by an uninstall', async (t) => {
  const { git, hook, before } = withPythonHook(t);
  renameSync(hook, `${hook}.before-kgraphfs`);
  await uninstallHooks(repositoryOf(git));
  t.same(contentOf(join(git.folder, '.git/hooks')), before);
});

t.test(
  'a hook of ours that goes on with no other is not said to, and another install mends that',
  async (t) => {
    const { git, hook } = withPythonHook(t);
    await install(git);
    const text = readFileSync(hook, 'utf8');
    writeFileSync(hook, text.replace(/^if .*before-kgraphfs.*\n/m, ''));
    t.match(hookStates(repositoryOf(git))[0], { installed: true, chained: false });
    t.match((await install(git))[0], { installed: true, chained: true });
    t.equal(readFileSync(hook, 'utf8'), text);
  },
);

t.test('a hook that is kept is not replaced by one that came after it', async (t) => {
  const { git, hook } = withPythonHook(t);
  await install(git);
  writeFileSync(hook, OF_PYTHON.replace('w', 'a'));
  const hooks = join(git.folder, '.git/hooks');
  const before = contentOf(hooks);
  await t.rejects(install(git), { message: /pre-commit\.before-kgraphfs: an earlier hook is kept there/ });
  t.same(contentOf(hooks), before);
  renameSync(`${hook}.before-kgraphfs`, join(git.folder, 'earlier'));
  t.match((await install(git))[0], { installed: true, chained: true });
  t.equal(readFileSync(join(git.folder, 'earlier'), 'utf8'), OF_PYTHON);
});

t.test('hooks go where the repository says that they are, for every work tree', async (t) => {
  const git = new GitSandbox(t);
  git.write('charges.md', '# Charge\n');
  git.commit('first');
  git.git('config', 'core.hooksPath', '.githooks');
  await install(git);
  t.same([...contentOf(join(git.folder, '.githooks')).keys()].sort(), [
    'post-checkout',
    'post-commit',
    'post-merge',
    'post-rewrite',
    'pre-commit',
  ]);
  await uninstallHooks(repositoryOf(git));
  t.notOk(existsSync(join(git.folder, '.githooks')), 'a folder that was not there is not left');
});

t.test("husky's hooks are those that a person writes, and need no first line", async (t) => {
  const git = new GitSandbox(t);
  mkdirSync(join(git.folder, '.husky/_'), { recursive: true });
  git.write('.husky/pre-commit', 'npm test\n');
  git.git('config', 'core.hooksPath', '.husky/_');
  const before = contentOf(join(git.folder, '.husky'));
  await install(git);
  const text = readFileSync(join(git.folder, '.husky/pre-commit'), 'utf8');
  t.match(text, /^# >>> kgraphfs >>>.*# <<< kgraphfs <<<\nnpm test\n$/s);
  await uninstallHooks(repositoryOf(git));
  t.same(contentOf(join(git.folder, '.husky')), before);
});
