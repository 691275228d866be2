import t from 'tap';
import type { MemoryPlace } from '../../src/core/memory-entry.ts';
import type { MemoryFile } from '../../src/memory/memory-files.ts';
import type { Teardown } from '../support/temporary.ts';
import { CONTEXT, fact, kept, names, type Remembering, set, two, write } from './fixture.ts';

const REFUNDS = fact('refunds');
const DOWNLOAD = fact('refunds.part');
const OTHER = fact('other');

/** Beside a memory there is a temporary file, which the second of two processes has open. */
function downloading(t: Teardown, append: boolean): { a: Remembering; b: Remembering; file: MemoryFile } {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'old');
  write(a.files, DOWNLOAD, 'half');
  return { a, b, file: b.files.openToWrite(DOWNLOAD, { append, truncate: false }, CONTEXT) };
}

/** A memory that was set aside, and put over another one. */
function putOver(t: Teardown): { a: Remembering; b: Remembering; backup: MemoryPlace } {
  const [a, b] = two(t);
  const backup = fact('refunds~');
  write(a.files, REFUNDS, 'old');
  write(a.files, OTHER, 'other');
  a.files.rename(REFUNDS, backup, CONTEXT);
  a.files.rename(backup, OTHER, CONTEXT);
  return { a, b, backup };
}

function put(file: MemoryFile, text: string, position: number): void {
  file.write(Buffer.from(text), position, CONTEXT);
  file.flush(CONTEXT);
}

t.test('an open temporary file that another process makes a memory of is that memory', async (t) => {
  const [a, b] = two(t);
  write(a.files, DOWNLOAD, 'half');
  const file = b.files.openToWrite(DOWNLOAD, { append: true, truncate: false }, CONTEXT);
  a.files.rename(DOWNLOAD, REFUNDS, CONTEXT);
  put(file, ', and the rest', 4);
  file.close();
  t.equal(kept(a.memory, REFUNDS), 'half, and the rest');
  t.same(names(b.files), ['refunds']);
});

t.test('an open temporary file that another process puts over a memory is that memory', async (t) => {
  for (const append of [true, false]) {
    const { a, b, file } = downloading(t, append);
    a.files.rename(DOWNLOAD, REFUNDS, CONTEXT);
    put(file, ', and', 4);
    b.memory.refresh();
    put(file, ' the rest', 9);
    file.close();
    t.equal(kept(a.memory, REFUNDS), 'half, and the rest');
    t.same(names(b.files), ['refunds']);
  }
});

t.test('a process that has heard that its open file was put over a memory writes to that', async (t) => {
  const { a, b, file } = downloading(t, false);
  put(file, 'HALF', 0);
  a.files.rename(DOWNLOAD, REFUNDS, CONTEXT);
  b.memory.refresh();
  put(file, ', and the rest', 4);
  file.close();
  t.equal(kept(a.memory, REFUNDS), 'HALF, and the rest');
});

t.test(
  'what was written to an open file that became a memory, and was changed there, is beside it',
  async (t) => {
    const { a, b, file } = downloading(t, false);
    file.write(Buffer.from('from b'), 0, CONTEXT);
    a.files.rename(DOWNLOAD, REFUNDS, CONTEXT);
    write(a.files, REFUNDS, 'from a');
    file.flush(CONTEXT);
    file.close();
    t.equal(kept(a.memory, REFUNDS), 'from a');
    t.equal(kept(a.memory, fact('refunds.conflict-s-b')), 'from b');
    t.same(names(b.files), ['refunds', 'refunds.conflict-s-b']);
  },
);

t.test(
  'what is written to an open file that became a memory whose time has ended is there under its name',
  async (t) => {
    const cases = [
      { changed: 'half', name: 'refunds' },
      { changed: 'from a', name: 'refunds.conflict-s-b' },
    ];
    for (const { changed, name } of cases) {
      const { a, b, file } = downloading(t, false);
      file.write(Buffer.from('from b'), 0, CONTEXT);
      a.files.rename(DOWNLOAD, REFUNDS, CONTEXT);
      write(a.files, REFUNDS, changed);
      set(a.files, REFUNDS, 'ttl', '60');
      for (const { clock } of [a, b]) clock.advance(120_000);
      file.flush(CONTEXT);
      file.close();
      t.same(names(b.files), [name]);
      t.equal(kept(a.memory, fact(name)), 'from b');
    }
  },
);

t.test('an open backup that another process puts over a memory is that memory', async (t) => {
  const [a, b] = two(t);
  const backup = fact('refunds~');
  write(a.files, REFUNDS, 'old');
  a.files.rename(REFUNDS, backup, CONTEXT);
  write(a.files, fact('other'), 'other');
  const file = b.files.openToWrite(backup, { append: true, truncate: false }, CONTEXT);
  a.files.rename(backup, fact('other'), CONTEXT);
  put(file, ', and more', 3);
  file.close();
  t.equal(kept(a.memory, fact('other')), 'old, and more');
});

t.test('a memory that was put over another one and restored is put over it once more', async (t) => {
  const { a, backup } = putOver(t);
  a.memory.restore('refunds', CONTEXT);
  a.files.rename(REFUNDS, backup, CONTEXT);
  a.files.rename(backup, OTHER, CONTEXT);
  t.equal(kept(a.memory, OTHER), 'old');
  t.same(names(a.files), ['other']);
});

t.test(
  'what is written to a memory that was restored, and removed again, goes to no other one',
  async (t) => {
    const { a, b } = putOver(t);
    a.memory.restore('refunds', CONTEXT);
    const file = b.files.openToWrite(REFUNDS, { append: true, truncate: false }, CONTEXT);
    a.files.remove(REFUNDS, CONTEXT);
    put(file, ', and more', 3);
    file.close();
    t.equal(kept(a.memory, OTHER), 'old');
  },
);

t.test('two memories of which each was put over the other one are removed', async (t) => {
  const { a, b } = putOver(t);
  a.memory.restore('refunds', CONTEXT);
  const file = b.files.openToWrite(REFUNDS, { append: true, truncate: false }, CONTEXT);
  a.files.rename(OTHER, fact('other~'), CONTEXT);
  a.files.rename(fact('other~'), REFUNDS, CONTEXT);
  a.files.remove(REFUNDS, CONTEXT);
  put(file, ', and more', 3);
  file.close();
  t.same(names(a.files), []);
});
