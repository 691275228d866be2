import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { FsError, UserError } from '../../src/core/errors.ts';
import { openDocsRoot } from '../../src/source/docs-root.ts';
import {
  countDescriptors,
  listed,
  openFixture,
  readText,
  sorted,
  temporaryFolder,
  textOf,
  untilSettled,
} from './docs-fixture.ts';

t.test('a file has the size and time that it has on disk, and the contract’s mode', async (t) => {
  const { folder, root } = openFixture(t, { 'guides/refunds.md': 'Refunds\n' });
  chmodSync(join(folder, 'guides/refunds.md'), 0o400);
  utimesSync(join(folder, 'guides/refunds.md'), 1, 1_712_345_678.123456);
  const onDisk = statSync(join(folder, 'guides/refunds.md'), { bigint: true });
  const { version, ...info } = root.stat('guides/refunds.md');
  t.same(info, { kind: 'file', sizeBytes: 8, modifiedNs: onDisk.mtimeNs, mode: 0o644 });
  t.type(version, 'string');
  t.equal(root.stat('guides/refunds.md').modifiedNs / 1_000_000_000n, 1_712_345_678n);
  t.match(root.stat('guides'), { kind: 'directory', mode: 0o755 });
  t.match(root.stat(''), { kind: 'directory', mode: 0o755 });
});

t.test('of many names of a folder stat says what it says of each', async (t) => {
  const { folder, root } = openFixture(t, {
    'a/new.md': 'just written',
    'a/old.md': 'old',
    'a/.hidden/x.md': '',
    'a/rules.md': '',
    '.kgraphfsignore': 'rules.md\n',
  });
  symlinkSync('old.md', join(folder, 'a/link.md'));
  symlinkSync('/etc/passwd', join(folder, 'a/outside.md'));
  execFileSync('mkfifo', [join(folder, 'a/fifo')]);
  await untilSettled(join(folder, 'a/link.md'));
  writeFileSync(join(folder, 'a/new.md'), 'and again');
  // One moment for all looks: what is written to is told by its bytes only for a while.
  const { now } = Date;
  const thenMs = now();
  t.teardown(() => {
    Date.now = now;
  });
  Date.now = () => thenMs;
  const names = [
    'new.md',
    'old.md',
    'link.md',
    'none.md',
    '.hidden',
    'rules.md',
    'outside.md',
    'fifo',
    '..',
    'a/b',
  ];
  const infos = root.statNames('a', names);
  t.same(
    infos.map((info) => info?.kind),
    ['file', 'file', 'link', ...names.slice(3).map(() => undefined)],
  );
  t.same(
    infos.slice(0, 3),
    ['new.md', 'old.md', 'link.md'].map((name) => root.stat(`a/${name}`)),
  );
  t.match(root.statNames('', ['a']), [{ kind: 'directory' }]);
  t.throws(() => root.statNames('none', []), { code: 'ENOENT' });
  t.throws(() => root.statNames('a/old.md', []), { code: 'ENOTDIR' });
});

t.test('a listing is sorted by code unit and shows dot files but no dot folders and no .git', async (t) => {
  const { folder, root } = openFixture(t, {
    'b.md': '',
    'B.md': '',
    'é.md': '',
    'a/x.md': '',
    '.env.example': '',
    '.github/x.md': '',
    'sub/.git': 'gitdir: elsewhere',
  });
  t.same(listed(root), ['.env.example', 'B.md', 'a/', 'b.md', 'sub/', 'é.md']);
  t.same(listed(root, 'sub'), []);
  for (const path of ['.github', '.github/x.md', 'sub/.git']) {
    t.throws(() => root.stat(path), { code: 'ENOENT' }, path);
    t.throws(() => root.open(path), { code: 'ENOENT' }, path);
  }
  rmSync(join(folder, 'b.md'));
  t.notOk(listed(root).includes('b.md'));
});

t.test('each wrong use has the errno of a local disk', async (t) => {
  const { root } = openFixture(t, { 'a/x.md': 'x' });
  t.throws(() => root.stat('nope.md'), { code: 'ENOENT' });
  t.throws(() => root.stat('nope/x.md'), { code: 'ENOENT' });
  t.throws(() => root.stat('a/x.md/y'), { code: 'ENOTDIR' });
  t.throws(() => root.list('a/x.md'), { code: 'ENOTDIR' });
  t.throws(() => root.open('a'), { code: 'EISDIR' });
  t.throws(() => root.open(''), { code: 'EISDIR' });
  t.throws(() => root.readLink('a/x.md'), { code: 'EINVAL' });
  t.throws(() => root.readLink(''), { code: 'EINVAL' });
  t.throws(() => root.stat('n'.repeat(256)), { code: 'ENAMETOOLONG' });
  t.throws(() => root.readContent('a/x.md', 0), { code: 'EFBIG' });
});

t.test('an error names the path that was asked for and no path of this machine', async (t) => {
  const { folder, root } = openFixture(t, {});
  for (const ask of [() => root.stat('n'.repeat(256)), () => root.list('gone/further')]) {
    try {
      ask();
      t.fail('it should not be there');
    } catch (error) {
      t.type(error, FsError);
      t.notMatch(String(error), folder);
      t.notMatch(String(error), '/proc');
    }
  }
});

t.test('a path that is not a plain way down leads nowhere', async (t) => {
  const { root } = openFixture(t, { 'a/x.md': 'x' });
  for (const path of [
    '../outside/secret.md',
    'a/../../outside',
    '..',
    '.',
    'a/.',
    'a//x.md',
    '/a',
    'a/',
    'a\0b',
  ]) {
    t.throws(() => root.stat(path), { code: 'ENOENT' }, JSON.stringify(path));
    t.throws(() => root.open(path), { code: 'ENOENT' }, JSON.stringify(path));
    t.throws(() => root.list(path), { code: 'ENOENT' }, JSON.stringify(path));
  }
});

t.test('names with newline, quotes, emoji and odd words are names', async (t) => {
  const names = [
    'new\nline.md',
    '"quoted" \'both\'.md',
    '🦊 café.md',
    '-rf',
    ' ',
    '__proto__',
    'a\\b',
    '%2F',
    '..x',
  ];
  const { root, problems } = openFixture(t, Object.fromEntries(names.map((name) => [`d/${name}`, name])));
  t.same(
    root.list('d').map(({ name }) => name),
    sorted(names),
  );
  for (const name of names) t.equal(readText(root, `d/${name}`), name);
  t.same(problems, []);
});

t.test('a name that is not UTF-8 or holds U+FFFD is not shown, and said once', async (t) => {
  const { folder, root, problems } = openFixture(t, { 'ok.md': '', 'was\uFFFDreplaced.md': '' });
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff, 0xfe])]), 'x');
  t.same(listed(root), ['ok.md']);
  t.same(listed(root), ['ok.md']);
  t.throws(() => root.stat('was\uFFFDreplaced.md'), { code: 'ENOENT' });
  t.throws(() => root.open('bad\uD800'), { code: 'ENOENT' });
  t.same(sorted(problems.map(({ code, path }) => `${code} ${path}`)), [
    'name-not-utf8 bad\uFFFD\uFFFD',
    'name-not-utf8 was\uFFFDreplaced.md',
  ]);
});

t.test('a FIFO, a socket and a device are not there, and nobody waits for them', async (t) => {
  const { folder, root } = openFixture(t, { 'ok.md': '' });
  execFileSync('mkfifo', [join(folder, 'fifo.md')]);
  symlinkSync('fifo.md', join(folder, 'to-fifo.md'));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket.md'), resolve));
  t.teardown(() => server.close());
  t.same(listed(root), ['ok.md']);
  for (const path of ['fifo.md', 'socket.md', 'to-fifo.md']) {
    t.throws(() => root.stat(path), { code: 'ENOENT' }, path);
    t.throws(() => root.open(path), { code: 'ENOENT' }, path);
  }
});

t.test('what exclude hides is not there, and is hidden with all below it', async (t) => {
  const asked: string[] = [];
  const { folder, root } = openFixture(t, { 'mnt/x.md': 'x', 'a/mnt/y.md': 'y' }, (path) => {
    asked.push(path);
    return path === 'mnt';
  });
  symlinkSync('mnt/x.md', join(folder, 'into.md'));
  t.same(listed(root), ['a/']);
  t.same(listed(root, 'a'), ['mnt/']);
  t.throws(() => root.stat('mnt'), { code: 'ENOENT' });
  t.throws(() => root.list('mnt'), { code: 'ENOENT' });
  t.throws(() => root.open('mnt/x.md'), { code: 'ENOENT' });
  t.notOk(asked.includes('mnt/x.md'), 'nothing below what is excluded is looked at');
});

t.test('a reader keeps the version of a file that it opened', async (t) => {
  const { folder, root } = openFixture(t, { 'a.md': 'first version' });
  const file = root.open('a.md');
  writeFileSync(join(folder, 'a.md'), 'second');
  t.equal(textOf(file), 'first version');
  t.equal(file.sizeBytes, 13);
  file.close();
  t.equal(readText(root, 'a.md'), 'second');
});

t.test('a file over 4 MiB is read through its descriptor, to its size when it was opened', async (t) => {
  const { folder, root } = openFixture(t, { 'big.txt': 'b'.repeat(5 * 1024 * 1024) });
  const before = countDescriptors();
  const file = root.open('big.txt');
  t.equal(countDescriptors(), before + 1);
  appendFileSync(join(folder, 'big.txt'), 'more');
  const part = Buffer.alloc(10);
  t.equal(file.read(part, 5 * 1024 * 1024 - 4), 4);
  t.equal(file.read(part, 5 * 1024 * 1024), 0);
  rmSync(join(folder, 'big.txt'));
  t.equal(file.read(part, 0), 10, 'removed, but still readable');
  file.close();
  file.close();
  t.equal(countDescriptors(), before);
  t.throws(() => file.read(part, 0), { code: 'EBADF' });
});

t.test('a file that shrinks while it is open for a large read ends where it ends', async (t) => {
  const { folder, root } = openFixture(t, { 'big.txt': 'b'.repeat(5 * 1024 * 1024) });
  const file = root.open('big.txt');
  truncateSync(join(folder, 'big.txt'), 3);
  t.equal(file.read(Buffer.alloc(10), 0), 3);
  file.close();
});

t.test('no descriptor is left behind, whatever is asked', async (t) => {
  const { folder, outside, root } = openFixture(t, {
    'a/b/c.md': 'x',
    'a/.gitignore': '*.log',
    'a/b/x.log': '',
  });
  symlinkSync('b/c.md', join(folder, 'a/inside.md'));
  symlinkSync(outside, join(folder, 'a/outside'));
  symlinkSync('loop', join(folder, 'a/loop'));
  symlinkSync('../../docs/a/b', join(folder, 'a/around'));
  const paths = ['', 'a', 'a/b', 'a/b/c.md', 'a/b/x.log', 'a/b/c.md/x', 'a/nope/x', 'a/outside/secret.md'];
  const links = ['a/inside.md', 'a/outside', 'a/loop', 'a/around'];
  const before = countDescriptors();
  for (const path of [...paths, ...links]) {
    for (const ask of [
      () => root.stat(path),
      () => root.list(path),
      () => root.open(path).close(),
      () => root.readLink(path),
      () => root.readContent(path, 0),
    ]) {
      try {
        ask();
      } catch (error) {
        t.type(error, FsError, path);
      }
    }
  }
  root.close();
  t.equal(countDescriptors(), before - 1, 'the root’s own is closed, too');
});

t.test('the docs folder remains the one that was opened, wherever it is moved', async (t) => {
  const { folder, root } = openFixture(t, { 'a.md': 'mine' });
  renameSync(folder, `${folder}-moved`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.md'), 'of another');
  t.equal(readText(root, 'a.md'), 'mine');
});

t.test('a docs folder that is missing or none is refused with a reason', async (t) => {
  const parent = temporaryFolder(t);
  writeFileSync(join(parent, 'file'), '');
  const before = countDescriptors();
  const open = (name: string) => openDocsRoot(join(parent, name), { report: () => {} });
  t.throws(() => open('nope'), UserError);
  t.throws(() => open('nope'), { message: /nope does not exist$/ });
  t.throws(() => open('file'), { message: /file is not a folder$/ });
  t.equal(countDescriptors(), before);
});

t.test('a docs folder that is named through a link is the folder behind it', async (t) => {
  const { folder } = openFixture(t, { 'a.md': 'x' });
  const way = `${folder}-link`;
  symlinkSync(folder, way);
  symlinkSync(join(way, 'a.md'), join(folder, 'absolute.md'));
  const root = openDocsRoot(way, { report: () => {} });
  t.teardown(() => root.close());
  t.equal(root.realPath, folder);
  t.same(listed(root), ['a.md', 'absolute.md@']);
  t.equal(root.readLink('absolute.md'), 'a.md');
});
