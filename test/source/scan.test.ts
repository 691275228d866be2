import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { scan } from '../../src/source/scan.ts';
import { countDescriptors, openFixture } from './docs-fixture.ts';

t.test('every shown file comes once, folders in their place, with what the disk says of it', async (t) => {
  const { folder, root } = openFixture(t, {
    'b.md': 'bb',
    'a/y.MDX': '',
    'a/x.markdown': '',
    'a.md': '',
    'c/deep/er/z.md': '',
    'logo.PNG': '',
    'data.csv': '',
    LICENSE: '',
    '.hidden/x.md': '',
    '.gitignore': '*.tmp',
    'x.tmp': '',
  });
  symlinkSync('c', join(folder, 'again'));
  symlinkSync('b.md', join(folder, 'b-again.md'));
  execFileSync('mkfifo', [join(folder, 'fifo.md')]);
  const files = [...scan(root)];
  t.same(
    files.map(({ path, kind }) => `${path} ${kind}`),
    [
      '.gitignore text',
      'LICENSE text',
      'a/x.markdown markdown',
      'a/y.MDX markdown',
      'a.md markdown',
      'b.md markdown',
      'c/deep/er/z.md markdown',
      'data.csv text',
      'logo.PNG binary',
    ],
  );
  const onDisk = statSync(join(folder, 'b.md'), { bigint: true });
  t.same(
    files.find(({ path }) => path === 'b.md'),
    {
      path: 'b.md',
      kind: 'markdown',
      sizeBytes: 2,
      modifiedNs: onDisk.mtimeNs,
      changedNs: onDisk.ctimeNs,
      inode: onDisk.ino,
    },
  );
  t.same([...scan(root)], files, 'a second scan gives the same');
});

t.test('a file too large to be read is named as such and never read', async (t) => {
  const { folder, root, problems } = openFixture(t, {
    'huge.md': '',
    'huge.log': '',
    'film.mp4': '',
    'ok.md': '',
  });
  for (const name of ['huge.md', 'huge.log', 'film.mp4']) truncateSync(join(folder, name), 100 * 1024 * 1024);
  const before = process.memoryUsage();
  const kinds = [...scan(root)].map(({ path, kind }) => `${path} ${kind}`);
  const after = process.memoryUsage();
  t.same(kinds, ['film.mp4 binary', 'huge.log oversize', 'huge.md oversize', 'ok.md markdown']);
  t.ok(after.arrayBuffers - before.arrayBuffers < 1024 * 1024, 'no content came into memory');
  t.same(
    problems.map(({ code, path }) => `${code} ${path}`),
    ['oversize huge.log', 'oversize huge.md'],
  );
  t.match(problems[0]?.message, /104857600 bytes/);
  t.same(
    [...scan(root, { maxBytes: 200 * 1024 * 1024 })].map(({ kind }) => kind).includes('oversize'),
    false,
  );
});

t.test('a scan that is broken off holds no descriptor', async (t) => {
  const { root } = openFixture(t, { 'a/b/c/d.md': '', 'a/b/c/e.md': '' });
  const before = countDescriptors();
  for (const file of scan(root)) {
    t.equal(file.path, 'a/b/c/d.md');
    break;
  }
  t.equal(countDescriptors(), before);
  t.equal([...scan(root)].length, 2);
  t.equal(countDescriptors(), before);
});

t.test('what goes away during a scan is left out in silence', async (t) => {
  const { folder, root, problems } = openFixture(t, {
    '1.md': '',
    '2.md': '',
    '3/x.md': '',
    '4/x.md': '',
    '5.md': '',
  });
  const seen: string[] = [];
  for (const { path } of scan(root)) {
    seen.push(path);
    if (path !== '1.md') continue;
    rmSync(join(folder, '2.md'));
    rmSync(join(folder, '3'), { recursive: true });
    rmSync(join(folder, '4'), { recursive: true });
    writeFileSync(join(folder, '4'), 'a file now');
  }
  t.same(seen, ['1.md', '5.md']);
  t.same(problems, []);
});

t.test('links that lead outside are reported by a scan', async (t) => {
  const { folder, outside, root, problems } = openFixture(t, { 'a/x.md': '' });
  symlinkSync(outside, join(folder, 'a/out'));
  t.same(
    [...scan(root)].map(({ path }) => path),
    ['a/x.md'],
  );
  t.same(
    problems.map(({ code, path }) => `${code} ${path}`),
    ['link-outside a/out'],
  );
});

t.test('a tree more than 128 folders deep is scanned to there', async (t) => {
  const { root, problems } = openFixture(t, {
    [`${'d/'.repeat(128)}x.md`]: '',
    [`${'d/'.repeat(129)}y.md`]: '',
    [`${'e/'.repeat(127)}z.md`]: '',
  });
  t.same(
    [...scan(root)].map(({ path }) => path),
    [`${'e/'.repeat(127)}z.md`],
  );
  t.match(problems, [{ code: 'path-too-deep', path: Array(128).fill('d').join('/') }]);
});

t.test('a tree deeper than a path may be is scanned as far as paths go', async (t) => {
  const { folder, root, problems } = openFixture(t, { 'x.md': '' });
  const name = 'd'.repeat(250);
  // One name at a time, as no path this long can be given to the system.
  execFileSync('sh', ['-c', 'for i in $(seq 20); do mkdir "$1" && cd -P "$1" || exit 1; done', 'sh', name], {
    cwd: folder,
  });
  t.teardown(() => execFileSync('rm', ['-rf', join(folder, name)]));
  mkdirSync(join(folder, name, 'also'));
  writeFileSync(join(folder, name, 'also/y.md'), '');
  t.same(
    [...scan(root)].map(({ path }) => path.slice(-8)),
    ['also/y.md'.slice(-8), 'x.md'],
  );
  t.same(
    problems.map(({ code }) => code),
    ['path-too-long'],
  );
});
