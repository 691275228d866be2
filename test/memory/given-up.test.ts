import t from 'tap';
import type { MemoryFile } from '../../src/memory/memory-files.ts';
import { CONTEXT, codeOf, fact, kept, remembering, write } from './fixture.ts';

const REFUNDS = fact('refunds');

t.test('who wrote what is given up with what another handle wrote is told at its own close', async (t) => {
  for (const { what, spoil, code } of [
    {
      what: 'front matter that says something impossible',
      spoil: (file: MemoryFile) => file.write(Buffer.from('---\nconfidence: 9\n---\n'), 0, CONTEXT),
      code: 'EINVAL',
    },
    {
      what: 'too much',
      spoil: (file: MemoryFile) => file.write(Buffer.from('x'), 2000, CONTEXT),
      code: 'EFBIG',
    },
  ]) {
    for (const isFirst of [true, false]) {
      const { files, memory } = remembering(t);
      write(files, REFUNDS, 'first\n');
      const [log, spoiling] = [{ append: true }, {}].map((options) =>
        files.openToWrite(REFUNDS, { append: false, truncate: false, ...options }, CONTEXT),
      ) as [MemoryFile, MemoryFile];
      log.write(Buffer.from('second\n'), 6, CONTEXT);
      t.equal(
        codeOf(() => spoil(spoiling)),
        code,
      );
      const order = isFirst ? [spoiling, log] : [log, spoiling];
      t.equal(
        codeOf(() => order[0]?.flush(CONTEXT)),
        code,
        what,
      );
      t.equal(kept(memory, REFUNDS), 'first\n');
      if (isFirst)
        t.equal(
          codeOf(() => log.flush(CONTEXT)),
          code,
          what,
        );
      log.write(Buffer.from('third\n'), 6, CONTEXT);
      log.flush(CONTEXT);
      t.equal(kept(memory, REFUNDS), 'first\nthird\n', 'and told once');
      log.close();
      spoiling.close();
    }
  }
});

t.test('who was told by fsync is not told once more, and what is written since is kept', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'first\n');
  const log = files.openToWrite(REFUNDS, { append: true, truncate: false }, CONTEXT);
  const other = files.openToWrite(REFUNDS, { append: false, truncate: false }, CONTEXT);
  log.write(Buffer.from('second\n'), 6, CONTEXT);
  t.throws(() => other.write(Buffer.from('x'), 2000, CONTEXT));
  await t.rejects(log.sync(CONTEXT), { code: 'EFBIG' });
  log.flush(CONTEXT);
  log.write(Buffer.from('third\n'), 6, CONTEXT);
  t.throws(() => other.write(Buffer.from('x'), 2000, CONTEXT));
  t.throws(() => other.flush(CONTEXT));
  log.write(Buffer.from('fourth\n'), 6, CONTEXT);
  t.equal(
    codeOf(() => log.flush(CONTEXT)),
    'EFBIG',
  );
  t.equal(kept(memory, REFUNDS), 'first\nfourth\n');
  log.close();
  other.close();
});

t.test(
  'who has cut a file is told at its own close where that was given up with what another handle wrote',
  async (t) => {
    for (const { what, cut, from } of [
      { what: 'ftruncate', cut: (file: MemoryFile) => file.truncate(3, CONTEXT), from: {} },
      { what: 'O_TRUNC', cut: () => {}, from: { truncate: true } },
    ]) {
      const { files, memory } = remembering(t);
      write(files, REFUNDS, 'first\n');
      const cutting = files.openToWrite(REFUNDS, { append: false, truncate: false, ...from }, CONTEXT);
      const spoiling = files.openToWrite(REFUNDS, { append: false, truncate: false }, CONTEXT);
      cut(cutting);
      t.throws(() => spoiling.write(Buffer.from('---\nconfidence: 9\n---\n'), 0, CONTEXT));
      t.throws(() => spoiling.flush(CONTEXT), { code: 'EINVAL' });
      t.equal(kept(memory, REFUNDS), 'first\n');
      t.throws(() => cutting.flush(CONTEXT), { code: 'EINVAL' }, what);
      cutting.flush(CONTEXT);
      for (const file of [cutting, spoiling]) file.close();
    }
  },
);
