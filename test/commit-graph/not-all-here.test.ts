import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { GitSandbox } from '../git/sandbox.ts';
import { openCommits } from './fixture.ts';

function opened(t: Test, git: GitSandbox) {
  const commits = openCommits(git, 'commits.sqlite');
  t.teardown(() => commits.store.close());
  return commits.graph;
}

/** Commits these texts of one document, one after the other. */
function commitEach(git: GitSandbox, texts: readonly string[]): string {
  for (const text of texts) {
    git.write('charges.md', `# Charge\n\nA **Charge** belongs to a **${text}**.\n`);
    git.commit(text);
  }
  return git.git('rev-parse', 'HEAD');
}

t.test(
  'in a partial clone the present commit is recorded without those on the way that are not all there',
  async (t) => {
    const origin = new GitSandbox(t);
    origin.git('config', 'uploadpack.allowFilter', 'true');
    const first = commitEach(origin, ['Customer']);
    const git = new GitSandbox(t);
    git.git('remote', 'add', 'origin', `file://${origin.folder}`);
    const pull = () => {
      git.git('fetch', '-q', '--filter=blob:none', 'origin', 'main');
      git.git('reset', '-q', '--hard', 'FETCH_HEAD');
    };
    pull();
    const graph = opened(t, git);
    graph.bringTo(first);
    const last = commitEach(origin, ['Payout', 'Refund', 'Balance']);
    pull();
    t.same(graph.bringTo(last).recorded, [last]);
    t.same(
      graph.log().map(({ subject }) => subject),
      ['Balance', 'Customer'],
    );
    const wayOut = { name: 'GitFailure', message: /partial.*"git fetch --refetch --no-filter"/ };
    t.throws(() => graph.diff(graph.commitOf('HEAD~1'), last), wayOut);
    t.throws(() => graph.bringTo(last, first), wayOut, 'each was asked for');
    t.same(graph.bringTo(last).commit.commit, last, 'and nothing is spoilt');
    git.git('fetch', '-q', '--refetch', '--no-filter', 'origin', 'main');
    t.equal(graph.bringTo(last, first).recorded.length, 2);
    t.ok(graph.at(graph.commitOf('HEAD~1')).node('Refund'));
  },
);

t.test('a commit is not recorded without a document that the repository has lost', async (t) => {
  const git = new GitSandbox(t);
  const commit = commitEach(git, ['Customer']);
  const object = git.git('rev-parse', 'HEAD:charges.md');
  const file = join(git.folder, '.git/objects', object.slice(0, 2), object.slice(2));
  rmSync(file);
  const graph = opened(t, git);
  t.throws(() => graph.bringTo(commit), { name: 'GitFailure', message: new RegExp(`${object}.*git fsck`) });
  t.notOk(graph.isRecorded(commit));
  git.git('hash-object', '-w', 'charges.md');
  t.same(graph.bringTo(commit).recorded, [commit]);
  t.ok(graph.at(commit).node('Customer'));
});

t.test('a commit that the repository has lost is not taken for none', async (t) => {
  const git = new GitSandbox(t);
  const graph = opened(t, git);
  t.throws(() => graph.commitOf('HEAD'), { message: 'there is no commit yet: commit the docs first' });
  const commit = commitEach(git, ['Customer']);
  t.equal(graph.commitOf('HEAD'), commit);
  rmSync(join(git.folder, '.git/objects', commit.slice(0, 2), commit.slice(2)));
  t.throws(() => graph.commitOf('HEAD'), {
    name: 'GitFailure',
    message: new RegExp(`there is no object ${commit}.*git fsck`),
  });
});

t.test(
  'a past commit can be asked for where the one that was synced last has been cleared away',
  async (t) => {
    const git = new GitSandbox(t);
    const last = commitEach(git, ['Customer', 'Payout']);
    const graph = opened(t, git);
    graph.bringTo(last);
    git.git('commit', '-q', '--amend', '-m', 'amended');
    git.git('reflog', 'expire', '--expire=now', '--all');
    git.git('gc', '-q', '--prune=now');
    t.throws(() => git.git('cat-file', '-e', last), 'the commit is gone');
    t.ok(graph.at(graph.commitOf('HEAD~1')).node('Customer'));
  },
);
