import { execFileSync } from 'node:child_process';
import fs, {
  appendFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { KnownVersion } from '../../src/core/resolver.ts';
import { readFile, unreadFile } from '../../src/source/docs-file.ts';
import type { DocsRoot } from '../../src/source/docs-root.ts';
import { countDescriptors, openFixture, readText, textOf, untilSettled } from './docs-fixture.ts';

const BIG_BYTES = 5 * 1024 * 1024;

function versionOf(root: DocsRoot, path: string): string {
  const { version } = root.stat(path);
  if (version === undefined) throw new Error(`${path} has no version`);
  return version;
}

/** What a caller knows that has the bytes of a file. */
function hadOf(root: DocsRoot, path: string): KnownVersion {
  return { version: versionOf(root, path), hasBytes: true };
}

/** The version that a file is opened as. */
function openedVersion(root: DocsRoot, path: string): string | undefined {
  const file = root.open(path);
  file.close();
  return file.version;
}

t.test('a file is opened as the version that stat tells', async (t) => {
  const { folder, root } = openFixture(t, {});
  for (const [name, sizeBytes] of Object.entries({ 'a.md': 1, 'big.txt': BIG_BYTES })) {
    let before: string;
    let opened: string | undefined;
    // Its times may have settled in between: then it has to be asked again.
    do {
      writeFileSync(join(folder, name), 'a'.repeat(sizeBytes));
      before = versionOf(root, name);
      opened = openedVersion(root, name);
    } while (versionOf(root, name) !== before);
    t.equal(opened, before, 'a moment after it was written');
    await untilSettled(join(folder, name));
    const settled = versionOf(root, name);
    t.equal(openedVersion(root, name), settled);
    t.equal(versionOf(root, name), settled, 'it stays');
  }
  t.equal(root.stat('').version, undefined, 'a folder has none');
});

t.test('a file that is opened tells when its version was written', async (t) => {
  const { folder, root } = openFixture(t, {});
  for (const [name, sizeBytes] of Object.entries({ 'a.md': 1, 'big.txt': BIG_BYTES })) {
    writeFileSync(join(folder, name), 'a'.repeat(sizeBytes));
    const file = root.open(name);
    writeFileSync(join(folder, name), 'b');
    utimesSync(join(folder, name), 1, 1);
    t.equal(root.stat(name).modifiedNs, 1_000_000_000n);
    t.ok(file.modifiedNs !== undefined && file.modifiedNs > 1_000_000_000n, 'and not when the next one was');
    file.close();
  }
});

t.test('where the version is the same so are the bytes, however quickly they change', async (t) => {
  const { folder, root } = openFixture(t, { 'a.md': '0000' });
  const path = join(folder, 'a.md');
  const seen = new Map<string, string>();
  for (let edit = 0; edit < 500; edit += 1) {
    const text = String(edit).padStart(4, '0');
    writeFileSync(path, text);
    utimesSync(path, 1, 1);
    const told = versionOf(root, 'a.md');
    const file = root.open('a.md', { version: told, hasBytes: seen.size % 2 === 0 });
    t.equal(textOf(file), text);
    for (const version of [told, file.version ?? '']) {
      const before = seen.get(version) ?? text;
      if (before !== text) t.fail(`${before} and ${text} have one version`);
      seen.set(version, text);
    }
    file.close();
  }
  t.ok(seen.size >= 500);
});

t.test('a version that the caller has is read only when it is asked for', async (t) => {
  const { folder, root } = openFixture(t, { 'a.md': 'first version' });
  await untilSettled(join(folder, 'a.md'));
  const kept = hadOf(root, 'a.md');
  const before = countDescriptors();
  const file = root.open('a.md', kept);
  t.equal(file.version, kept.version);
  t.equal(file.sizeBytes, 13);
  t.equal(countDescriptors(), before + 1, 'it holds the file');
  const part = Buffer.alloc(7);
  t.equal(file.read(part, 6), 7);
  t.equal(part.toString(), 'version');
  t.equal(file.read(part, 13), 0);
  writeFileSync(join(folder, 'a.md'), 'second');
  t.equal(textOf(file), 'first version', 'what was read is kept');
  file.close();
  file.close();
  t.throws(() => file.read(part, 0), { code: 'EBADF' });
  t.equal(countDescriptors(), before);
});

t.test('a version that the caller was shown is read when it is opened, if it is that still', async (t) => {
  const { folder, root } = openFixture(t, {
    'a.md': 'first',
    'big.txt': 'b'.repeat(BIG_BYTES),
    'none.md': '',
  });
  await untilSettled(join(folder, 'none.md'));
  const before = countDescriptors();
  const shown = (path: string) => ({ version: versionOf(root, path), hasBytes: false });
  const file = root.open('a.md', shown('a.md'));
  t.equal(file.version, versionOf(root, 'a.md'));
  t.equal(countDescriptors(), before, 'all of it was read');
  writeFileSync(join(folder, 'a.md'), 'other');
  t.equal(textOf(file), 'first');
  const big = root.open('big.txt', shown('big.txt'));
  t.equal(big.version, versionOf(root, 'big.txt'));
  t.equal(countDescriptors(), before + 1);
  t.equal(textOf(big).length, BIG_BYTES);
  const none = root.open('none.md', shown('none.md'));
  t.equal(textOf(none), '');
  for (const opened of [file, big, none]) opened.close();
  t.equal(countDescriptors(), before);
});

t.test('the quick way takes no other version than the one that was shown', async (t) => {
  const { folder, root } = openFixture(t, { 'a.md': 'text' });
  const path = join(folder, 'a.md');
  await untilSettled(path);
  const version = versionOf(root, 'a.md');
  const before = countDescriptors();
  const file = readFile(openSync(path, 'r'), 'a.md', version);
  t.equal(file && textOf(file), 'text');
  file?.close();
  for (const take of [readFile, unreadFile])
    t.equal(take(openSync(path, 'r'), 'a.md', `${version}x`), undefined);
  t.equal(countDescriptors(), before, 'and closes what it was given');
});

t.test('what is written to while it is read is not taken for the version that was shown', async (t) => {
  const { folder, root } = openFixture(t, { 'a.md': 'first' });
  const path = join(folder, 'a.md');
  await untilSettled(path);
  const version = versionOf(root, 'a.md');
  const before = countDescriptors();
  const { readSync } = fs;
  t.teardown(() => replaceRead(readSync));
  replaceRead((descriptor: number, target: Buffer, start: number, length: number, position: number) => {
    const count = readSync(descriptor, target, start, length, position);
    writeFileSync(path, 'other');
    return count;
  });
  t.equal(readFile(openSync(path, 'r'), 'a.md', version), undefined);
  replaceRead(readSync);
  t.equal(countDescriptors(), before);
  t.equal(readText(root, 'a.md'), 'other');
});

/** For all modules that read. */
function replaceRead(readSync: unknown): void {
  Object.assign(fs, { readSync });
  syncBuiltinESMExports();
}

t.test('a version that the caller has is read from its file, though another took its name', async (t) => {
  const { folder, root } = openFixture(t, { 'a.md': 'first', 'b.md': 'other', 'c.md': 'third' });
  await untilSettled(join(folder, 'c.md'));
  const replaced = root.open('a.md', hadOf(root, 'a.md'));
  const removed = root.open('c.md', hadOf(root, 'c.md'));
  renameSync(join(folder, 'b.md'), join(folder, 'a.md'));
  rmSync(join(folder, 'c.md'));
  t.equal(textOf(replaced), 'first');
  t.equal(textOf(removed), 'third');
  t.equal(readText(root, 'a.md'), 'other');
  for (const file of [replaced, removed]) file.close();
});

t.test('a version that was written over before it was read is gone, and that is said', async (t) => {
  const { folder, root } = openFixture(t, { 'same-size.md': 'first', 'grown.md': 'first' });
  await untilSettled(join(folder, 'grown.md'));
  const names = ['same-size.md', 'grown.md'];
  const files = names.map((name) => root.open(name, hadOf(root, name)));
  writeFileSync(join(folder, 'same-size.md'), 'other');
  appendFileSync(join(folder, 'grown.md'), ' and more');
  for (const file of files) {
    t.throws(() => file.read(Buffer.alloc(20), 0), { code: 'EIO' });
    file.close();
  }
  t.equal(readText(root, 'same-size.md'), 'other', 'the next reader gets the new one');
});

t.test('a version that is another by now is read when it is opened', async (t) => {
  const { folder, root } = openFixture(t, { 'a.md': 'first' });
  await untilSettled(join(folder, 'a.md'));
  const kept = hadOf(root, 'a.md');
  writeFileSync(join(folder, 'a.md'), 'other');
  const file = root.open('a.md', kept);
  t.not(file.version, kept.version);
  writeFileSync(join(folder, 'a.md'), 'third');
  t.equal(textOf(file), 'other');
  file.close();
});

t.test('a large file that was just changed is another version once its times are settled', async (t) => {
  const { folder, root } = openFixture(t, { 'big.txt': 'b'.repeat(BIG_BYTES) });
  const path = join(folder, 'big.txt');
  writeFileSync(path, 'c'.repeat(BIG_BYTES));
  const { now } = Date;
  t.teardown(() => {
    Date.now = now;
  });
  const writtenMs = statSync(path).ctimeMs;
  Date.now = () => writtenMs + 10;
  const early = versionOf(root, 'big.txt');
  Date.now = now;
  await untilSettled(path);
  t.not(versionOf(root, 'big.txt'), early);
});

for (const hasBytes of [true, false]) {
  t.test(
    `what a known file has become is told as of any other name, ${hasBytes ? 'had' : 'shown'} before`,
    (t) => whatBecame(t, hasBytes),
  );
}

async function whatBecame(t: Test, hasBytes: boolean): Promise<void> {
  const { folder, root } = openFixture(t, { 'a.md': 'text' });
  const path = join(folder, 'a.md');
  await untilSettled(path);
  const known = { version: versionOf(root, 'a.md'), hasBytes };
  const others: [code: string, make: () => void][] = [
    ['ENOENT', () => {}],
    ['EISDIR', () => mkdirSync(path)],
    ['ELOOP', () => symlinkSync('b.md', path)],
    ['ENOENT', () => execFileSync('mkfifo', [path])],
  ];
  writeFileSync(join(folder, 'b.md'), 'other');
  const before = countDescriptors();
  for (const [code, make] of others) {
    rmSync(path, { recursive: true, force: true });
    make();
    t.throws(() => root.open('a.md', known), { code });
  }
  rmSync(path);
  renameSync(join(folder, 'b.md'), path);
  const file = root.open('a.md', known);
  t.equal(textOf(file), 'other');
  file.close();
  t.equal(countDescriptors(), before, 'nothing stays open');
  await untilSettled(path);
  const shown = { version: versionOf(root, 'a.md'), hasBytes };
  const rules = join(folder, '.kgraphfsignore');
  writeFileSync(rules, 'a.md\n');
  t.notOk(root.list('').some(({ name }) => name === 'a.md'));
  await untilSettled(rules);
  for (const rule of ['read', 'known from then on'])
    t.throws(() => root.stat('a.md'), { code: 'ENOENT' }, `the rule is ${rule}`);
  t.throws(() => root.open('a.md', shown), { code: 'ENOENT' }, 'and the file is as it was');
}
