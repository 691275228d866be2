import t from 'tap';
import { byVersion, pageVersionOf, versionsNamedIn } from '../../src/retrieval/page-versions.ts';

const VERSIONS: readonly (readonly [path: string, page: string, order: readonly number[], docs?: string])[] =
  [
    ['/docs/5.1/jobs.md', '/docs/jobs.md', [5, 1]],
    ['/docs/v2/jobs.md', '/docs/jobs.md', [2]],
    ['/docs/api/v1_3/jobs.md', '/docs/api/jobs.md', [1, 3]],
    ['/docs/2.x/jobs.md', '/docs/jobs.md', [2]],
    ['/docs/release-1.20/jobs.md', '/docs/jobs.md', [1, 20]],
    ['/docs/v1.2.3.4/jobs.md', '/docs/jobs.md', [1, 2, 3, 4]],
    ['/docs/latest/jobs.md', '/docs/jobs.md', [Number.POSITIVE_INFINITY]],
    ['/docs/next/jobs.md', '/docs/jobs.md', [Number.NEGATIVE_INFINITY]],
    ['/docs/versioned_docs/version-3.0.x/jobs.md', '/docs/docs/jobs.md', [3, 0], '/docs/docs'],
    ['/docs/v1.20-docs/jobs.md', '/docs/docs/jobs.md', [1, 20], '/docs/docs'],
    ['/docs/docs/jobs.md', '/docs/docs/jobs.md', [Number.POSITIVE_INFINITY]],
  ];

t.test('which version of which page a document is', (t) => {
  for (const [path, page, order, besideNewest] of VERSIONS) {
    const version = pageVersionOf(path);
    t.match(version, { page, order }, path);
    if (besideNewest !== undefined) t.match(version, { docs: besideNewest, isBesideNewest: true }, path);
  }
  t.end();
});

t.test('what only looks like a version is a folder', (t) => {
  const folders = [
    '1',
    '01-start',
    'v',
    'version',
    '127.0.0.1',
    '2031-04',
    '2031-04-05',
    '20310401',
    'nextjs',
    'v8-engine',
    '1.5-upgrade',
  ];
  for (const folder of folders) {
    const path = `/docs/${folder}/jobs.md`;
    t.equal(pageVersionOf(path).page, path);
  }
  t.equal(pageVersionOf('/docs/jobs/v2').page, '/docs/jobs/v2', 'nor is a file');
  t.end();
});

t.test('the newest is what is out, then the greatest number, then what is to come', (t) => {
  const folders = ['next', '1.2', 'latest', '1.10', '1.2.1', '0.9'];
  const sorted = folders
    .map((folder) => ({ folder, ...pageVersionOf(`/docs/${folder}/jobs.md`) }))
    .sort(byVersion)
    .map(({ folder }) => folder);
  t.strictSame(sorted, ['latest', '1.10', '1.2.1', '1.2', '0.9', 'next']);
  t.end();
});

t.test('a question names versions by a mark, or by more than one number', (t) => {
  const folders = ['v1_3', '2.x', '3.0', '3.1', '5.1', '10.x', 'latest', 'next'];
  const namedIn = (question: string) => {
    const isNamed = versionsNamedIn(question);
    return folders.filter((folder) => isNamed(pageVersionOf(`/docs/${folder}/jobs.md`)));
  };
  t.strictSame(namedIn('jobs in 5.1'), ['5.1']);
  t.strictSame(namedIn('jobs in 1.3'), ['v1_3'], 'however the folder writes it');
  t.strictSame(namedIn('does v2 or version 3 of the API retry?'), ['2.x', '3.0', '3.1']);
  t.strictSame(namedIn('jobs since 5.1.4, or version 10.2'), ['5.1', '10.x']);
  t.strictSame(namedIn('two of 12 jobs failed 3 times, by sha256, at a.5.1'), []);
  t.strictSame(namedIn('1-3 jobs of 2.5 seconds at host 10.0.0.1'), []);
  t.end();
});
