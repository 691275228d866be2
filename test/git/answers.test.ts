import t from 'tap';
import { type BlobContent, readBlob, readBlobs } from '../../src/git/blobs.ts';
import { commitInfos, commitsBetween, commitsSince, findCommit, mergeBase } from '../../src/git/commits.ts';
import type { Repository } from '../../src/git/repository.ts';
import { GitFailure } from '../../src/git/run-git.ts';
import { diffCommits, listStaged, listTree, type TreeRoot } from '../../src/git/tree-files.ts';

const MIB = 1 << 20;
const COMMIT = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);

/** What Git would be asked and answers is said by the test. */
function repositoryOf(answer: (command: readonly string[], input: string) => string) {
  const asked: string[] = [];
  const repository: Repository = {
    ...{ topFolder: '/r', gitFolder: '/r/.git', commonFolder: '/r/.git', isShallow: false },
    run(command, { input = '' } = {}) {
      asked.push(`${command.join(' ')} ${input}`.trim().replaceAll('\n', ' '));
      return Buffer.from(answer(command, input));
    },
    configure: () => Buffer.from(''),
  };
  return { repository, asked };
}

function failing(said: string, isTooLong = false): never {
  throw new GitFailure('test', said, isTooLong);
}

function contents(repository: Repository, objects: string[], maxBytes: number) {
  const read: [string, BlobContent][] = [];
  for (const batch of readBlobs(repository, objects, maxBytes)) read.push(...batch);
  return read.map(([object, content]) => `${object} ${content}`);
}

t.test('blobs are read by their sizes, each once, and none that is larger than wanted', async (t) => {
  const { repository, asked } = repositoryOf(() => 'a1 blob 5\nab\ncd\na2 blob 0\n\na3 blob 6\nabcdef\n');
  t.same(contents(repository, ['a1', 'a2', 'a1', 'a3'], 5), ['a1 ab\ncd', 'a2 ', 'a3 oversize']);
  t.same(asked, ['cat-file --batch a1 a2 a3']);
  t.equal(String(readBlob(repository, 'a1', 5)), 'ab\ncd');
});

t.test('many blobs are read in batches', async (t) => {
  const sizes: number[] = [];
  const { repository } = repositoryOf((_command, input) => {
    sizes.push(input.split('\n').length - 1);
    return input.replaceAll('\n', ' blob 0\n\n');
  });
  const objects = Array.from({ length: 2050 }, (_, index) => `a${index}`);
  t.equal(contents(repository, objects, 5).length, 2050);
  t.same(sizes, [2048, 2]);
});

t.test(
  'where contents are large, sizes are asked first, and no more than fits is held at once',
  async (t) => {
    const sizes = { a1: 40 * MIB, a2: 24 * MIB, a3: 1, a4: 51 * MIB, a5: 50 * MIB, a6: 20 * MIB };
    const { repository, asked } = repositoryOf((command, input) => {
      if (asked.length === 1) failing('ENOBUFS', true);
      if (command.includes('--batch')) return input.replaceAll('\n', ' blob 1\nx\n');
      return Object.entries(sizes)
        .map(([object, size]) => `${object} ${size}\n`)
        .join('');
    });
    t.same(contents(repository, Object.keys(sizes), 50 * MIB), [
      'a1 x',
      'a2 x',
      'a3 x',
      'a5 x',
      'a4 oversize',
      'a6 x',
    ]);
    t.same(asked.slice(2), ['cat-file --batch a1 a2', 'cat-file --batch a3 a5', 'cat-file --batch a6']);
    const broken = repositoryOf(() => failing('fatal: bad object'));
    t.throws(() => contents(broken.repository, ['a1'], 5), { name: 'GitFailure', message: /bad object/ });
    t.equal(broken.asked.length, 1);
  },
);

t.test('an object that is not there is a failure, which says where a clone is a partial one', async (t) => {
  const lacking = (command: readonly string[], isPartial: boolean, line: string) => {
    if (command[0] !== 'config') return line;
    return isPartial ? 'remote.origin.promisor true\n' : failing('');
  };
  const whole = repositoryOf((command) => lacking(command, false, 'a1 missing\n'));
  t.throws(() => contents(whole.repository, ['a1'], 5), { message: /there is no object a1/ });
  const partial = repositoryOf((command) => lacking(command, true, 'a1 missing\n'));
  t.throws(() => contents(partial.repository, ['a1'], 5), { message: /this clone is a partial one/ });
  const large = repositoryOf((command) =>
    command.includes('--batch') ? failing('ENOBUFS', true) : lacking(command, false, 'a1 missing\n'),
  );
  t.throws(() => contents(large.repository, ['a1'], 5), { message: /there is no object a1/ });
});

t.test('commits are followed by first parents, as far as is wanted', async (t) => {
  const between = (limit: number, ...lines: string[]) =>
    commitsBetween(repositoryOf(() => `${lines.join('\n')}\n`).repository, 'c0', 'c2', limit);
  t.same(between(2, 'c2 c1 m1', 'c1 c0'), ['c1', 'c2']);
  t.equal(between(1, 'c2 c1 m1', 'c1 c0'), undefined, 'they are more than that');
  t.equal(between(2, 'c2 c1', 'c1 m0'), undefined, 'they come from elsewhere');
  t.equal(between(2, ''), undefined);
  const { repository, asked } = repositoryOf(() => '');
  commitsBetween(repository, 'c0', 'c2', 2);
  t.match(asked, [/ --max-count=3 c2 \^c0$/], 'one more says that there are more');
  const broken = repositoryOf(() => failing('bad revision')).repository;
  t.equal(commitsBetween(broken, 'c0', 'c2', 2), undefined);
  t.equal(mergeBase(broken, 'c0', 'c2'), undefined);
  t.equal(mergeBase(repositoryOf(() => '\n').repository, 'c0', 'c2'), undefined);
  t.equal(mergeBase(repositoryOf(() => 'c1\n').repository, 'c0', 'c2'), 'c1');
  t.same(commitsSince(repositoryOf(() => 'c1\nc2\n').repository, 'c0', 'c2'), ['c1', 'c2']);
  t.same(commitsSince(repositoryOf(() => '').repository, 'c0', 'c2'), []);
  const bug = repositoryOf(() => {
    throw new RangeError('a bug');
  }).repository;
  t.throws(() => commitsBetween(bug, 'c0', 'c2', 2), RangeError);
  t.throws(() => mergeBase(bug, 'c0', 'c2'), RangeError);
  t.throws(() => findCommit(bug, 'HEAD'), RangeError);
});

t.test('a commit is its whole name, and what is said of it is one line', async (t) => {
  const said = `commit ${COMMIT}\n${COMMIT} 1700000000 one: two  three\ncommit ${OTHER}\n${OTHER} 1700000001 \n`;
  const { repository, asked } = repositoryOf(() => said);
  t.same(commitInfos(repository, [COMMIT, OTHER]), [
    { commit: COMMIT, committedMs: 1_700_000_000_000, subject: 'one: two  three' },
    { commit: OTHER, committedMs: 1_700_000_001_000, subject: '' },
  ]);
  asked.length = 0;
  t.same(commitInfos(repository, []), []);
  for (const revision of ['', 'a\0b', 'a\nb']) t.equal(findCommit(repository, revision), undefined);
  t.same(asked, [], 'nobody is asked');
  t.equal(findCommit(repositoryOf(() => `${COMMIT}\n`).repository, 'HEAD'), COMMIT);
  t.equal(findCommit(repositoryOf(() => `${COMMIT}\n${OTHER}\n`).repository, 'HEAD'), undefined);
});

function docsOf(roots: readonly TreeRoot[], ...fields: string[]) {
  const { repository, asked } = repositoryOf(() => fields.map((field) => `${field}\0`).join(''));
  return { docs: { repository, roots, elsewhere: [] }, asked };
}

const WHOLE = [{ name: '', prefix: '' }];

t.test('a path is that of the innermost root, and none where it is in no root', async (t) => {
  const paths = ['docs/a.md', 'docs/api/b.md', 'docs2/c.md', 'd.md'];
  const fields = paths.map((path) => `100644 blob ${COMMIT}\t${path}`);
  const listed = (roots: readonly TreeRoot[]) => {
    const { docs, asked } = docsOf(roots, ...fields);
    return [listTree(docs, 'HEAD').map(({ path }) => path), asked[0]?.split('HEAD')[1]?.trim()];
  };
  t.same(listed(WHOLE), [paths, '']);
  t.same(listed([{ name: '', prefix: 'docs' }]), [['a.md', 'api/b.md'], 'docs/']);
  for (const roots of [
    [
      { name: 'outer', prefix: 'docs' },
      { name: 'inner', prefix: 'docs/api' },
    ],
    [
      { name: 'inner', prefix: 'docs/api' },
      { name: 'outer', prefix: 'docs' },
    ],
  ])
    t.same(listed(roots)[0], ['outer/a.md', 'inner/b.md']);
});

t.test('of a file in conflict nothing is staged yet', async (t) => {
  const staged = [0, 1, 2, 3].map((stage) => `100644 ${COMMIT} ${stage}\t${stage}.md`);
  t.same(listStaged(docsOf(WHOLE, ...staged).docs), [{ path: '0.md', object: COMMIT, mode: '100644' }]);
});

t.test('what changed between commits is told as the docs see it', async (t) => {
  const roots = [{ name: '', prefix: 'docs' }];
  const raw = (status: string) => `:100644 100755 ${COMMIT} ${OTHER} ${status}`;
  const changes = (...fields: string[]) => diffCommits(docsOf(roots, ...fields).docs, 'c0', 'c1');
  const file = (path: string) => ({ path, object: OTHER, mode: '100755' });
  t.same(changes(raw('A'), 'docs/a', raw('M'), 'docs/m', raw('D'), 'docs/d', raw('U'), 'docs/u'), [
    { path: 'a', file: file('a'), was: false },
    { path: 'm', file: file('m'), was: true },
    { path: 'd', file: undefined, was: true },
  ]);
  t.same(changes(raw('R090'), 'docs/a', 'docs/b', raw('M'), 'docs/m'), [
    { path: 'a', file: undefined, was: true },
    { path: 'b', file: file('b'), was: false, renamedFrom: 'a' },
    { path: 'm', file: file('m'), was: true },
  ]);
  t.same(changes(raw('C090'), 'docs/a', 'docs/b'), [{ path: 'b', file: file('b'), was: false }]);
  t.same(changes(raw('R090'), 'a', 'docs/b'), [{ path: 'b', file: file('b'), was: false }]);
  t.same(changes(raw('R090'), 'docs/a', 'b'), [{ path: 'a', file: undefined, was: true }]);
  const { docs, asked } = docsOf(WHOLE);
  t.same(diffCommits(docs, 'c0', 'c1'), []);
  t.match(asked, [/ c0 c1$/], 'all paths are asked for');
  t.same(changes(raw('M'), 'm', raw('M'), 'docs'), [], 'what lies elsewhere');
  t.throws(() => changes('warning: what is this?'), { message: /no change: warning/ });
});
