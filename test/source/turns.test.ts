import { mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers';
import fc from 'fast-check';
import t from 'tap';
import { isPromiseLike } from '../../src/core/awaitable.ts';
import { openDocsRoot } from '../../src/source/docs-root.ts';
import { mergedInTurns, Turns } from '../../src/source/turns.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { countDescriptors } from './docs-fixture.ts';

t.test('a large folder is listed as a small one is', async (t) => {
  const folder = temporaryFolder(t);
  const large = join(folder, 'large');
  mkdirSync(large);
  writeFileSync(join(folder, 'outside.md'), '');
  writeFileSync(join(large, '.kgraphfsignore'), '*9.md\n');
  symlinkSync('n1.md', join(large, 'inside.md'));
  symlinkSync('/etc/hostname', join(large, 'away.md'));
  let count = 0;
  for (; statSync(large).size <= 64 * 1024; count += 1) writeFileSync(join(large, `n${count}.md`), '');
  const root = openDocsRoot(folder, { report: () => {} });
  t.teardown(() => root.close());
  t.notOk(isPromiseLike(root.listInTurns('')), 'a small one is answered at once');
  const listing = root.listInTurns('large');
  t.ok(isPromiseLike(listing));
  const entries = await listing;
  t.same(entries, root.list('large'));
  const before = countDescriptors();
  await root.listInTurns('large');
  t.equal(countDescriptors(), before, 'nothing stays open');
  t.ok(entries.some(({ name }) => name === 'inside.md'));
  t.notOk(entries.some(({ name }) => name === 'away.md' || name === 'n9.md'));
});

t.test('of a folder that is gone before its listing ends, files are listed and links are not', async (t) => {
  const folder = temporaryFolder(t);
  const gone = join(folder, 'gone');
  mkdirSync(gone);
  writeFileSync(join(gone, 'a.md'), '');
  symlinkSync('a.md', join(gone, 'b.md'));
  const root = openDocsRoot(folder, { report: () => {} });
  t.teardown(() => root.close());
  const { tree } = root;
  const listing = tree.within('gone', 'gone', 'new', (opened) => {
    renameSync(gone, join(folder, 'elsewhere'));
    return tree.entriesInTurns(opened);
  });
  t.same(
    (await listing).map(({ name }) => name),
    ['a.md'],
    'where a link leads nobody can tell',
  );
});

t.test('others get their turn after each piece of long work, and not more often', async (t) => {
  let nowMs = 0;
  const turns = new Turns(() => nowMs);
  const hadTurn: boolean[] = [];
  for (let piece = 0; piece < 6; piece += 1) {
    nowMs += 3;
    let isOthersTurn = false;
    setImmediate(() => {
      isOthersTurn = true;
    });
    await turns.pause();
    hadTurn.push(isOthersTurn);
  }
  t.same(hadTurn, [false, true, false, true, false, true]);
});

t.test('sorted lists are merged to one that is sorted', async () => {
  const lists = fc.array(fc.array(fc.nat(50)).map((list) => list.sort((a, b) => a - b)));
  await fc.assert(
    fc.asyncProperty(lists, async (lists) => {
      const merged = await mergedInTurns(lists, (a, b) => a < b, new Turns());
      const expected = lists.flat().sort((a, b) => a - b);
      return merged.length === expected.length && merged.every((value, index) => value === expected[index]);
    }),
  );
});

t.test('who works for long lets others work', async (t) => {
  let clockMs = 0;
  const turns = new Turns(() => clockMs);
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  await turns.pause();
  t.notOk(hadTurn, 'not at once');
  clockMs += 5;
  await turns.pause();
  t.ok(hadTurn);
});
