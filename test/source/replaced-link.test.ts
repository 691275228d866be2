import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
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

t.test('a link that becomes a document while it is looked at is there all the time', async (t) => {
  const fixture = openLinked(t);
  const { visible } = fixture.root.tree;
  const look = visible.look.bind(visible);
  let looks = 0;
  visible.look = (at, name) => {
    const entry = look(at, name);
    looks += 1;
    if (looks === 1) replaceLink(fixture);
    return entry;
  };
  t.match(fixture.root.stat('a.md'), { kind: 'file', sizeBytes: 6 });
  t.equal(looks, 2);
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
