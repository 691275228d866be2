import t from 'tap';
import type { MemoryFile, MemoryFiles } from '../../src/memory/memory-files.ts';
import {
  append,
  attribute,
  CONTEXT,
  codeOf,
  fact,
  kept,
  keys,
  names,
  read,
  remembering,
  set,
  two,
  write,
} from './fixture.ts';

const REFUNDS = fact('refunds');

function open(files: MemoryFiles, options: { append?: boolean; truncate?: boolean } = {}): MemoryFile {
  return files.openToWrite(REFUNDS, { append: false, truncate: false, ...options }, CONTEXT);
}

function put(file: MemoryFile, text: string): void {
  file.write(Buffer.from(text), 0, CONTEXT);
}

t.test('what one process writes, another sees when it looks', async (t) => {
  const [a, b] = two(t);
  const heard: unknown[] = [];
  b.memory.onChange((places) => heard.push(places));
  write(a.files, REFUNDS, 'Refunds take 5 days');
  t.equal(kept(b.memory, REFUNDS), 'Refunds take 5 days');
  b.memory.refresh();
  t.same(heard, [[REFUNDS]]);
  t.same(b.told(), ['memory/fact/refunds']);
  b.memory.refresh();
  t.equal(heard.length, 1, 'and hears of it once');
  write(b.files, REFUNDS, 'Refunds take 6 days');
  b.memory.refresh();
  t.equal(heard.length, 2, 'its own change it was told when it made it');
  t.same(b.told(), [], 'and nobody has to be told who made it');
});

t.test('who lags too far behind looks at everything', async (t) => {
  const [a, b] = two(t);
  const heard: unknown[] = [];
  b.memory.onChange((places) => heard.push(places));
  const entries = Array.from({ length: 12_000 }, (_, number) => ({
    ...fact(`n${number}`),
    content: Buffer.from('x'),
  }));
  a.memory.addAll(entries, CONTEXT);
  b.memory.refresh();
  t.same(heard, [[]]);
  t.same(b.told(), ['memory', 'review']);
});

t.test(
  'an open file that was changed elsewhere shows that, as long as nothing was written to it here',
  async (t) => {
    const [a, b] = two(t);
    write(a.files, REFUNDS, 'one');
    const reader = b.files.open(REFUNDS, CONTEXT);
    write(a.files, REFUNDS, 'two and more');
    b.memory.refresh();
    t.equal(reader.sizeBytes, 12);
    const file = open(b.files);
    a.files.truncate(REFUNDS, 3, CONTEXT);
    file.write(Buffer.from('!'), 3, CONTEXT);
    file.flush(CONTEXT);
    t.equal(kept(a.memory, REFUNDS), 'two!', 'also without looking, at the first write');
    file.close();
    reader.close();
  },
);

t.test('the first one to commit stays; the other becomes a conflict copy that says so', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'old');
  const file = open(b.files, { truncate: true });
  put(file, 'from b');
  write(a.files, REFUNDS, 'from a');
  b.told();
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(b.memory, REFUNDS), 'from a');
  t.equal(kept(b.memory, fact('refunds.conflict-s-b')), 'from b');
  t.same(b.memory.get(fact('refunds.conflict-s-b'))?.tags, ['conflict']);
  t.match(b.errors.entries(), [
    { code: 'EBUSY', path: '/context/memory/fact/refunds', message: /kept as .*refunds\.conflict-s-b/ },
  ]);
  t.ok(b.events.some(({ data }) => data?.['conflict'] === '/context/memory/fact/refunds.conflict-s-b'));
  const told: readonly string[] = b.told();
  t.ok(told.includes('memory/fact/refunds') && told.includes('memory/fact/refunds.conflict-s-b'));
});

t.test('who goes on writing after a conflict writes into the copy', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'old');
  const file = open(b.files, { truncate: true });
  put(file, 'from b');
  write(a.files, REFUNDS, 'from a');
  file.flush(CONTEXT);
  file.write(Buffer.from(', all of it'), 6, CONTEXT);
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(b.memory, fact('refunds.conflict-s-b')), 'from b, all of it');
  t.equal(read(b.files, REFUNDS), 'from a');
});

t.test('each conflict has a copy of its own', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'old');
  for (const text of ['b1', 'b2']) {
    const file = open(b.files, { truncate: true });
    put(file, text);
    write(a.files, REFUNDS, `a, when b had ${text}`);
    file.flush(CONTEXT);
    file.close();
  }
  t.same(names(b.files), ['refunds', 'refunds.conflict-s-b', 'refunds.conflict-s-b-2']);
});

t.test('a conflict copy of a long name has a name that fits', async (t) => {
  const [a, b] = two(t);
  const long = fact('é'.repeat(127));
  write(a.files, long, 'old');
  const file = b.files.openToWrite(long, { append: false, truncate: true }, CONTEXT);
  put(file, 'b');
  write(a.files, long, 'a');
  file.flush(CONTEXT);
  file.close();
  const [copy = ''] = names(b.files).filter((name) => name.includes('conflict'));
  t.ok(Buffer.byteLength(copy) <= 255 && copy.endsWith('.conflict-s-b'), copy);
});

t.test('two who make the same file: one of them is a conflict copy', async (t) => {
  const [a, b] = two(t);
  const options = { append: false, truncate: false, exclusive: true, mode: 0o644 };
  const [first, second] = [
    a.files.create(REFUNDS, options, CONTEXT),
    b.files.create(REFUNDS, options, CONTEXT),
  ];
  put(first, 'from a');
  put(second, 'from b');
  second.flush(CONTEXT);
  first.flush(CONTEXT);
  first.close();
  second.close();
  t.equal(kept(a.memory, REFUNDS), 'from b');
  t.equal(kept(a.memory, fact('refunds.conflict-s-a')), 'from a');
});

t.test('two who make the same empty file, or write the same, have no conflict', async (t) => {
  const [a, b] = two(t);
  const options = { append: false, truncate: false, exclusive: true, mode: 0o644 };
  const empty = [
    a.files.create(fact('empty'), options, CONTEXT),
    b.files.create(fact('empty'), options, CONTEXT),
  ];
  for (const file of empty) file.close();
  const same = [a.files.create(REFUNDS, options, CONTEXT), b.files.create(REFUNDS, options, CONTEXT)];
  for (const file of same) put(file, 'same');
  for (const file of same) file.close();
  t.same(keys(a.memory), ['empty', 'refunds']);
});

t.test('two appenders in two processes lose nothing and make no copies', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, '');
  const [first, second] = [open(a.files, { append: true }), open(b.files, { append: true })];
  for (let number = 0; number < 3; number += 1) {
    put(first, `a${number} `);
    put(second, `b${number} `);
    first.flush(CONTEXT);
    second.flush(CONTEXT);
  }
  first.close();
  second.close();
  t.equal(kept(a.memory, REFUNDS), 'a0 b0 a1 b1 a2 b2 ');
  t.equal(read(b.files, REFUNDS), 'a0 b0 a1 b1 a2 b2 ');
  t.same(keys(a.memory), ['refunds']);
  append(b.files, REFUNDS, 'b3');
  t.equal(kept(a.memory, REFUNDS), 'a0 b0 a1 b1 a2 b2 b3');
});

t.test('two appenders to a file that is no memory lose nothing either', async (t) => {
  const [a, b] = two(t);
  const log = fact('.log');
  write(a.files, log, 'begun\n');
  const appending = { append: true, truncate: false };
  const opened = [a, b].map(({ files }) => files.openToWrite(log, appending, CONTEXT));
  for (const file of opened) put(file, 'done\n');
  for (const file of opened) file.close();
  t.equal(read(b.files, log), 'begun\ndone\ndone\n');
  t.same(names(b.files), ['.log']);
});

t.test('who makes a file by appending adds to what another process has made meanwhile', async (t) => {
  const [a, b] = two(t);
  const options = { append: true, truncate: false, exclusive: false, mode: 0o644 };
  const files = [a, b, b].map(({ files }) => files.create(REFUNDS, options, CONTEXT));
  b.told();
  for (const file of files) {
    put(file, 'done\n');
    file.flush(CONTEXT);
  }
  t.equal(kept(a.memory, REFUNDS), 'done\ndone\ndone\n', 'also where all append the same');
  t.same(keys(a.memory), ['refunds']);
  const told: readonly string[] = b.told();
  t.ok(told.includes('memory/fact/refunds'), 'and who has made it is told that it is another text');
  for (const file of files) file.close();
});

t.test('a new file that was cut after something was appended is no addition', async (t) => {
  const [a, b] = two(t);
  const options = { append: true, truncate: false, exclusive: false, mode: 0o644 };
  const file = b.files.create(REFUNDS, options, CONTEXT);
  put(file, 'from b, too long');
  file.truncate(6, CONTEXT);
  write(a.files, REFUNDS, 'from a');
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(a.memory, REFUNDS), 'from a');
  t.equal(kept(a.memory, fact('refunds.conflict-s-b')), 'from b');
});

t.test('half of what one handle appends is committed by no other one', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, '0\n');
  const halves = open(a.files, { append: true });
  const whole = open(a.files, { append: true });
  whole.flush(CONTEXT);
  put(whole, '1\n');
  put(halves, 'wri');
  whole.flush(CONTEXT);
  t.equal(kept(b.memory, REFUNDS), '0\n1\n');
  t.equal(read(a.files, REFUNDS), '0\n1\nwri', 'it is seen where it was written');
  append(b.files, REFUNDS, '2\n');
  whole.flush(CONTEXT);
  put(halves, 'ter\n');
  append(b.files, REFUNDS, '3\n');
  a.memory.refresh();
  halves.flush(CONTEXT);
  t.equal(kept(b.memory, REFUNDS), '0\n1\n2\n3\nwriter\n');
  t.equal(read(a.files, REFUNDS), '0\n1\n2\n3\nwriter\n');
  put(halves, 'ha');
  append(b.files, REFUNDS, '4\n');
  put(whole, '5\n');
  put(halves, 'lf\n');
  append(a.files, REFUNDS, '6\n');
  halves.close();
  whole.close();
  t.equal(kept(b.memory, REFUNDS), '0\n1\n2\n3\nwriter\n4\nha5\nlf\n6\n', 'order is that of the writes');
  t.same(keys(a.memory), ['refunds']);
});

t.test(
  'half of what one handle appends stays, where another one commits beside another process',
  async (t) => {
    const [a, b] = two(t);
    write(a.files, REFUNDS, '0\n');
    const [whole, halves] = [open(a.files, { append: true }), open(a.files, { append: true })];
    put(whole, '1\n');
    put(halves, 'wri');
    append(b.files, REFUNDS, '2\n');
    whole.flush(CONTEXT);
    t.equal(kept(b.memory, REFUNDS), '0\n2\n1\n');
    t.equal(read(a.files, REFUNDS), '0\n2\n1\nwri');
    put(halves, 'ter\n');
    halves.flush(CONTEXT);
    t.equal(kept(b.memory, REFUNDS), '0\n2\n1\nwriter\n');
    for (const file of [whole, halves]) file.close();
  },
);

t.test(
  'what grows too large with what another process appended is refused, and may be tried anew',
  async (t) => {
    const [a, b] = two(t);
    const line = `${'x'.repeat(399)}\n`;
    write(a.files, REFUNDS, line);
    const file = open(a.files, { append: true });
    put(file, line);
    append(b.files, REFUNDS, line);
    t.equal(
      codeOf(() => file.flush(CONTEXT)),
      'EFBIG',
    );
    t.equal(kept(b.memory, REFUNDS), line + line);
    t.equal(read(a.files, REFUNDS), line + line, 'and shown is what is kept');
    put(file, 'less\n');
    file.flush(CONTEXT);
    file.close();
    t.equal(kept(b.memory, REFUNDS), `${line}${line}less\n`);
  },
);

t.test('what is appended waits neither for a handle that is closed nor where all is synced', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, '0\n');
  const [appending, other] = [open(a.files, { append: true }), open(a.files)];
  put(appending, '1\n');
  other.flush(CONTEXT);
  t.equal(kept(b.memory, REFUNDS), '0\n');
  await other.sync(CONTEXT);
  t.equal(kept(b.memory, REFUNDS), '0\n1\n');
  put(appending, '2\n');
  appending.close();
  other.flush(CONTEXT);
  t.equal(kept(b.memory, REFUNDS), '0\n1\n2\n');
  other.close();
});

t.test(
  'who has pages of a file is told where it turns out to be another, before anybody looks',
  async (t) => {
    const [a, b] = two(t);
    write(a.files, REFUNDS, 'one\n');
    const appending = open(a.files, { append: true });
    a.told();
    append(b.files, REFUNDS, 'two\n');
    appending.write(Buffer.from('three\n'), 4, CONTEXT);
    t.equal(new Set(a.told()).size, 1, 'at a write');
    appending.flush(CONTEXT);
    append(b.files, REFUNDS, 'four\n');
    open(a.files).close();
    t.same(a.told(), ['memory/fact/refunds'], 'at an opening');
    t.equal(read(a.files, REFUNDS), 'one\ntwo\nthree\nfour\n');
    appending.close();
  },
);

t.test('what is appended elsewhere than who asked thought is told', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'one\n');
  const appending = open(a.files, { append: true });
  append(b.files, REFUNDS, 'two\n');
  a.memory.refresh();
  a.told();
  // The kernel knows that there is something to ask for, and has not asked.
  appending.write(Buffer.from('three\n'), 4, CONTEXT);
  t.same(a.told(), ['memory/fact/refunds']);
  appending.write(Buffer.from('four\n'), 14, CONTEXT);
  appending.flush(CONTEXT);
  t.same(a.told(), [], 'what goes where it was thought to go is not');
  appending.close();
  t.equal(kept(b.memory, REFUNDS), 'one\ntwo\nthree\nfour\n');
});

t.test('metadata that is set elsewhere is no conflict', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'old');
  const file = open(b.files, { truncate: true });
  put(file, 'from b');
  set(a.files, REFUNDS, 'confidence', '0.9');
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(b.memory, REFUNDS), 'from b');
  t.equal(attribute(b.files, REFUNDS, 'confidence'), '0.9');
});

t.test('an open file that was renamed elsewhere is kept under its new name', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'old');
  const file = open(b.files, { truncate: true });
  put(file, 'from b');
  a.files.rename(REFUNDS, fact('moved'), CONTEXT);
  file.flush(CONTEXT);
  file.close();
  t.equal(kept(b.memory, fact('moved')), 'from b');
  t.same(keys(b.memory), ['moved']);
});

for (const { what, from, to } of [
  { what: 'file', from: REFUNDS, to: fact('moved') },
  { what: 'file that is set aside', from: REFUNDS, to: fact('refunds~') },
  { what: 'folder', from: fact('billing'), to: fact('moved') },
]) {
  t.test(
    `an open ${what} that is renamed right after another process wrote it has what that wrote`,
    async (t) => {
      const [a, b] = two(t);
      const isFolder = what === 'folder';
      const place = isFolder ? fact('billing/refunds') : REFUNDS;
      const moved = isFolder ? fact('moved/refunds') : to;
      if (isFolder) a.files.makeFolder(from, 0o755);
      write(a.files, place, 'old');
      const file = b.files.openToWrite(place, { append: false, truncate: false }, CONTEXT);
      write(a.files, place, 'from a');
      b.told();
      b.files.rename(from, to, CONTEXT);
      t.equal(file.stat().sizeBytes, 6);
      t.equal(b.files.stat(moved).sizeBytes, 6);
      t.ok(
        b.told().map(String).includes(`memory/fact/${moved.key}`),
        'which those who know the file are told',
      );
      file.write(Buffer.from('b'), 5, CONTEXT);
      file.flush(CONTEXT);
      file.close();
      t.equal(read(b.files, moved), 'from b');
    },
  );
}

t.test(
  'a file that is emptied, and renamed right after another process wrote it, takes nothing from that',
  async (t) => {
    const [a, b] = two(t);
    write(a.files, REFUNDS, 'old');
    const file = open(b.files, { truncate: true });
    write(a.files, REFUNDS, 'from a');
    b.files.rename(REFUNDS, fact('moved'), CONTEXT);
    put(file, 'from b');
    file.flush(CONTEXT);
    file.close();
    t.equal(kept(a.memory, fact('moved')), 'from a');
    t.equal(kept(a.memory, fact('moved.conflict-s-b')), 'from b');
  },
);

t.test(
  'what was appended to a file that was renamed and changed elsewhere is added to it there',
  async (t) => {
    const [a, b] = two(t);
    write(a.files, REFUNDS, 'one\n');
    const file = open(b.files, { append: true });
    put(file, 'from b\n');
    a.files.rename(REFUNDS, fact('moved'), CONTEXT);
    append(a.files, fact('moved'), 'from a\n');
    file.flush(CONTEXT);
    file.close();
    t.equal(kept(a.memory, fact('moved')), 'one\nfrom a\nfrom b\n');
    t.same(names(b.files), ['moved']);
    const told: readonly string[] = b.told();
    t.ok(told.includes('memory/fact/moved'));
  },
);

t.test('what was written to a file that was removed elsewhere is a conflict copy', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'old');
  const file = open(b.files, { truncate: true });
  put(file, 'from b');
  a.files.remove(REFUNDS, CONTEXT);
  file.flush(CONTEXT);
  file.close();
  t.same(keys(b.memory), ['refunds.conflict-s-b']);
});

t.test('a file that was removed elsewhere and not written here is gone here, too', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'old');
  const reader = b.files.open(REFUNDS, CONTEXT);
  a.files.remove(REFUNDS, CONTEXT);
  b.memory.refresh();
  t.equal(
    codeOf(() => b.files.stat(REFUNDS)),
    'ENOENT',
  );
  t.equal(reader.sizeBytes, 3, 'who has it open keeps it');
  reader.close();
});

t.test('a change that the same process makes by another way is seen by open files', async (t) => {
  const { memory, files, told } = remembering(t);
  write(files, REFUNDS, 'one');
  told();
  const reader = files.open(REFUNDS, CONTEXT);
  memory.replace(REFUNDS, Buffer.from('two'), CONTEXT);
  t.equal(read(files, REFUNDS), 'two');
  t.equal(reader.sizeBytes, 3);
  t.same(told(), ['memory/fact/refunds']);
  reader.close();
});

t.test('an emptied file wins over what was written meanwhile, which stays among the versions', async (t) => {
  const [a, b] = two(t);
  write(a.files, REFUNDS, 'old');
  const file = open(b.files, { truncate: true });
  write(a.files, REFUNDS, 'from a');
  file.close();
  t.equal(kept(a.memory, REFUNDS), '');
  t.same(
    a.memory.versions(REFUNDS).map(({ content }) => Buffer.from(content).toString()),
    ['from a', 'old'],
  );
});
