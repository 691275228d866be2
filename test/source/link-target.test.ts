import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { type Fixture, listed, openFixture, SECRET, sorted, writeFiles } from './docs-fixture.ts';

/** What becomes of each link of a table: the text that it is presented with, or undefined where it is hidden. */
function presented({ folder, root }: Fixture, links: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(links)) symlinkSync(text, join(folder, path));
  return Object.fromEntries(
    Object.keys(links).map((path) => {
      const slash = path.lastIndexOf('/');
      const isListed = listed(root, path.slice(0, Math.max(0, slash))).includes(`${path.slice(slash + 1)}@`);
      return [path, isListed ? root.readLink(path) : undefined];
    }),
  );
}

const FILES = { 'top.md': 'top', 'a/x.md': 'x', 'a/deep/y.md': 'y', 'b/z.md': 'z' };

t.test('a link to what is inside is shown with its own text', async (t) => {
  const fixture = openFixture(t, FILES);
  const links = {
    'file.md': 'top.md',
    folder: 'a/deep',
    slash: 'a/',
    dot: './a/./x.md',
    self: '.',
    'a/up.md': '../top.md',
    'a/root': '..',
    'a/deep/sideways.md': '../../b/z.md',
    'chain.md': 'file.md',
    'through.md': 'folder/y.md',
  };
  t.same(presented(fixture, links), links);
  t.match(fixture.root.stat('a/up.md'), { kind: 'link', sizeBytes: '../top.md'.length, mode: 0o777 });
  t.same(fixture.problems, []);
});

t.test('a link that leads outside is hidden everywhere, and said once', async (t) => {
  const fixture = openFixture(t, FILES);
  const { outside, root, problems } = fixture;
  symlinkSync(fixture.folder, join(outside, 'back'));
  const links = {
    'passwd.md': '/etc/passwd',
    slash: '/',
    up: '..',
    'secret.md': '../outside/secret.md',
    missing: '/nowhere/at/all',
    'a/far': '../../../../../../../../../etc',
    'chain.md': 'secret.md',
    'through.md': 'up/outside/secret.md',
    inner: 'a/../../outside',
    prefix: `${fixture.folder}-not/x.md`,
    'around.md': '../outside/back/top.md',
    proc: '/proc/self/cwd',
  };
  t.same(presented(fixture, links), Object.fromEntries(Object.keys(links).map((path) => [path, undefined])));
  for (const path of Object.keys(links)) {
    t.throws(() => root.stat(path), { code: 'ENOENT' }, path);
    t.throws(() => root.open(path), { code: 'ENOENT' }, path);
    t.throws(() => root.readLink(path), { code: 'ENOENT' }, path);
    t.throws(() => root.stat(`${path}/secret.md`), { code: 'ENOENT' }, path);
  }
  t.same(sorted(problems.map(({ path }) => path)), sorted(Object.keys(links)));
  t.ok(problems.every(({ code }) => code === 'link-outside'));
  t.notMatch(JSON.stringify(problems), outside, 'no path of this machine is told');
});

t.test('a link that takes a way around to the inside is given text that resolves in the mount', async (t) => {
  const fixture = openFixture(t, FILES);
  const { folder } = fixture;
  t.same(
    presented(fixture, {
      'absolute.md': `${folder}/a/x.md`,
      'a/deep/absolute.md': `${folder}/b/z.md`,
      'a/deep/root': folder,
      'down.md': '../docs/a/x.md',
      'a/down.md': '../../docs/a/x.md',
      'inner.md': 'a/deep/../x.md',
      via: `${folder}/../docs/b`,
    }),
    {
      'absolute.md': 'a/x.md',
      'a/deep/absolute.md': '../../b/z.md',
      'a/deep/root': '../..',
      'down.md': 'a/x.md',
      'a/down.md': 'x.md',
      'inner.md': 'a/x.md',
      via: 'b',
    },
  );
  t.same(fixture.problems, []);
});

t.test('`..` after a link is taken where the link leads, as the kernel does', async (t) => {
  const fixture = openFixture(t, FILES);
  symlinkSync('a/deep', join(fixture.folder, 'jump'));
  t.same(presented(fixture, { 'x.md': 'jump/../x.md', 'out.md': 'a/deep/../../../outside/secret.md' }), {
    'x.md': 'a/x.md',
    'out.md': undefined,
  });
});

t.test('a dangling link is shown, and dangles in the mount too', async (t) => {
  const fixture = openFixture(t, FILES);
  const { folder, root } = fixture;
  const links = {
    'later.md': 'not-written-yet.md',
    'a/later.md': '../nowhere/x.md',
    'file-as-folder': 'top.md/x',
    'absolute.md': `${folder}/nowhere/x.md`,
    'cut.md': 'nowhere/../top.md',
    'file-cut.md': 'top.md/../a/x.md',
    climbs: 'nowhere/../../outside/secret.md',
  };
  t.same(presented(fixture, links), {
    ...links,
    'absolute.md': 'nowhere/x.md',
    'cut.md': 'nowhere/.',
    'file-cut.md': 'top.md/.',
    climbs: undefined,
  });
  t.throws(() => root.open('later.md'), { code: 'ELOOP' }, 'a link is never opened');
});

t.test('loops are shown as they are', async (t) => {
  const fixture = openFixture(t, FILES);
  const { folder, root } = fixture;
  const links = { one: 'two', two: 'one', own: 'own', 'a/round': '../a/round/x', far: `${folder}/far` };
  t.same(presented(fixture, links), { ...links, far: 'far' });
  t.throws(() => root.open('one'), { code: 'ELOOP' });
  t.throws(() => root.stat('one/x'), { code: 'ENOTDIR' });
});

t.test('40 links in a row are followed; 41 are a loop, as for the kernel', async (t) => {
  const fixture = openFixture(t, FILES);
  const { folder, root, outside } = fixture;
  symlinkSync(join(outside, 'secret.md'), join(folder, 'link0'));
  for (let n = 1; n <= 40; n += 1) symlinkSync(`link${n - 1}`, join(folder, `link${n}`));
  t.throws(() => root.stat('link39'), { code: 'ENOENT' }, 'its end is seen, and lies outside');
  t.equal(root.readLink('link40'), 'link39', 'its end is out of reach');
  t.notOk(existsSync(join(folder, 'link40')), 'for the kernel as well');
});

t.test('a link to what is hidden is hidden, and said once', async (t) => {
  const fixture = openFixture(t, {
    ...FILES,
    '.gitignore': 'private.md\nbuild/\n',
    'private.md': '',
    'build/x.md': '',
    '.config/x.md': '',
  });
  const links = { 'to-private.md': 'private.md', 'to-build': 'build', 'to-dot.md': '.config/x.md' };
  t.same(presented(fixture, links), {
    'to-private.md': undefined,
    'to-build': undefined,
    'to-dot.md': undefined,
  });
  t.same(
    fixture.problems.map(({ code }) => code),
    Array(3).fill('link-to-hidden'),
  );
});

t.test('a link that an ignore file names is not there and not spoken of', async (t) => {
  const fixture = openFixture(t, { ...FILES, '.gitignore': 'out.md\n' });
  t.same(presented(fixture, { 'out.md': '/etc/passwd' }), { 'out.md': undefined });
  t.same(fixture.problems, []);
});

t.test('a link as part of a path is not followed', async (t) => {
  const { folder, root } = openFixture(t, FILES);
  symlinkSync('a', join(folder, 'inside'));
  t.throws(() => root.stat('inside/x.md'), { code: 'ENOTDIR' });
  t.throws(() => root.list('inside'), { code: 'ENOTDIR' });
  t.throws(() => root.open('inside/x.md'), { code: 'ENOTDIR' });
});

t.test('what a link leads to may come and go', async (t) => {
  const { folder, outside, root } = openFixture(t, {});
  symlinkSync('target', join(folder, 'link'));
  t.same(listed(root), ['link@']);
  symlinkSync(outside, join(folder, 'target'));
  t.same(listed(root), []);
  t.notMatch(JSON.stringify(root.list('')), SECRET);
});

t.test('a docs folder deep below links of its own parents is known by its real path only', async (t) => {
  const { folder, outside, root } = openFixture(t, FILES);
  mkdirSync(join(outside, 'docs'));
  writeFiles(join(outside, 'docs'), { 'top.md': 'another' });
  symlinkSync('../outside/docs/top.md', join(folder, 'same-name.md'));
  t.throws(() => root.stat('same-name.md'), { code: 'ENOENT' });
});
