import t from 'tap';
import { CONTEXT, fact, kept, names, two, write } from './fixture.ts';

const REFUNDS = fact('refunds');

t.test('an open temporary file that another process makes a memory of is that memory', async (t) => {
  const [a, b] = two(t);
  const download = fact('refunds.part');
  write(a.files, download, 'half');
  const file = b.files.openToWrite(download, { append: true, truncate: false }, CONTEXT);
  a.files.rename(download, REFUNDS, CONTEXT);
  file.write(Buffer.from(', and the rest'), 4, CONTEXT);
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(a.memory, REFUNDS), 'half, and the rest');
  t.same(names(b.files), ['refunds']);
});

t.test('an open temporary file that another process puts over a memory is that memory', async (t) => {
  for (const append of [true, false]) {
    const [a, b] = two(t);
    const download = fact('refunds.part');
    write(a.files, REFUNDS, 'old');
    write(a.files, download, 'half');
    const file = b.files.openToWrite(download, { append, truncate: false }, CONTEXT);
    a.files.rename(download, REFUNDS, CONTEXT);
    file.write(Buffer.from(', and'), 4, CONTEXT);
    file.flush(CONTEXT);
    b.memory.refresh();
    file.write(Buffer.from(' the rest'), 9, CONTEXT);
    file.flush(CONTEXT);
    file.close();
    t.equal(kept(a.memory, REFUNDS), 'half, and the rest');
    t.same(names(b.files), ['refunds']);
  }
});

t.test('a process that has heard that its open file was put over a memory writes to that', async (t) => {
  const [a, b] = two(t);
  const download = fact('refunds.part');
  write(a.files, REFUNDS, 'old');
  write(a.files, download, 'half');
  const file = b.files.openToWrite(download, { append: false, truncate: false }, CONTEXT);
  file.write(Buffer.from('HALF'), 0, CONTEXT);
  file.flush(CONTEXT);
  a.files.rename(download, REFUNDS, CONTEXT);
  b.memory.refresh();
  file.write(Buffer.from(', and the rest'), 4, CONTEXT);
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(a.memory, REFUNDS), 'HALF, and the rest');
});

t.test(
  'what was written to an open file that became a memory, and was changed there, is beside it',
  async (t) => {
    const [a, b] = two(t);
    const download = fact('refunds.part');
    write(a.files, REFUNDS, 'old');
    write(a.files, download, 'half');
    const file = b.files.openToWrite(download, { append: false, truncate: false }, CONTEXT);
    file.write(Buffer.from('from b'), 0, CONTEXT);
    a.files.rename(download, REFUNDS, CONTEXT);
    write(a.files, REFUNDS, 'from a');
    file.flush(CONTEXT);
    file.close();
    t.equal(kept(a.memory, REFUNDS), 'from a');
    t.equal(kept(a.memory, fact('refunds.conflict-s-b')), 'from b');
    t.same(names(b.files), ['refunds', 'refunds.conflict-s-b']);
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
  file.write(Buffer.from(', and more'), 3, CONTEXT);
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(a.memory, fact('other')), 'old, and more');
});
