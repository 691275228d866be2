import fc from 'fast-check';
import t from 'tap';
import type { MemoryPlace } from '../../src/core/memory-entry.ts';
import { Inodes } from '../../src/memory/inodes.ts';
import type { MemoryFile, MemoryFiles } from '../../src/memory/memory-files.ts';
import { CONTEXT, fact, remembering, write } from './fixture.ts';

const REFUNDS = fact('refunds');
const PAYMENTS = fact('payments');
const DRAFT = fact('.refunds.swp');

function inodeOf(files: MemoryFiles, place: MemoryPlace): number {
  const { inode } = files.stat(place);
  if (inode === undefined) throw new Error(`${place.key} has no number`);
  return inode;
}

function create(files: MemoryFiles, place: MemoryPlace): MemoryFile {
  return files.create(place, { append: false, truncate: false, exclusive: true, mode: 0o644 }, CONTEXT);
}

function open(files: MemoryFiles, place: MemoryPlace): MemoryFile {
  return files.openToWrite(place, { append: false, truncate: false }, CONTEXT);
}

t.test('a file keeps its number when it is first kept, changed, closed and renamed', async (t) => {
  const { files } = remembering(t);
  const file = create(files, REFUNDS);
  const inode = inodeOf(files, REFUNDS);
  file.write(Buffer.from('within 30 days'), 0, CONTEXT);
  file.flush(CONTEXT);
  t.equal(inodeOf(files, REFUNDS), inode);
  t.equal(file.stat().inode, inode);
  file.close();
  t.equal(inodeOf(files, REFUNDS), inode);
  files.rename(REFUNDS, PAYMENTS, CONTEXT);
  t.equal(inodeOf(files, PAYMENTS), inode);
  write(files, PAYMENTS, 'within 60 days');
  t.equal(inodeOf(files, PAYMENTS), inode);
  write(files, REFUNDS, 'another');
  t.not(inodeOf(files, REFUNDS), inode);
});

t.test('numbers are those of the entries in every mount, below those of paths', async (t) => {
  const first = remembering(t);
  write(first.files, REFUNDS, 'one');
  write(first.files, PAYMENTS, 'two');
  const second = remembering(t, {}, first.file);
  const third = remembering(t, {}, first.file);
  for (const place of [REFUNDS, PAYMENTS]) {
    const inode = inodeOf(second.files, place);
    t.equal(inodeOf(third.files, place), inode);
    t.ok(inode >= 2 ** 48 && inode < 2 ** 51 && Number.isSafeInteger(inode));
  }
  t.not(inodeOf(second.files, REFUNDS), inodeOf(second.files, PAYMENTS));
});

t.test('what an editor renames into place is the file that it wrote', async (t) => {
  const { files } = remembering(t);
  write(files, REFUNDS, 'one');
  const before = inodeOf(files, REFUNDS);
  const reader = files.open(REFUNDS, CONTEXT);
  write(files, DRAFT, 'two');
  const inode = inodeOf(files, DRAFT);
  t.not(inode, before);
  files.rename(DRAFT, REFUNDS, CONTEXT);
  t.equal(inodeOf(files, REFUNDS), inode);
  t.equal(reader.stat?.().inode, before, 'who had the old one open has it still');
  reader.close();
  t.equal(inodeOf(files, REFUNDS), inode);
});

t.test('a file that is removed and made anew is another, though it is the same memory', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'one');
  const id = memory.get(REFUNDS)?.id;
  const old = open(files, REFUNDS);
  const before = inodeOf(files, REFUNDS);
  files.remove(REFUNDS, CONTEXT);
  write(files, REFUNDS, 'two');
  t.equal(memory.get(REFUNDS)?.id, id);
  t.not(inodeOf(files, REFUNDS), before);
  t.equal(old.stat().inode, before);
  old.close();
});

t.test('a file that is removed or replaced while it is open says that it has no name', async (t) => {
  const { files } = remembering(t);
  write(files, REFUNDS, 'old');
  write(files, fact('other'), 'new');
  const removed = open(files, REFUNDS);
  const replaced = open(files, fact('other'));
  t.equal(removed.stat().isRemoved, undefined);
  files.remove(REFUNDS, CONTEXT);
  t.equal(removed.stat().isRemoved, true);
  write(files, REFUNDS, 'again');
  t.equal(removed.stat().isRemoved, true);
  t.equal(files.stat(REFUNDS).isRemoved, undefined);
  files.rename(REFUNDS, fact('other'), CONTEXT);
  t.equal(replaced.stat().isRemoved, true);
  for (const file of [removed, replaced]) file.close();
});

t.test('a memory that is restored is another file than the one that is still open', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'one');
  const old = open(files, REFUNDS);
  files.remove(REFUNDS, CONTEXT);
  memory.restore('fact/refunds', CONTEXT);
  t.not(inodeOf(files, REFUNDS), old.stat().inode);
  old.close();
});

t.test('what became a conflict copy is the file that is still open, and the entry is another', async (t) => {
  const { files, file } = remembering(t);
  write(files, REFUNDS, 'one');
  const mine = open(files, REFUNDS);
  const inode = inodeOf(files, REFUNDS);
  mine.write(Buffer.from('mine'), 0, CONTEXT);
  const other = remembering(t, { session: 's2' }, file);
  write(other.files, REFUNDS, 'theirs');
  mine.flush(CONTEXT);
  const copy = fact('refunds.conflict-s1');
  t.equal(mine.stat().inode, inode);
  t.equal(inodeOf(files, copy), inode);
  t.not(inodeOf(files, REFUNDS), inode);
  mine.close();
});

t.test('no two memories have one number, also where an open file was another one for a while', async (t) => {
  const { files, file } = remembering(t);
  write(files, REFUNDS, 'one');
  const mine = open(files, REFUNDS);
  mine.read(Buffer.alloc(8), 0);
  const other = remembering(t, { session: 's2' }, file);
  write(other.files, fact('newer'), 'theirs');
  other.files.rename(fact('newer'), REFUNDS, CONTEXT);
  // The open file becomes what has its name, and then what the page was read of.
  mine.write(Buffer.from('mine'), 0, CONTEXT, 'mapped');
  mine.flush(CONTEXT);
  t.equal(inodeOf(files, fact('refunds.conflict-s1')), mine.stat().inode);
  t.not(inodeOf(files, REFUNDS), mine.stat().inode);
  mine.close();
});

t.test(
  'what waits for review has no number there, so that moving it to memory is no move to itself',
  async (t) => {
    const { files } = remembering(t);
    write(files, REFUNDS, '---\ntags: needs_review\n---\none');
    t.ok(inodeOf(files, REFUNDS));
    const place = files.review.placeOf('fact/refunds') ?? files.review.placeOf('refunds');
    if (place === undefined) throw new Error('nothing waits for review');
    t.equal(files.review.files.stat(place).inode, undefined);
    const file = files.review.files.openToWrite(place, { append: false, truncate: false }, CONTEXT);
    t.equal(file.stat().inode, undefined);
    file.close();
  },
);

t.test('folders have none', async (t) => {
  const { files } = remembering(t);
  files.makeFolder(fact('folder'), 0o755);
  t.equal(files.stat(fact('folder')).inode, undefined);
});

t.test('an entry that is given a number has it, and only who had it gets another one', (t) => {
  const ids = [1, 2, 3, 4, 5];
  const given = fc.record({ to: fc.constantFrom(...ids), which: fc.nat({ max: 9 }) });
  fc.assert(
    fc.property(fc.array(given, { maxLength: 12 }), (all) => {
      const inodes = new Inodes();
      // Their own, and some of files that were new.
      const numbers = ids.flatMap((id) => [inodes.of(id), inodes.fresh()]);
      return all.every(({ to, which }) => {
        const before = ids.map((id) => inodes.of(id));
        const inode = numbers[which] ?? inodes.fresh();
        inodes.give(to, inode);
        const after = ids.map((id) => inodes.of(id));
        const isKept = ids.every((id, at) => id === to || before[at] === inode || after[at] === before[at]);
        return inodes.of(to) === inode && isKept && new Set(after).size === ids.length;
      });
    }),
  );
  t.end();
});
