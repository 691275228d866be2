import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { docsInGit, docsInGitIfAny } from '../../src/commit-graph/docs-in-git.ts';
import { readBlob } from '../../src/git/blobs.ts';
import { commitInfos, findCommit, headCommit } from '../../src/git/commits.ts';
import { findRepository } from '../../src/git/repository.ts';
import { diffCommits, diffStaged, emptyTree, listStaged, listTree } from '../../src/git/tree-files.ts';
import { openCommits } from '../commit-graph/fixture.ts';
import { oneFolder } from '../support/one-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { GitSandbox } from './sandbox.ts';

function docsAt({ folder, variables }: GitSandbox, path = '') {
  return docsInGit(oneFolder(join(folder, path)), { variables, workingFolder: folder });
}

t.test('a docs root may be a folder of a repository, a work tree or a submodule', async (t) => {
  const git = new GitSandbox(t);
  git.write('docs/été "x".md', '# A\n');
  git.write('docs/b\tc.md', '# B\n');
  git.write('other.md', '# Other\n');
  const first = git.commit('first');
  const docs = docsAt(git, 'docs');
  t.same(
    listTree(docs, first).map(({ path }) => path),
    ['b\tc.md', 'été "x".md'],
  );
  const tree = `${git.folder}-tree`;
  git.git('worktree', 'add', '-q', '--detach', tree);
  t.teardown(() => git.attempt('worktree', 'remove', '--force', tree));
  const { repository } = docsInGit(oneFolder(join(tree, 'docs')), {
    variables: git.variables,
    workingFolder: '/',
  });
  t.not(repository.gitFolder, repository.commonFolder);
  t.equal(headCommit(repository)?.commit, first);
  const outer = new GitSandbox(t);
  outer.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', git.folder, 'sub');
  outer.git('commit', '-q', '-m', 'outer');
  const inner = docsInGit(oneFolder(join(outer.folder, 'sub/docs')), {
    variables: {
      ...outer.variables,
      GIT_DIR: '.git',
      GIT_INDEX_FILE: join(outer.folder, '.git/index'),
    },
    workingFolder: outer.folder,
  });
  t.equal(headCommit(inner.repository)?.subject, 'first', 'variables of the outer one mean the outer one');
  t.equal(listStaged(inner).length, 2);
});

t.test('where there is no repository, or no commit, that is no failure', async (t) => {
  const folder = temporaryFolder(t);
  const git = new GitSandbox(t);
  t.equal(docsInGitIfAny(oneFolder(folder), { variables: git.variables, workingFolder: folder }), undefined);
  t.throws(() => docsInGit(oneFolder(folder), { variables: git.variables, workingFolder: folder }), {
    message: /git init/,
  });
  t.throws(() => findRepository(folder, { variables: { PATH: '/nowhere' }, workingFolder: folder }), {
    message: /there is no git/,
  });
  const docs = docsAt(git);
  t.equal(headCommit(docs.repository), undefined);
  t.equal(findCommit(docs.repository, 'HEAD'), undefined);
  git.write('a.md', '# A\n');
  git.git('add', 'a.md');
  t.match(diffStaged(docs, emptyTree(docs.repository)), [{ path: 'a.md', was: false }]);
  rmSync(join(git.folder, '.git'), { recursive: true });
  t.throws(() => findCommit(docs.repository, 'HEAD'), {
    name: 'GitFailure',
    message: /not a git repository/,
  });
});

t.test('a repository that git cannot read is not told as none, with what git says', async (t) => {
  const git = new GitSandbox(t);
  git.git('config', 'core.repositoryFormatVersion', '1');
  git.git('config', 'extensions.ofTheFuture', 'true');
  t.throws(() => docsAt(git), { message: /git refuses this repository, and says: .*ofthefuture/is });
  git.write('.git/config', '[core\n');
  t.throws(() => docsAt(git), { message: /git refuses this repository, and says: .*bad config line \d/s });
  const moved = new GitSandbox(t);
  moved.write('tree/.git', 'gitdir: /nowhere\n');
  t.throws(() => docsAt(moved, 'tree'), { message: /and says: .*not a git repository: \/nowhere/s });
});

t.test('a revision is never an option, and a name of no commit is none', async (t) => {
  const git = new GitSandbox(t);
  git.write('a.md', '# A\n');
  const first = git.commit('first');
  const { repository } = docsAt(git);
  for (const revision of ['--all', '-h', 'HEAD:a.md', 'nope', '', 'HEAD\n', '--output=x']) {
    t.equal(findCommit(repository, revision), undefined, revision);
  }
  for (const revision of ['HEAD', 'main', first.slice(0, 8), 'HEAD^0', '@']) {
    t.equal(findCommit(repository, revision), first, revision);
  }
});

t.test('the configuration of a repository has nothing run', async (t) => {
  const git = new GitSandbox(t);
  const { first, second, trap } = git.trapped();
  const { store, graph } = openCommits(git, 'commits.sqlite');
  const docs = docsAt(git);
  const [changed] = diffCommits(docs, first, second);
  t.equal(String(readBlob(docs.repository, changed?.file?.object ?? '', 1000)), '# A changed\n');
  graph.bringTo(second, first);
  t.equal(commitInfos(docs.repository, [second])[0]?.subject, 'second');
  store.close();
  t.notOk(existsSync(trap));
});

t.test('a commit shows what the docs would show: ignore files, dot folders, links, sizes', async (t) => {
  const git = new GitSandbox(t);
  for (const path of ['shown.md', 'ignored.md', '.dot/hidden.md', 'sub/kept.md', 'sub/left.md', 'large.md']) {
    git.write(path, `# ${path.replace(/\W/g, '')}\n${path === 'large.md' ? 'x'.repeat(9 << 20) : ''}\n`);
  }
  git.write('.gitignore', 'ignored.md\nsub/*\n!sub/kept.md\n');
  symlinkSync('shown.md', join(git.folder, 'link.md'));
  mkdirSync(join(git.folder, 'empty'));
  git.git('add', '-f', '-A');
  git.git('commit', '-q', '-m', 'first');
  const { store, graph } = openCommits(git, 'commits.sqlite');
  graph.bringTo(git.git('rev-parse', 'HEAD'));
  t.same(
    store.graph.documents.all().map(({ path }) => path),
    ['shown.md', 'sub/kept.md'],
  );
  git.remove('.gitignore');
  graph.bringTo(git.commit('second'));
  t.same(
    store.graph.documents.all().map(({ path }) => path),
    ['ignored.md', 'shown.md', 'sub/kept.md', 'sub/left.md'],
  );
  store.close();
});
