import t from 'tap';
import type { MemoryPlace } from '../../src/core/memory-entry.ts';
import { ReadingHandle } from '../../src/memory/live-handles.ts';
import type { MemoryFile, MemoryFiles } from '../../src/memory/memory-files.ts';
import {
  append,
  CONTEXT,
  codeOf,
  exists,
  fact,
  kept,
  keys,
  names,
  read,
  remembering,
  write,
} from './fixture.ts';

const REFUNDS = fact('refunds');
const MIB = 1024 * 1024;

function create(files: MemoryFiles, place: MemoryPlace = REFUNDS, isAppending = false): MemoryFile {
  const options = { append: isAppending, truncate: false, exclusive: true, mode: 0o644 };
  return files.create(place, options, CONTEXT);
}

function open(files: MemoryFiles, place: MemoryPlace = REFUNDS): MemoryFile {
  return files.openToWrite(place, { append: false, truncate: false }, CONTEXT);
}

function truncating(files: MemoryFiles, place: MemoryPlace = REFUNDS): MemoryFile {
  return files.openToWrite(place, { append: false, truncate: true }, CONTEXT);
}

function appending(files: MemoryFiles, place: MemoryPlace = REFUNDS): MemoryFile {
  return files.openToWrite(place, { append: true, truncate: false }, CONTEXT);
}

function textOf(file: {
  readonly sizeBytes: number;
  read(target: Uint8Array, position: number): unknown;
}): string {
  const target = Buffer.alloc(file.sizeBytes);
  file.read(target, 0);
  return target.toString();
}

function put(file: MemoryFile, text: string, position = 0): void {
  file.write(Buffer.from(text), position, CONTEXT);
}

t.test('what was flushed is kept, byte for byte', async (t) => {
  const { files, memory } = remembering(t);
  const bytes = Buffer.from([0xff, 0, 0xfe, 10, 13]);
  const file = create(files);
  file.write(bytes, 0, CONTEXT);
  file.flush(CONTEXT);
  t.same(Buffer.from(memory.get(REFUNDS)?.content ?? []), bytes);
  file.close();
});

t.test('bytes that are the caller’s again after a write are not kept', async (t) => {
  const { files, memory } = remembering(t);
  const bytes = Buffer.from('mine');
  const file = create(files);
  file.write(bytes, 0, CONTEXT);
  bytes.fill('x');
  file.flush(CONTEXT);
  t.equal(kept(memory, REFUNDS), 'mine');
  file.close();
});

t.test('a new file is there at once, and kept from its first flush on', async (t) => {
  const { files, memory } = remembering(t);
  const file = create(files);
  t.equal(files.stat(REFUNDS).sizeBytes, 0);
  t.same(names(files), ['refunds']);
  t.equal(
    codeOf(() => create(files)),
    'EEXIST',
  );
  file.flush(CONTEXT);
  t.equal(memory.count(), 0, 'a flush before the first write keeps nothing');
  put(file, 'new');
  t.equal(files.stat(REFUNDS).sizeBytes, 3);
  t.equal(memory.count(), 0);
  file.flush(CONTEXT);
  t.equal(kept(memory, REFUNDS), 'new');
  file.close();
});

t.test('a new file that nobody wrote is kept, empty, when it is closed', async (t) => {
  const { files, memory } = remembering(t);
  const file = create(files);
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(memory, REFUNDS), '');
});

t.test('a new file whose times are set, as touch(1) does, is kept at once', async (t) => {
  const { files, memory } = remembering(t);
  const file = create(files);
  files.changeTimes(REFUNDS, { modifiedNs: 5_000_000_123n }, CONTEXT);
  t.equal(kept(memory, REFUNDS), '');
  file.close();
  t.equal(files.stat(REFUNDS).modifiedNs, 5_000_000_123n);
});

t.test('closing a file that was written and never flushed keeps it', async (t) => {
  const { files, memory } = remembering(t);
  const file = create(files);
  put(file, 'mapped');
  file.close();
  t.equal(kept(memory, REFUNDS), 'mapped');
});

t.test(
  'O_TRUNC empties for all, and keeps the old content until something is flushed that was written',
  async (t) => {
    const { files, memory } = remembering(t);
    write(files, REFUNDS, 'old');
    const reader = files.open(REFUNDS, CONTEXT);
    const file = truncating(files);
    t.equal(textOf(reader), '');
    t.equal(files.stat(REFUNDS).sizeBytes, 0);
    file.flush(CONTEXT);
    t.equal(kept(memory, REFUNDS), 'old', 'after the flush of dup2');
    put(file, 'new');
    t.equal(kept(memory, REFUNDS), 'old');
    file.flush(CONTEXT);
    t.equal(kept(memory, REFUNDS), 'new');
    file.close();
    reader.close();
  },
);

t.test('O_TRUNC and a close without any write keep an empty entry', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'old');
  truncating(files).close();
  t.equal(kept(memory, REFUNDS), '');
  t.same(
    memory.versions(REFUNDS).map(({ content }) => Buffer.from(content).toString()),
    ['old'],
  );
});

t.test('O_TRUNC and fsync keep an empty entry', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'old');
  const file = truncating(files);
  await file.sync(CONTEXT);
  t.equal(kept(memory, REFUNDS), '');
  file.close();
});

t.test('two appenders lose nothing, and a reader sees the file grow', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, '');
  const reader = files.open(REFUNDS, CONTEXT);
  const [a, b] = [appending(files), appending(files)];
  for (let number = 0; number < 5; number += 1) {
    put(a, `a${number} `);
    put(b, `b${number} `);
  }
  t.equal(textOf(reader), 'a0 b0 a1 b1 a2 b2 a3 b3 a4 b4 ');
  t.equal(reader.stat?.().sizeBytes, 30);
  a.flush(CONTEXT);
  b.flush(CONTEXT);
  t.equal(kept(memory, REFUNDS)?.length, 30);
  for (const file of [a, b, reader]) file.close();
});

t.test('a flush without changes does nothing', async (t) => {
  const { files, memory, events } = remembering(t);
  const file = create(files);
  put(file, 'once');
  file.flush(CONTEXT);
  const revision = memory.revision();
  file.flush(CONTEXT);
  await file.sync(CONTEXT);
  file.close();
  t.equal(memory.revision(), revision);
  t.equal(events.length, 1);
});

t.test('a gap is zeros, also where something was cut off before', async (t) => {
  const { files } = remembering(t);
  const file = create(files);
  put(file, 'secret');
  file.truncate(2, CONTEXT);
  put(file, 'x', 5);
  t.equal(textOf(file), 'se\0\0\0x');
  file.truncate(8, CONTEXT);
  t.equal(textOf(file), 'se\0\0\0x\0\0');
  file.close();
});

t.test('truncate by path is kept at once', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'Refunds take 5 days');
  files.truncate(REFUNDS, 7, CONTEXT);
  t.equal(kept(memory, REFUNDS), 'Refunds');
  files.truncate(REFUNDS, 0, CONTEXT);
  t.equal(kept(memory, REFUNDS), '');
});

t.test('what is too large is refused before anything is set aside for it', async (t) => {
  const { files, memory } = remembering(t, { limits: { maxEntryBytes: 16 * MIB } });
  write(files, REFUNDS, 'kept');
  const file = open(files);
  const used = process.memoryUsage().arrayBuffers;
  t.equal(
    codeOf(() => file.truncate(2 ** 40, CONTEXT)),
    'EFBIG',
  );
  t.equal(
    codeOf(() => files.truncate(REFUNDS, 2 ** 40, CONTEXT)),
    'EFBIG',
  );
  t.equal(
    codeOf(() => put(file, 'x', 2 ** 40)),
    'EFBIG',
  );
  t.equal(
    codeOf(() => put(file, 'x', 16 * MIB)),
    'EFBIG',
  );
  t.ok(process.memoryUsage().arrayBuffers - used < MIB);
  t.equal(
    codeOf(() => file.flush(CONTEXT)),
    'EFBIG',
  );
  file.close();
  t.equal(kept(memory, REFUNDS), 'kept');
});

t.test('a write that failed leaves the entry as it was', async (t) => {
  const { files, memory, told } = remembering(t);
  write(files, REFUNDS, 'kept');
  const before = files.stat(REFUNDS).modifiedNs;
  const file = truncating(files);
  put(file, 'x'.repeat(1000));
  const shown = files.stat(REFUNDS).modifiedNs;
  t.equal(
    codeOf(() => put(file, 'y', 1000)),
    'EFBIG',
  );
  t.equal(
    codeOf(() => put(file, 'y', 10)),
    'EFBIG',
    'until the flush, all is refused',
  );
  told();
  t.equal(
    codeOf(() => file.flush(CONTEXT)),
    'EFBIG',
  );
  t.equal(read(files, REFUNDS), 'kept');
  t.equal(kept(memory, REFUNDS), 'kept');
  t.ok(files.stat(REFUNDS).modifiedNs > shown, 'who has cached the rest sees a later time');
  t.ok(files.stat(REFUNDS).modifiedNs > before);
  t.same(told(), ['memory/fact/refunds']);
  file.flush(CONTEXT);
  put(file, 'good');
  file.flush(CONTEXT);
  t.equal(kept(memory, REFUNDS), 'good', 'the handle can be used again');
  const last = files.stat(REFUNDS).modifiedNs;
  file.close();
  t.equal(files.stat(REFUNDS).modifiedNs, last);
});

t.test('a new file that was only cut to a size that is too large is not made', async (t) => {
  const { files, memory } = remembering(t);
  const file = create(files);
  t.equal(
    codeOf(() => file.truncate(1001, CONTEXT)),
    'EFBIG',
  );
  t.equal(
    codeOf(() => file.flush(CONTEXT)),
    'EFBIG',
  );
  t.equal(exists(files, REFUNDS), false);
  file.close();
  t.same(keys(memory), []);
  t.equal(exists(files, REFUNDS), false);
});

t.test('a new file that was written after a size that is too large is kept', async (t) => {
  const { files, memory } = remembering(t);
  const file = create(files);
  t.equal(
    codeOf(() => file.truncate(1001, CONTEXT)),
    'EFBIG',
  );
  put(file, 'good');
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(memory, REFUNDS), 'good');
});

t.test('what is kept stays where its new size is too large', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, '');
  const file = open(files);
  t.equal(
    codeOf(() => file.truncate(1001, CONTEXT)),
    'EFBIG',
  );
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(memory, REFUNDS), '');
});

t.test('a new file whose write failed vanishes', async (t) => {
  const { files, memory, told } = remembering(t);
  const file = create(files);
  put(file, 'x'.repeat(1000));
  t.equal(
    codeOf(() => put(file, 'y', 1000)),
    'EFBIG',
  );
  t.equal(
    codeOf(() => file.flush(CONTEXT)),
    'EFBIG',
  );
  t.equal(exists(files, REFUNDS), false);
  t.same(told(), ['memory/fact/refunds']);
  file.flush(CONTEXT);
  t.equal(
    codeOf(() => put(file, 'later')),
    'EFBIG',
    'and nothing goes into nowhere in silence',
  );
  file.close();
  t.equal(memory.count(), 0);
});

t.test('an open file that is removed stays readable and writable, and nothing of it is kept', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'old');
  const file = open(files);
  files.remove(REFUNDS, CONTEXT);
  put(file, 'new text');
  t.equal(textOf(file), 'new text');
  t.equal(file.stat().sizeBytes, 8);
  file.flush(CONTEXT);
  t.equal(exists(files, REFUNDS), false);
  write(files, REFUNDS, 'another');
  put(file, 'ghost');
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(memory, REFUNDS), 'another');
});

t.test('an open file that is renamed is kept under its new name, with what was not flushed', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'old');
  const file = open(files);
  put(file, 'one');
  files.rename(REFUNDS, fact('moved'), CONTEXT);
  t.equal(read(files, fact('moved')), 'one');
  put(file, 'two');
  t.equal(read(files, fact('moved')), 'two');
  file.flush(CONTEXT);
  file.close();
  t.same(keys(memory), ['moved']);
  t.equal(kept(memory, fact('moved')), 'two');
});

t.test('a file that was emptied and renamed keeps its content until it is written', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'old');
  const file = truncating(files);
  files.rename(REFUNDS, fact('moved'), CONTEXT);
  t.equal(kept(memory, fact('moved')), 'old');
  put(file, 'new');
  file.flush(CONTEXT);
  t.equal(kept(memory, fact('moved')), 'new');
  file.close();
});

t.test('who has a file open that another one replaces keeps reading it', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'old');
  write(files, fact('refunds~tmp'), 'new');
  const reader = files.open(REFUNDS, CONTEXT);
  const writer = open(files);
  files.rename(fact('refunds~tmp'), REFUNDS, CONTEXT);
  t.equal(textOf(reader), 'old');
  put(writer, 'ghost');
  writer.flush(CONTEXT);
  t.equal(kept(memory, REFUNDS), 'new');
  reader.close();
  writer.close();
  t.equal(read(files, REFUNDS), 'new');
});

t.test('who still has a temporary file open writes into the memory that it became', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'old');
  const file = create(files, fact('refunds.tmp'));
  put(file, 'new');
  files.rename(fact('refunds.tmp'), REFUNDS, CONTEXT);
  t.equal(kept(memory, REFUNDS), 'new');
  put(file, ' and more', 3);
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(memory, REFUNDS), 'new and more');
  t.same(keys(memory), ['refunds']);
});

t.test('times that are set after the last write survive the flush', async (t) => {
  const { files } = remembering(t);
  const file = create(files);
  put(file, 'copied');
  files.changeTimes(REFUNDS, { modifiedNs: 1_577_934_245_000_000_000n }, CONTEXT);
  files.changeMode(REFUNDS, 0o640);
  file.flush(CONTEXT);
  file.close();
  t.match(files.stat(REFUNDS), { modifiedNs: 1_577_934_245_000_000_000n, mode: 0o640 });
});

t.test('opens for reading are counted, and kept when memory is closed', async (t) => {
  const { files, memory, store } = remembering(t);
  write(files, REFUNDS, 'text');
  const revision = memory.revision();
  for (let times = 0; times < 3; times += 1) read(files, REFUNDS);
  t.equal(memory.get(REFUNDS)?.accessCount, 3);
  t.equal(files.attributes(REFUNDS).get('user.kgraphfs.access_count'), '3');
  t.equal(store.memory.entries.at('fact', '', 'refunds')?.accessCount, 0, 'no transaction for each');
  memory.close();
  t.equal(store.memory.entries.at('fact', '', 'refunds')?.accessCount, 3);
  t.equal(memory.get(REFUNDS)?.accessCount, 3);
  t.equal(memory.revision(), revision, 'reading changes nothing');
});

t.test('what is written in place stays there, also by who appends', async (t) => {
  const { files } = remembering(t);
  write(files, REFUNDS, 'one\n');
  const file = appending(files);
  file.write(Buffer.from('O'), 0, CONTEXT, 'mapped');
  file.write(Buffer.from('two\n'), 0, CONTEXT);
  file.flush(CONTEXT);
  file.close();
  t.equal(read(files, REFUNDS), 'One\ntwo\n');
});

t.test(
  'what somebody has open and opens anew to write is appended to only where that is asked for',
  async (t) => {
    const { files } = remembering(t);
    write(files, REFUNDS, 'one\n');
    const reader = files.open(REFUNDS, CONTEXT);
    if (!(reader instanceof ReadingHandle)) throw new Error('it cannot be opened anew');
    const [appender, writer] = [reader.openAgain({ append: true }), reader.openAgain({ append: false })];
    put(appender, 'two\n');
    put(writer, 'O');
    for (const handle of [appender, writer, reader]) handle.close();
    t.equal(read(files, REFUNDS), 'One\ntwo\n');
  },
);

t.test('appending to what is there adds a line', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'one\n');
  append(files, REFUNDS, 'two\n');
  append(files, fact('new'), 'first\n');
  t.equal(kept(memory, REFUNDS), 'one\ntwo\n');
  t.equal(kept(memory, fact('new')), 'first\n');
  t.same(memory.versions(REFUNDS), [], 'nothing was replaced');
});

t.test('a file without a name takes mode and times, and what has its name by now keeps its own', (t) => {
  const { files } = remembering(t);
  write(files, REFUNDS, 'old');
  const file = open(files);
  files.remove(REFUNDS, CONTEXT);
  write(files, REFUNDS, 'new');
  const before = files.stat(REFUNDS);
  file.changeMode(0o100600, CONTEXT);
  file.changeTimes({ modifiedNs: 5n }, CONTEXT);
  t.match(file.stat(), { mode: 0o600, modifiedNs: 5n });
  file.changeTimes({ modifiedNs: 'now' }, CONTEXT);
  t.ok(file.stat().modifiedNs > 5n);
  file.close();
  t.same(files.stat(REFUNDS), before);
  t.end();
});
