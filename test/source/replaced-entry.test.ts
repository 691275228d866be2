import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type Fixture, listed, openFixture } from './docs-fixture.ts';

/** A docs folder with `b.md` and a link `a.md` to it. */
function openLinked(t: Test): Fixture {
  const fixture = openFixture(t, { 'b.md': 'b' });
  symlinkSync('b.md', join(fixture.folder, 'a.md'));
  return fixture;
}

/** A file takes the place of the link. */
function replaceLink({ folder }: Fixture): void {
  const staged = join(folder, '..', 'staged');
  writeFileSync(staged, 'a file');
  renameSync(staged, join(folder, 'a.md'));
}

/** Calls `change` as soon as a name was looked at once. @returns how often names were looked at */
function changeAfterLook({ root }: Fixture, change: () => void): () => number {
  const { visible } = root.tree;
  const look = visible.look.bind(visible);
  let looks = 0;
  visible.look = (at, name) => {
    const entry = look(at, name);
    looks += 1;
    if (looks === 1) change();
    return entry;
  };
  return () => looks;
}

t.test('a link that becomes a document while it is looked at is there all the time', async (t) => {
  const fixture = openLinked(t);
  const looks = changeAfterLook(fixture, () => replaceLink(fixture));
  t.match(fixture.root.stat('a.md'), { kind: 'file', sizeBytes: 6 });
  t.equal(looks(), 2);
});

t.test('a link that becomes a document while its folder is listed is listed as one', async (t) => {
  const fixture = openLinked(t);
  const { visible } = fixture.root.tree;
  const entries = visible.entries.bind(visible);
  visible.entries = (at) => {
    const found = entries(at);
    t.match(found, [{ name: 'a.md', kind: 'link' }, { name: 'b.md' }]);
    replaceLink(fixture);
    return found;
  };
  t.same(listed(fixture.root), ['a.md', 'b.md']);
});

/** A docs folder with `a.md`, written just now: its bytes tell which version it is. */
function openWritten(t: Test): Fixture & { readonly file: string } {
  const fixture = openFixture(t, { 'b.md': 'b' });
  const file = join(fixture.folder, 'a.md');
  // What was written is new for as long as the test takes.
  const { now } = Date;
  const thenMs = now();
  t.teardown(() => {
    Date.now = now;
  });
  Date.now = () => thenMs;
  writeFileSync(file, 'a file');
  return { ...fixture, file };
}

t.test('a document that is deleted while it is looked at is missing', async (t) => {
  const fixture = openWritten(t);
  t.type(fixture.root.stat('a.md').version, 'string');
  const looks = changeAfterLook(fixture, () => rmSync(fixture.file));
  t.throws(() => fixture.root.stat('a.md'), { code: 'ENOENT' });
  t.equal(looks(), 2);
});

t.test('of many names, too', async (t) => {
  const fixture = openWritten(t);
  changeAfterLook(fixture, () => rmSync(fixture.file));
  const [a, b] = fixture.root.statNames('', ['a.md', 'b.md']);
  t.equal(a, undefined);
  t.type(b?.version, 'string');
});

t.test('a document that is deleted and created anew while it is looked at has a version', async (t) => {
  const fixture = openWritten(t);
  changeAfterLook(fixture, () => {
    rmSync(fixture.file);
    writeFileSync(fixture.file, 'another');
  });
  const { version, ...info } = fixture.root.stat('a.md');
  t.match(info, { kind: 'file', sizeBytes: 7 });
  t.type(version, 'string');
});

t.test('a document that becomes a link while it is looked at is there all the time', async (t) => {
  const fixture = openWritten(t);
  changeAfterLook(fixture, () => {
    rmSync(fixture.file);
    symlinkSync('b.md', fixture.file);
  });
  t.match(fixture.root.stat('a.md'), { kind: 'link' });
  t.equal(fixture.root.readLink('a.md'), 'b.md');
});

t.test('a document whose place is taken by what is not shown is missing', async (t) => {
  const fixture = openWritten(t);
  changeAfterLook(fixture, () => {
    rmSync(fixture.file);
    execFileSync('mkfifo', [fixture.file]);
  });
  t.throws(() => fixture.root.stat('a.md'), { code: 'ENOENT' });
});
