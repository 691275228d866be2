import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { parsePath } from '../../src/core/paths.ts';
import { GitSandbox } from '../git/sandbox.ts';
import { openModules } from './opened.ts';

function opened(t: Test, git: GitSandbox, docs = git.folder) {
  const tree = openModules(t, { modules: { git: { module: 'git' } }, docs });
  return { ...tree, link: async (path: string) => tree.fs.readLink(parsePath(path), {}) };
}

t.test(
  'the history of the docs is files: log, branches, tags, commits with message, stat, diff and files',
  async (t) => {
    const git = new GitSandbox(t);
    git.write('docs/charges.md', '# Charge\n\nA Charge belongs to a Customer.\n');
    git.write('src/x.txt', 'code\n');
    const first = git.commit('first');
    git.git('branch', 'feature/x');
    git.git('tag', '-a', 'v1', '-m', 'one');
    git.write('docs/charges.md', '# Charge\n\nA Charge belongs to an Account.\n');
    const second = git.commit('second: accounts');
    const { read, ls, link, reported } = opened(t, git, join(git.folder, 'docs'));
    t.same(await ls('/git'), ['HEAD', 'README.md', 'blame', 'branches', 'commits', 'log', 'tags']);
    t.match((await read('/git/log')).split('\n'), [
      /^\w{7,}\s+\d{4}-\d\d-\d\d\s+Ana\s+second: accounts \(HEAD -> main\)$/,
      /first/,
    ]);
    t.equal(await link('/git/HEAD'), `commits/${second}`);
    t.same(await ls('/git/branches'), ['feature%2Fx', 'main']);
    t.equal(await link('/git/branches/feature%2Fx'), `../commits/${first}`);
    t.equal(await link('/git/tags/v1'), `../commits/${first}`);
    t.same((await ls('/git/commits')).toSorted(), [first, second].sort());
    t.equal(await link('/git/commits/HEAD~1'), first, 'any revision leads to its commit');
    t.same(await ls(`/git/commits/${second}`), ['diff', 'message', 'stat']);
    t.match(await read(`/git/commits/${second}/message`), /Author: +Ana[\s\S]*second: accounts/);
    t.match(await read(`/git/commits/${second}/stat`), /docs\/charges\.md \| 2 \+-/);
    t.match(
      await read(`/git/commits/${second}/diff`),
      /^-A Charge belongs to a Customer\.\n\+A Charge belongs to an Account\./m,
    );
    t.match(await read(`/git/commits/${first}/diff`), /^\+code/m, 'the first commit is all new');
    t.same(await ls(`/git/commits/${first}/files`), ['docs', 'src']);
    t.match(await read(`/git/commits/${first}/files/docs/charges.md`), /belongs to a Customer/);
    t.match(await read('/git/commits/HEAD~1/files/src/x.txt'), 'code\n');
    for (const path of [
      '/git/commits/nope',
      '/git/commits/--all',
      '/git/commits/.git',
      `/git/commits/${first}/files/x`,
    ]) {
      await t.rejects(read(path), { code: 'ENOENT' }, path);
    }
    t.same(reported, []);
  },
);

t.test(
  'blame says of a document, by its path in the docs, who wrote each line, and of a line why',
  async (t) => {
    const git = new GitSandbox(t);
    git.write('docs/sub/a.md', 'one\ntwo\n');
    const first = git.commit('first');
    git.write('docs/sub/a.md', 'one\nzwei\n');
    const second = git.commit('in German');
    const { read, ls } = opened(t, git, join(git.folder, 'docs'));
    t.same((await read('/git/blame/sub/a.md')).split('\n'), [
      `${first.slice(0, 10)}  2023-11-14  Ana                   1  one`,
      `${second.slice(0, 10)}  2023-11-14  Ana                   2  zwei`,
      '',
    ]);
    t.equal(
      await read('/git/blame/sub/a.md:2'),
      `sub/a.md:2: zwei\ncommit ${second}\nauthor Ana <ana@example.org>\ndate 2023-11-14\n\n    in German\n`,
    );
    t.match(await read('/git/blame/docs/sub/a.md:1'), new RegExp(first), 'paths of the repository do, too');
    t.same(await ls('/git/blame/sub'), [], 'looked up, not listed');
    await t.rejects(read('/git/blame/sub/a.md:99'), { code: 'ENOENT' });
    await t.rejects(read('/git/blame/sub/a.md:0'), { code: 'ENOENT' }, 'lines count from 1');
    await t.rejects(read('/git/blame/sub/b.md:1'), { code: 'ENOENT' });
  },
);

t.test(
  'a repository without commits has no history, and a folder without a repository says so',
  async (t) => {
    const git = new GitSandbox(t);
    const empty = opened(t, git);
    t.same(await empty.ls('/git'), ['README.md', 'blame', 'branches', 'commits', 'log', 'tags']);
    t.equal(await empty.read('/git/log'), '');
    t.same(await empty.ls('/git/commits'), []);
    const none = openModules(t, { modules: { git: { module: 'git' } } });
    await t.rejects(none.ls('/git'), { code: 'EIO' });
    t.match(none.reported[0]?.message, /the docs are in no repository/);
  },
);

t.test('nothing that the configuration of the repository names is run', async (t) => {
  const git = new GitSandbox(t);
  const { first, second, trap } = git.trapped();
  git.git('config', 'diff.orderFile', '/dev/zero');
  const { read } = opened(t, git);
  for (const path of ['log', `commits/${second}/diff`, `commits/${second}/stat`, `commits/${first}/diff`]) {
    t.not(await read(`/git/${path}`), '', path);
  }
  t.match(await read(`/git/commits/${second}/message`), /second/);
  t.match(await read(`/git/commits/${second}/files/a.md`), '# A changed\n');
  t.match(await read('/git/blame/a.md'), /# A changed/);
  t.match(await read('/git/blame/a.md:1'), /# A changed/);
  git.git('config', 'blame.ignoreRevsFile', '/dev/zero');
  await t.rejects(read('/git/blame/.gitattributes'), { code: 'EACCES' }, 'a file without end is not read');
  t.notOk(existsSync(trap));
});

t.test('in a partial clone names are listed, and what is not all there says what gets it', async (t) => {
  const origin = new GitSandbox(t);
  origin.git('config', 'uploadpack.allowFilter', 'true');
  origin.write('a.md', 'one\ntwo\n');
  const first = origin.commit('first');
  origin.write('a.md', 'one\nzwei\n');
  origin.commit('in German');
  const git = new GitSandbox(t);
  git.git('remote', 'add', 'origin', `file://${origin.folder}`);
  git.git('fetch', '-q', '--filter=blob:none', 'origin', 'main');
  git.git('reset', '-q', '--hard', 'FETCH_HEAD');
  const { read, ls, reported } = opened(t, git);
  t.same(await ls(`/git/commits/${first}/files`), ['a.md']);
  t.equal(await read('/git/commits/HEAD/files/a.md'), 'one\nzwei\n');
  const incomplete = [`commits/${first}/files/a.md`, 'commits/HEAD/diff', 'blame/a.md'];
  for (const path of incomplete) await t.rejects(read(`/git/${path}`), { code: 'EIO' }, path);
  t.same(
    reported.map(({ message }) => /partial one.*"git fetch --refetch --no-filter"/.test(message)),
    incomplete.map(() => true),
  );
  git.git('fetch', '-q', '--refetch', '--no-filter', 'origin', 'main');
  t.match(await read('/git/blame/a.md'), /1 {2}one\n.*2 {2}zwei\n/);
});
