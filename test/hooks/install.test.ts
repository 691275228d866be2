import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
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
  const states = install(git);
  t.ok(states.every(({ installed }) => installed));
  const installed = contentOf(join(git.folder, '.git'));
  install(git);
  t.same(contentOf(join(git.folder, '.git')), installed, 'a second time changes nothing');
  t.notOk(
    readFileSync(join(git.folder, '.git/hooks/pre-commit'), 'utf8').includes(git.folder),
    'no hook names where the repository is',
  );
  git.write('refunds.md', '# Refund\n');
  git.commit('second');
  t.equal(readFileSync(join(git.folder, 'ran'), 'utf8'), 'mine\n', 'the hook that was there runs, once');
  t.ok(existsSync(join(git.folder, 'ran-python')), 'one in another language too');
  uninstallHooks(repositoryOf(git));
  const hooks = (content: Map<string, string>) =>
    [...content].filter(([name]) => name.startsWith('hooks/') || name === 'config').sort();
  t.same(hooks(contentOf(join(git.folder, '.git'))), hooks(before));
  t.ok(hookStates(repositoryOf(git)).every(({ installed }) => !installed));
});

t.test('hooks go where the repository says that they are, for every work tree', async (t) => {
  const git = new GitSandbox(t);
  git.write('charges.md', '# Charge\n');
  git.commit('first');
  git.git('config', 'core.hooksPath', '.githooks');
  install(git);
  t.same([...contentOf(join(git.folder, '.githooks')).keys()].sort(), [
    'post-checkout',
    'post-commit',
    'post-merge',
    'post-rewrite',
    'pre-commit',
  ]);
  uninstallHooks(repositoryOf(git));
  t.notOk(existsSync(join(git.folder, '.githooks')), 'a folder that was not there is not left');
});

t.test("husky's hooks are those that a person writes, and need no first line", async (t) => {
  const git = new GitSandbox(t);
  mkdirSync(join(git.folder, '.husky/_'), { recursive: true });
  git.write('.husky/pre-commit', 'npm test\n');
  git.git('config', 'core.hooksPath', '.husky/_');
  const before = contentOf(join(git.folder, '.husky'));
  install(git);
  const text = readFileSync(join(git.folder, '.husky/pre-commit'), 'utf8');
  t.match(text, /^# >>> kgraphfs >>>.*# <<< kgraphfs <<<\nnpm test\n$/s);
  uninstallHooks(repositoryOf(git));
  t.same(contentOf(join(git.folder, '.husky')), before);
});
