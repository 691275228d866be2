import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { openDocsRoot } from '../../src/source/docs-root.ts';
import { scan } from '../../src/source/scan.ts';
import { failingDisk } from '../support/failing-disk.ts';
import { leaseOn } from '../support/lease.ts';
import { type Fixture, listed, openFixture, sorted, untilSettled, writeFiles } from './docs-fixture.ts';

const filesOf = ({ root }: Fixture) => [...scan(root)].map(({ path }) => path);

t.test(
  'patterns are relative to the folder of their file, and an inner file has the last word',
  async (t) => {
    const fixture = openFixture(t, {
      '.gitignore': '*.log\n/only-top.md\nbuild/\nlogs/\n',
      'only-top.md': '',
      'x.log': '',
      'a/only-top.md': '',
      'a/.gitignore': '!keep.log\n!build/\n/anchored.md\nsub/*.md\n',
      'a/keep.log': '',
      'a/x.log': '',
      'a/build/x.md': '',
      'a/build/x.log': '',
      'a/anchored.md': '',
      'a/sub/hidden.md': '',
      'a/sub/anchored.md.txt': '',
      'a/sub/deep/anchored.md': '',
      'b/build/x.md': '',
      'logs/.gitignore': '!*',
      'logs/x.md': '',
    });
    t.same(filesOf(fixture), [
      '.gitignore',
      'a/.gitignore',
      'a/build/x.md',
      'a/keep.log',
      'a/only-top.md',
      'a/sub/anchored.md.txt',
      'a/sub/deep/anchored.md',
    ]);
    t.throws(() => fixture.root.stat('b/build/x.md'), { code: 'ENOENT' });
    t.throws(() => fixture.root.open('a/x.log'), { code: 'ENOENT' });
    t.throws(() => fixture.root.list('logs'), { code: 'ENOENT' });
  },
);

t.test('.kgraphfsignore has the same syntax and comes after .gitignore', async (t) => {
  const fixture = openFixture(t, {
    '.gitignore': 'generated/\n',
    '.kgraphfsignore': '# what agents need not see\n\n!generated/\ndrafts/**\n\\#x.md\n',
    'generated/api.md': '',
    'drafts/a/b.md': '',
    '#x.md': '',
    'z.md': '',
  });
  t.same(filesOf(fixture), ['.gitignore', '.kgraphfsignore', 'generated/api.md', 'z.md']);
});

t.test('an ignore file in a folder of any name means that folder', async (t) => {
  const names = [
    'we[ir]d',
    'st*r',
    'qu?stion',
    '!bang',
    '#hash',
    'back\\slash',
    'new\nline',
    ' space ',
    '{a,b}',
  ];
  const fixture = openFixture(
    t,
    Object.fromEntries(
      names.flatMap((name) => [
        [`${name}/.gitignore`, 'x.md\n/sub/y.md\n'],
        [`${name}/x.md`, ''],
        [`${name}/sub/x.md`, ''],
        [`${name}/sub/y.md`, ''],
        [`${name}/z.md`, ''],
      ]),
    ),
  );
  writeFiles(fixture.folder, { 'weird/x.md': '', 'star/x.md': '' });
  t.same(
    filesOf(fixture).filter((path) => !path.endsWith('.gitignore')),
    sorted([...names.map((name) => `${name}/z.md`), 'weird/x.md', 'star/x.md']),
  );
});

t.test('line ends of Windows, a byte order mark and spaces at the end of a line do no harm', async (t) => {
  const fixture = openFixture(t, {
    '.gitignore': '\uFEFFa.md\r\nb.md   \r\n/ \n',
    'd/.gitignore': '\uFEFFc.md\r\n/\r\nsub/  \r\n',
    'a.md': '',
    'b.md': '',
    'd/c.md': '',
    'd/e/sub/x.md': '',
    'd/e/y.md': '',
  });
  t.same(filesOf(fixture), ['.gitignore', 'd/.gitignore', 'd/e/y.md']);
});

t.test('a change of an ignore file takes effect at once', async (t) => {
  const { folder, root } = openFixture(t, { 'a.md': '', 'b.md': '', 'sub/a.md': '' });
  const all = ['a.md', 'b.md', 'sub/'];
  t.same(listed(root), all);
  writeFileSync(join(folder, '.gitignore'), 'a.md\n');
  t.same(listed(root), ['.gitignore', 'b.md', 'sub/']);
  t.same(listed(root, 'sub'), []);
  writeFileSync(join(folder, '.gitignore'), 'b.md\n');
  t.same(listed(root), ['.gitignore', 'a.md', 'sub/'], 'same size, same moment');
  t.same(listed(root, 'sub'), ['a.md']);
  writeFileSync(join(folder, 'sub/.kgraphfsignore'), '*\n');
  t.same(listed(root, 'sub'), []);
  rmSync(join(folder, '.gitignore'));
  rmSync(join(folder, 'sub/.kgraphfsignore'));
  t.same(listed(root), all);
  t.same(listed(root, 'sub'), ['a.md']);
});

t.test('a change that keeps size and mtime takes effect as well, once the times have settled', async (t) => {
  const { folder, root } = openFixture(t, { '.gitignore': 'a.md\n', 'a.md': '', 'b.md': '' });
  const file = join(folder, '.gitignore');
  utimesSync(file, 1, 1);
  await untilSettled(file);
  t.same(listed(root), ['.gitignore', 'b.md']);
  t.same(listed(root), ['.gitignore', 'b.md'], 'from memory now');
  writeFileSync(file, 'b.md\n');
  utimesSync(file, 1, 1);
  t.same(listed(root), ['.gitignore', 'a.md']);
  writeFileSync(join(folder, '.kgraphfsignore'), 'a.md\n');
  t.same(listed(root), ['.gitignore', '.kgraphfsignore']);
});

t.test('an ignore file that is a link, a folder or huge has no effect, and that is said', async (t) => {
  const { folder, outside, root, problems } = openFixture(t, {
    'x.md': '',
    'a/x.md': '',
    'b/x.md': '',
    'b/.gitignore': `x.md\n${'#'.repeat(1024 * 1024)}`,
  });
  writeFileSync(join(outside, 'rules'), 'x.md\n');
  symlinkSync(join(outside, 'rules'), join(folder, '.gitignore'));
  mkdirSync(join(folder, 'a/.kgraphfsignore'));
  t.same(listed(root), ['a/', 'b/', 'x.md']);
  t.same(listed(root, 'a'), ['x.md']);
  t.same(listed(root, 'b'), ['.gitignore', 'x.md']);
  t.same(
    problems.filter(({ code }) => code === 'ignore-file').map(({ path }) => path),
    ['.gitignore', 'a/.kgraphfsignore', 'b/.gitignore'],
  );
});

t.test(
  'a pattern that could take forever to match has no effect, and that is said with its line',
  async (t) => {
    const { root, problems } = openFixture(t, {
      '.gitignore': `# **/**/**/**\nx.md\n${'**/a/'.repeat(20)}b\n**/c/**/d/**\n`,
      [`${'a/'.repeat(100)}x.md`]: '',
      [`${'a/'.repeat(100)}y.md`]: '',
      'c/d/z.md': '',
    });
    t.same(
      [...scan(root)].map(({ path }) => path),
      ['.gitignore', `${'a/'.repeat(100)}y.md`],
    );
    t.match(problems, [{ code: 'ignore-file', path: '.gitignore', line: 3 }]);
  },
);

const NAMES = ['a', 'b', 'c.md', 'd.log', 'build'];
const names = fc.constantFrom(...NAMES);
const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const patterns = fc
  .tuple(
    fc.constantFrom('', '', '!'),
    fc.constantFrom('', '', '/', '**/'),
    fc.array(fc.constantFrom(...NAMES, '*', '*.md', '?', '**', '[ab]'), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', '/**'),
  )
  .map(([negation, start, parts, end]) => `${negation}${start}${parts.join('/')}${end}`)
  // More than three `**` in a line have no effect here, on purpose.
  .filter((pattern) => (pattern.match(/\*\*/g) ?? []).length <= 3);
const ignoreFiles = fc.dictionary(
  fc.oneof(
    fc.constant('.gitignore'),
    paths.map((path) => `${path}/.gitignore`),
  ),
  fc.array(patterns, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n')),
  { minKeys: 1, maxKeys: 4 },
);

t.test('what is shown is what git lists', async (t) => {
  const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  fc.assert(
    fc.property(fc.uniqueArray(paths, { minLength: 1, maxLength: 12 }), ignoreFiles, (files, ignores) => {
      const fixture = openFixture(t, {});
      const { folder } = fixture;
      for (const [path, text] of [...files.map((path) => [path, ''] as const), ...Object.entries(ignores)]) {
        writeIfPossible(folder, path, text);
      }
      const git = (...args: string[]) =>
        spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8', env: environment }).stdout;
      git('init', '--quiet');
      const listedByGit = git('ls-files', '--others', '--exclude-standard', '-z').split('\0').filter(Boolean);
      return sorted(filesOf(fixture)).join('\n') === sorted(listedByGit).join('\n');
    }),
    { numRuns: 60 },
  );
});

/** Random paths may need one name both for a file and for a folder; the first one stands. */
function writeIfPossible(folder: string, path: string, text: string): void {
  try {
    writeFiles(folder, { [path]: text });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EEXIST' && code !== 'ENOTDIR' && code !== 'EISDIR') throw error;
  }
}

t.test('what an ignore file hides stays hidden while another program holds it', async (t) => {
  const fixture = openFixture(t, { '.gitignore': 'secret.md\n', 'a.md': '', 'b.md': '', 'secret.md': '' });
  const shown = () => fixture.root.list('').map(({ name }) => name);
  t.same(shown(), ['.gitignore', 'a.md', 'b.md']);
  const lease = leaseOn(t, join(fixture.folder, '.gitignore'));
  lease.write('secret.md\nb.md\n');
  t.same(shown(), ['.gitignore', 'a.md', 'b.md']);
  t.throws(() => fixture.root.open('secret.md'), { code: 'ENOENT' });
  lease.letGo();
  t.same(shown(), ['.gitignore', 'a.md'], 'and what it says by then counts');
  t.same(fixture.problems, []);
});

t.test(
  'and while the disk fails to read it; a folder with one that could never be read is closed',
  async (t) => {
    const fixture = openFixture(t, {
      '.gitignore': 'secret.md\n',
      'a.md': '',
      'secret.md': '',
      'sub/.gitignore': 'secret.md\n',
      'sub/secret.md': '',
    });
    const shown = () => fixture.root.list('').map(({ name }) => name);
    t.same(shown(), ['.gitignore', 'a.md', 'sub']);
    const disk = failingDisk(t);
    disk.failAt(...['.gitignore', 'sub/.gitignore'].map((path) => join(realpathSync(fixture.folder), path)));
    writeFiles(fixture.folder, { '.gitignore': 'secret.md\na.md\n' });
    t.same(shown(), ['.gitignore', 'a.md', 'sub']);
    t.throws(() => fixture.root.list('sub'), { code: 'EIO', path: 'sub/.gitignore' });
    t.throws(() => fixture.root.open('sub/secret.md'), { code: 'EIO' });
    disk.failAt();
    t.same(shown(), ['.gitignore', 'sub']);
    t.same(
      fixture.root.list('sub').map(({ name }) => name),
      ['.gitignore'],
    );
  },
);

t.test('nothing is shown before an ignore file that another program holds can be read', async (t) => {
  const fixture = openFixture(t, { 'sub/.gitignore': 'secret.md\n', 'sub/a.md': '', 'sub/secret.md': '' });
  const lease = leaseOn(t, join(fixture.folder, 'sub/.gitignore'));
  const held = { code: 'EBUSY', path: 'sub/.gitignore' };
  t.throws(() => fixture.root.list('sub'), held);
  t.throws(() => fixture.root.open('sub/secret.md'), held);
  t.throws(() => filesOf(fixture), held, 'a walk does not take the folder for an empty one');
  t.throws(() => openDocsRoot(join(fixture.folder, 'sub'), { report: () => {} }), {
    cause: { code: 'EBUSY' },
  });
  lease.letGo();
  t.same(filesOf(fixture), ['sub/.gitignore', 'sub/a.md']);
});

t.test('nor where there was no ignore file of that name before', async (t) => {
  const fixture = openFixture(t, { '.kgraphfsignore': 'b.md\n', 'a.md': '', 'b.md': '', 'secret.md': '' });
  const shown = () => fixture.root.list('').map(({ name }) => name);
  t.same(shown(), ['.kgraphfsignore', 'a.md', 'secret.md']);
  writeFiles(fixture.folder, { '.gitignore': 'secret.md\n' });
  const lease = leaseOn(t, join(fixture.folder, '.gitignore'));
  t.throws(shown, { code: 'EBUSY', path: '.gitignore' });
  lease.letGo();
  t.same(shown(), ['.gitignore', '.kgraphfsignore', 'a.md']);
});
