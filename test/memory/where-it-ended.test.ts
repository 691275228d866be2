import t from 'tap';
import type { MemoryFile } from '../../src/memory/memory-files.ts';
import { append, CONTEXT, fact, kept, keys, type Remembering, two } from './fixture.ts';

const LOG = fact('log');

/** Makes a file as a driver does that does not know whether the caller appends. */
function made({ files }: Remembering): MemoryFile {
  return files.create(LOG, { append: false, truncate: false, exclusive: true, mode: 0o600 }, CONTEXT);
}

function put(file: MemoryFile, text: string, position: number): void {
  file.write(Buffer.from(text), position, CONTEXT, 'where it ended');
}

t.test('what others appended behind what was stored is not overwritten', async (t) => {
  const [a, b] = two(t);
  const file = made(a);
  put(file, 'one\n', 0);
  file.flush(CONTEXT);
  append(b.files, LOG, 'elsewhere\n');
  put(file, 'two\n', 4);
  put(file, 'three\n', 8);
  file.close();
  t.equal(kept(a.memory, LOG), 'one\nelsewhere\ntwo\nthree\n');
  t.same(keys(a.memory), ['log']);
});

t.test('what others append before it is stored stays there, too', async (t) => {
  const [a, b] = two(t);
  const file = made(a);
  put(file, 'one\n', 0);
  file.flush(CONTEXT);
  put(file, 'two\n', 4);
  put(file, 'three\n', 8);
  append(b.files, LOG, 'elsewhere\n');
  file.close();
  t.equal(kept(a.memory, LOG), 'one\nelsewhere\ntwo\nthree\n');
});

t.test('a file of which nothing was stored is a content of its own', async (t) => {
  const [a, b] = two(t);
  const file = made(a);
  put(file, 'one\n', 0);
  put(file, 'two\n', 4);
  append(b.files, LOG, 'elsewhere\n');
  file.close();
  t.equal(kept(b.memory, LOG), 'elsewhere\n');
  t.equal(keys(a.memory).length, 2, 'it is kept as a conflict copy');
});
