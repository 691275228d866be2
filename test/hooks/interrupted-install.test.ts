import fs, { chmodSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { hookStates, uninstallHooks } from '../../src/hooks/install.ts';
import { tryLock } from '../../src/system/file-lock.ts';
import { GitSandbox } from '../git/sandbox.ts';
import { contentOf, install, repositoryOf } from './fixture.ts';

const OF_PYTHON = '#!/usr/bin/env python3\nopen("ran-python", "w")\n';
const OF_SHELL = '#!/bin/sh\necho mine\n';

interface Hooks {
  readonly git: GitSandbox;
  readonly folder: string;
}

/** A repository with a hook in a language that we cannot add to, and one in the shell. */
function withHooks(t: Test): Hooks {
  const git = new GitSandbox(t);
  git.write('charges.md', '# Charge\n');
  git.commit('first');
  const folder = join(git.folder, '.git/hooks');
  mkdirSync(folder, { recursive: true });
  writeExecutable(join(folder, 'pre-commit'), OF_PYTHON);
  writeExecutable(join(folder, 'post-merge'), OF_SHELL);
  return { git, folder };
}

function writeExecutable(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

const CHANGING = ['linkSync', 'renameSync', 'unlinkSync', 'writeFileSync', 'chmodSync'] as const;

/**
 * Has the changes of the disk from one on fail, the first being 0.
 * @param isKilled whether all that come after it fail too, and the error has no code, as nothing is done after a process was killed
 * @returns ends that, and says whether there were so many changes
 */
function failFrom(t: Test, at: number, isKilled: boolean): () => boolean {
  const real = { ...fs };
  let count = 0;
  for (const name of CHANGING) {
    const failing = new Proxy(real[name], {
      apply(change, self, args) {
        const isFailing = isKilled ? count >= at : count === at;
        count += 1;
        if (!isFailing) return Reflect.apply(change, self, args);
        const refusal = { code: 'EIO', errno: -5, syscall: name };
        throw isKilled ? new Error('killed') : Object.assign(new Error(`EIO: i/o error, ${name}`), refusal);
      },
    });
    Object.assign(fs, { [name]: failing });
  }
  const end = () => {
    for (const name of CHANGING) Object.assign(fs, { [name]: real[name] });
    syncBuiltinESMExports();
    return count > at;
  };
  syncBuiltinESMExports();
  t.teardown(end);
  return end;
}

t.test(
  'wherever an install is killed, each hook runs, and the next command ends what it began',
  async (t) => {
    for (const next of ['install', 'uninstall'] as const) {
      for (let at = 0, isKilled = true; isKilled; at += 1) {
        const { git, folder } = withHooks(t);
        const before = contentOf(folder);
        const end = failFrom(t, at, true);
        await install(git).catch((error: unknown) => t.match(error, { message: /killed/ }));
        isKilled = end();
        const hook = readFileSync(join(folder, 'pre-commit'), 'utf8');
        const isOwn = hook === OF_PYTHON;
        const kept = isOwn || readFileSync(join(folder, 'pre-commit.before-kgraphfs'), 'utf8') === OF_PYTHON;
        t.ok(kept, `${at}: the hook is there`);
        t.match(readFileSync(join(folder, 'post-merge'), 'utf8'), /^#!\/bin\/sh\n.*echo mine\n$/s);
        if (next === 'install') {
          const states = await install(git);
          t.match(states[0], { installed: true, chained: true }, `${at}: it runs after ours`);
          t.ok(states.every(({ installed }) => installed));
        }
        await uninstallHooks(repositoryOf(git));
        t.same(withoutNew(contentOf(folder)), before, `${at}: ${next}`);
      }
    }
  },
);

/** What is not renamed yet is replaced by the next install. */
function withoutNew(content: Map<string, string>): Map<string, string> {
  return new Map([...content].filter(([name]) => !name.endsWith('.kgraphfs-new')));
}

t.test('whichever change the disk refuses, all is as it was', async (t) => {
  for (let at = 0, isRefused = true; isRefused; at += 1) {
    const { git, folder } = withHooks(t);
    const before = contentOf(folder);
    const end = failFrom(t, at, false);
    const outcome = await install(git).catch(String);
    isRefused = end();
    if (typeof outcome !== 'string') continue;
    t.match(outcome, /hooks: the hooks cannot be written: EIO/);
    t.same(contentOf(folder), before, `${at}`);
  }
});

t.test(
  'a hook that is ours and became another language stays ours whichever change the disk refuses',
  async (t) => {
    for (let at = 0, isRefused = true; isRefused; at += 1) {
      const { git, folder } = withHooks(t);
      await install(git);
      const hook = join(folder, 'post-merge');
      writeFileSync(hook, readFileSync(hook, 'utf8').replace('#!/bin/sh', '#!/usr/bin/env fish'));
      const end = failFrom(t, at, false);
      await install(git).catch((error: unknown) => t.match(error, { message: /cannot be written: EIO/ }));
      isRefused = end();
      t.ok(
        hookStates(repositoryOf(git)).every(({ installed }) => installed),
        `${at}: all are installed`,
      );
      await uninstallHooks(repositoryOf(git));
      t.equal(readFileSync(hook, 'utf8'), '#!/usr/bin/env fish\necho mine\n', `${at}`);
    }
  },
);

t.test('a hook is kept on a disk without second names too', async (t) => {
  const { git, folder } = withHooks(t);
  const before = contentOf(folder);
  const { linkSync } = fs;
  t.teardown(() => {
    fs.linkSync = linkSync;
    syncBuiltinESMExports();
  });
  fs.linkSync = () => {
    const refusal = { code: 'EPERM', errno: -1, syscall: 'link' };
    throw Object.assign(new Error('EPERM: operation not permitted, link'), refusal);
  };
  syncBuiltinESMExports();
  t.match((await install(git))[0], { installed: true, chained: true });
  t.equal(readFileSync(join(folder, 'pre-commit.before-kgraphfs'), 'utf8'), OF_PYTHON);
  await uninstallHooks(repositoryOf(git));
  t.same(contentOf(folder), before);
});

t.test('one who installs waits until another one who does is done', async (t) => {
  const { git, folder } = withHooks(t);
  const before = contentOf(folder);
  const descriptor = openSync(folder, 'r');
  t.equal(tryLock(descriptor, 'alone'), 'taken');
  const installing = install(git);
  const uninstalling = installing.then(() => uninstallHooks(repositoryOf(git)));
  t.same(contentOf(folder), before);
  closeSync(descriptor);
  t.ok((await installing).every(({ installed }) => installed));
  await uninstalling;
  t.same(contentOf(folder), before);
});
