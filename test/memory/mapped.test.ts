import t from 'tap';
import type { MemoryFile, MemoryFiles } from '../../src/memory/memory-files.ts';
import { append, CONTEXT, fact, kept, keys, type Remembering, remembering, write } from './fixture.ts';

const REFUNDS = fact('refunds');
const COPY = fact('refunds.conflict-s-b');

/** Two processes that share a store, as far as memory can tell. */
function two(t: Parameters<typeof remembering>[0]): [Remembering, Remembering] {
  const a = remembering(t, { session: 's-a', limits: { maxEntryBytes: 20_000 } });
  return [a, remembering(t, { session: 's-b', limits: { maxEntryBytes: 20_000 } }, a.file)];
}

function open(files: MemoryFiles, append = false): MemoryFile {
  return files.openToWrite(REFUNDS, { append, truncate: false }, CONTEXT);
}

/** As the kernel reads a page of a mapping. */
function fault(file: MemoryFile, position = 0): void {
  file.read(Buffer.alloc(4096), position);
}

/** As the kernel writes a page of a mapping back, when it comes to it. */
function store(file: MemoryFile, text: string, position = 0): void {
  file.write(Buffer.from(text), position, CONTEXT, 'mapped');
}

t.test('what is stored in a mapping leaves what another process has written meanwhile', async (t) => {
  for (const { what, text } of [
    { what: 'longer', text: 'from a, and longer' },
    { what: 'shorter', text: 'a' },
  ]) {
    for (const isNoticed of [true, false]) {
      const [a, b] = two(t);
      write(a.files, REFUNDS, '0123456789');
      const file = open(b.files);
      fault(file);
      write(a.files, REFUNDS, text);
      if (isNoticed) b.memory.refresh();
      store(file, 'X123456789');
      file.flush(CONTEXT);
      t.equal(kept(b.memory, REFUNDS), text, what);
      t.equal(kept(b.memory, COPY), 'X123456789', what);
      store(file, 'XY23456789');
      file.close();
      t.equal(kept(b.memory, COPY), 'XY23456789', 'and goes on in the copy');
      t.equal(kept(b.memory, REFUNDS), text);
    }
  }
});

t.test('a page has nothing behind the end of the file that it was read of', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, '0123456789');
  const file = open(b.files);
  fault(file);
  write(a.files, REFUNDS, 'this is so much more');
  b.memory.refresh();
  // The kernel knows the new size by now.
  store(file, `X123456789${'\0'.repeat(10)}`);
  file.close();
  t.equal(kept(b.memory, COPY), 'X123456789');
});

t.test('a page that was read again has what the other process wrote, and makes no copy', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, '0123456789');
  const file = open(b.files);
  fault(file);
  write(a.files, REFUNDS, 'from a');
  b.memory.refresh();
  fault(file);
  store(file, 'From a');
  file.close();
  t.equal(kept(a.memory, REFUNDS), 'From a');
  t.same(keys(a.memory), ['refunds']);
});

t.test('of several pages each has what it was read of', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'o'.repeat(9000));
  const file = open(b.files);
  fault(file);
  fault(file, 4096);
  write(a.files, REFUNDS, 'n'.repeat(9000));
  b.memory.refresh();
  fault(file, 4096);
  store(file, `N${'n'.repeat(4095)}`, 4096);
  store(file, `O${'o'.repeat(4095)}`, 0);
  file.close();
  t.equal(
    kept(a.memory, REFUNDS),
    `${'n'.repeat(4096)}N${'n'.repeat(4903)}`,
    'what was stored first is not lost',
  );
  t.equal(kept(a.memory, COPY), `O${'o'.repeat(8999)}`);
});

t.test('whole pages that were written here, and what was cut, are what is there', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'o'.repeat(5000));
  const file = open(b.files);
  fault(file);
  write(a.files, REFUNDS, 'n'.repeat(5000));
  file.write(Buffer.from('w'.repeat(4096)), 0, CONTEXT);
  store(file, `W${'w'.repeat(4095)}`);
  file.flush(CONTEXT);
  t.equal(kept(a.memory, REFUNDS), `W${'w'.repeat(4095)}${'n'.repeat(904)}`);
  write(a.files, REFUNDS, 'later');
  file.truncate(2, CONTEXT);
  store(file, 'LA');
  file.close();
  t.equal(kept(a.memory, REFUNDS), 'LA');
  t.same(keys(a.memory), ['refunds']);
});

t.test('who writes a part of a page shows the rest of it as it was read', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, '0123456789');
  const file = open(b.files);
  fault(file);
  write(a.files, REFUNDS, 'from a, and longer');
  file.write(Buffer.from('F'), 0, CONTEXT);
  store(file, 'F123456789');
  file.close();
  t.equal(kept(a.memory, REFUNDS), 'From a, and longer');
  t.equal(kept(a.memory, COPY), 'F123456789');
});

t.test('a page that knows nothing of what another process has appended goes beside it', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'one\n');
  const file = open(b.files, true);
  fault(file);
  file.write(Buffer.from('two\n'), 0, CONTEXT);
  append(a.files, REFUNDS, 'other\n');
  file.flush(CONTEXT);
  t.equal(kept(b.memory, REFUNDS), 'one\nother\ntwo\n');
  store(file, 'One\ntwo\n');
  file.close();
  t.equal(kept(b.memory, REFUNDS), 'one\nother\ntwo\n');
  t.equal(kept(b.memory, COPY), 'One\ntwo\n');
});
