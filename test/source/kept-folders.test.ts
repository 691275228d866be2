import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { openDocsRoot } from '../../src/source/docs-root.ts';
import {
  countDescriptors,
  type Fixture,
  listed,
  openFixture,
  readText,
  SECRET,
  untilSettled,
  writeFiles,
} from './docs-fixture.ts';

const FILES = { 'a/b/x.md': 'first', 'top.md': 'top' };
/** How long a rule about names that were there before it may go unseen. */
const MAX_RULES_AGE_MS = 100;

/** Folders that changed a moment ago are looked at more closely: wait, and have the folders of a path kept. */
async function keepWayTo({ folder, root }: Fixture, path: string): Promise<void> {
  await untilSettled(join(folder, path));
  root.stat(path);
  root.stat(path);
}

t.test('a kept folder that is replaced by a link to the outside leads nowhere', async (t) => {
  const fixture = openFixture(t, FILES);
  const { folder, outside, root } = fixture;
  writeFileSync(join(outside, 'x.md'), SECRET);
  await keepWayTo(fixture, 'a/b/x.md');
  renameSync(join(folder, 'a/b'), join(folder, 'a/aside'));
  symlinkSync(outside, join(folder, 'a/b'));
  t.throws(() => root.stat('a/b/x.md'), { code: 'ENOENT' });
  t.throws(() => root.open('a/b/x.md'), { code: 'ENOENT' });
  t.throws(() => root.list('a/b'), { code: 'ENOENT' });
  t.equal(readText(root, 'a/aside/x.md'), 'first');
});

t.test('no link is followed on the way to a kept folder, even one that leads to that folder', async (t) => {
  const fixture = openFixture(t, FILES);
  const { folder, root } = fixture;
  await keepWayTo(fixture, 'a/b/x.md');
  renameSync(join(folder, 'a'), join(folder, 'aside'));
  symlinkSync('aside', join(folder, 'a'));
  t.throws(() => root.stat('a/b/x.md'), { code: 'ENOTDIR' });
  t.throws(() => root.list('a/b'), { code: 'ENOTDIR' });
  unlinkSync(join(folder, 'a'));
  renameSync(join(folder, 'aside'), join(folder, 'a'));
  t.equal(readText(root, 'a/b/x.md'), 'first', 'and it is back');
});

t.test(
  'a version that the caller has is opened by no link, from no other folder, and not where it is hidden',
  async (t) => {
    const fixture = openFixture(t, { ...FILES, 'other/x.md': 'first' });
    const { folder, root } = fixture;
    await keepWayTo(fixture, 'other/x.md');
    await keepWayTo(fixture, 'a/b/x.md');
    const { version } = root.stat('a/b/x.md');
    const open = () => {
      const file = root.open('a/b/x.md', { version: version ?? '', hasBytes: true });
      file.close();
      return file.version;
    };
    t.equal(open(), version);
    const inA = join(folder, 'a/b');
    renameSync(inA, join(folder, 'aside'));
    symlinkSync('../aside', inA);
    t.throws(open, { code: 'ENOTDIR' }, 'the same folder, by a link');
    unlinkSync(inA);
    t.throws(open, { code: 'ENOENT' });
    renameSync(join(folder, 'other'), inA);
    t.not(open(), version, 'the same text, in another folder');
    renameSync(inA, join(folder, 'other'));
    renameSync(join(folder, 'aside'), inA);
    t.equal(open(), version, 'and it is back');
    writeFileSync(join(folder, '.gitignore'), 'x.md');
    await setTimeout(120);
    t.throws(open, { code: 'ENOENT' }, 'hidden');
  },
);

t.test('a kept folder that is replaced by another one, or made anew, is that one at once', async (t) => {
  const fixture = openFixture(t, { ...FILES, 'other/x.md': 'second', 'other/.gitignore': 'y.md' });
  const { folder, root } = fixture;
  writeFiles(folder, { 'a/b/y.md': 'shown', 'other/y.md': 'hidden' });
  await keepWayTo(fixture, 'a/b/y.md');
  renameSync(join(folder, 'a/b'), join(folder, 'a/aside'));
  renameSync(join(folder, 'other'), join(folder, 'a/b'));
  t.equal(readText(root, 'a/b/x.md'), 'second');
  t.throws(() => root.stat('a/b/y.md'), { code: 'ENOENT' });
  t.equal(readText(root, 'a/aside/y.md'), 'shown');
  rmSync(join(folder, 'a'), { recursive: true });
  t.throws(() => root.stat('a/b/x.md'), { code: 'ENOENT' });
  writeFiles(folder, { 'a/b/x.md': 'third' });
  t.equal(readText(root, 'a/b/x.md'), 'third');
  rmSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'a/b'), 'a file now');
  t.throws(() => root.stat('a/b/x.md'), { code: 'ENOTDIR' });
});

for (const ignoreFile of ['a/b/.gitignore', 'a/.kgraphfsignore', '.gitignore']) {
  t.test(`a name that comes after a rule against it in ${ignoreFile} never shows`, async (t) => {
    const fixture = openFixture(t, { ...FILES, [ignoreFile]: '*.log' });
    const { folder, root } = fixture;
    await keepWayTo(fixture, 'a/b/x.md');
    writeFileSync(join(folder, ignoreFile), 'key.md');
    writeFileSync(join(folder, 'a/b/key.md'), SECRET);
    t.throws(() => root.stat('a/b/key.md'), { code: 'ENOENT' });
    t.throws(() => root.open('a/b/key.md'), { code: 'ENOENT' });
    writeFileSync(join(folder, ignoreFile), '*.log');
    writeFileSync(join(folder, 'a/b/one-more.md'), '');
    t.equal(readText(root, 'a/b/key.md'), SECRET, 'the rule went');
  });

  t.test(`a name that was there before a rule in ${ignoreFile} goes soon`, async (t) => {
    const fixture = openFixture(t, FILES);
    const { folder, root } = fixture;
    await keepWayTo(fixture, 'a/b/x.md');
    writeFileSync(join(folder, ignoreFile), 'x.md');
    t.notOk(listed(root, 'a/b').includes('x.md'), 'in a listing at once');
    await setTimeout(MAX_RULES_AGE_MS + 5);
    t.throws(() => root.stat('a/b/x.md'), { code: 'ENOENT' });
    rmSync(join(folder, ignoreFile));
    await setTimeout(MAX_RULES_AGE_MS + 5);
    t.equal(readText(root, 'a/b/x.md'), 'first');
  });
}

t.test('a folder that a rule comes to hide goes with all that is kept below it', async (t) => {
  const fixture = openFixture(t, FILES);
  const { folder, root } = fixture;
  await keepWayTo(fixture, 'a/b/x.md');
  writeFileSync(join(folder, '.gitignore'), '/a/');
  await setTimeout(MAX_RULES_AGE_MS + 5);
  t.throws(() => root.stat('a/b/x.md'), { code: 'ENOENT' });
  t.throws(() => root.stat('a'), { code: 'ENOENT' });
});

t.test('what is excluded below a kept folder is not there', async (t) => {
  const fixture = openFixture(t, { 'a/b/x.md': '', 'a/mnt/x.md': '' }, (path) => path === 'a/mnt');
  await keepWayTo(fixture, 'a/b/x.md');
  for (const path of ['a/mnt', 'a/mnt/x.md']) {
    t.throws(() => fixture.root.stat(path), { code: 'ENOENT' }, path);
  }
});

t.test('a name below a kept folder that is no plain name leads nowhere', async (t) => {
  const fixture = openFixture(t, FILES);
  await keepWayTo(fixture, 'a/b/x.md');
  await keepWayTo(fixture, 'top.md');
  for (const path of ['a/b/..', 'a/b/.', 'a/b/', 'a/b/x.md\0', '/top.md', 'a//b/x.md', '../docs/top.md']) {
    t.throws(() => fixture.root.stat(path), { code: 'ENOENT' }, JSON.stringify(path));
  }
});

t.test('folders are kept up to a number, and none past the closing', async (t) => {
  const { folder } = openFixture(t, FILES);
  const paths = Array.from({ length: 300 }, (_, index) => `many/${index % 7}/${index}/x.md`);
  writeFiles(folder, Object.fromEntries(paths.map((path) => [path, path])));
  const before = countDescriptors();
  const root = openDocsRoot(folder, { report: () => {} });
  for (let round = 0; round < 3; round += 1) {
    for (const path of paths) t.equal(readText(root, path), path);
    t.ok(countDescriptors() - before <= 257, `${countDescriptors() - before} are open`);
  }
  t.ok(countDescriptors() - before > 200, 'they are kept');
  root.close();
  t.equal(countDescriptors(), before);
});

t.test('a kept folder can be removed, and its descriptor goes with the next question', async (t) => {
  const fixture = openFixture(t, FILES);
  const { folder, root } = fixture;
  await keepWayTo(fixture, 'a/b/x.md');
  const kept = countDescriptors();
  rmSync(join(folder, 'a/b'), { recursive: true });
  t.throws(() => root.stat('a/b/x.md'), { code: 'ENOENT' });
  t.equal(countDescriptors(), kept - 1);
  mkdirSync(join(folder, 'a/b'));
  t.same(listed(root, 'a/b'), []);
});

const skip = process.getuid?.() !== 0 && 'this needs root';

t.test(
  'what is mounted in the docs can be unmounted, a bind mount of the same disk too',
  { skip },
  async (t) => {
    const fixture = openFixture(t, { ...FILES, 'mounted/c/y.md': 'below' });
    const { folder, outside, root } = fixture;
    writeFiles(outside, { 'c/y.md': 'bound' });
    const point = join(folder, 'mounted');
    execFileSync('mount', ['--bind', outside, point]);
    let isMounted = true;
    const unmount = (...how: readonly string[]) => {
      if (isMounted) execFileSync('umount', [...how, point], { stdio: 'pipe' });
      isMounted = false;
    };
    t.teardown(() => unmount('-l'));
    await keepWayTo(fixture, 'mounted/c/y.md');
    t.equal(readText(root, 'mounted/c/y.md'), 'bound');
    unmount();
    t.equal(readText(root, 'mounted/c/y.md'), 'below');
  },
);
