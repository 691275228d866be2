import t from 'tap';
import { cpuMs } from '../support/cpu-time.ts';
import {
  attribute,
  CONTEXT,
  codeOf,
  exists,
  fact,
  kept,
  keys,
  names,
  read,
  remembering,
  set,
  write,
} from './fixture.ts';

const REFUNDS = fact('refunds');

t.test('moving to another type reclassifies: the same entry in another folder', async (t) => {
  const { files, memory, events } = remembering(t);
  write(files, REFUNDS, 'Refunds take 5 days');
  set(files, REFUNDS, 'confidence', '0.9');
  const { id } = memory.get(REFUNDS) ?? {};
  const place = { type: 'procedural', key: 'refunds' } as const;
  files.rename(REFUNDS, place, CONTEXT);
  t.equal(exists(files, REFUNDS), false);
  t.match(memory.get(place), { id, confidence: 0.9, type: 'procedural' });
  t.equal(attribute(files, place, 'type'), 'procedural');
  t.match(events.at(-1), {
    type: 'rename',
    path: '/context/memory/fact/refunds',
    data: { to: '/context/memory/procedural/refunds' },
  });
});

t.test('an entry that another one replaces can be restored', async (t) => {
  const { files, memory } = remembering(t);
  write(files, fact('a'), 'A');
  write(files, fact('b'), 'B');
  files.rename(fact('a'), fact('b'), CONTEXT);
  t.same(keys(memory), ['b']);
  t.equal(kept(memory, fact('b')), 'A');
  t.equal(
    codeOf(() => memory.restore('b', CONTEXT)),
    'EEXIST',
  );
  files.rename(fact('b'), fact('c'), CONTEXT);
  memory.restore('b', CONTEXT);
  t.equal(kept(memory, fact('b')), 'B');
});

t.test(
  'a backup by rename may replace the one before it, also one that an entry was set aside as',
  async (t) => {
    const { files, memory } = remembering(t);
    write(files, REFUNDS, 'one');
    const id = memory.get(REFUNDS)?.id;
    for (const [before, after] of [
      ['one', 'two'],
      ['two', 'three'],
    ] as const) {
      files.rename(REFUNDS, fact('refunds~'), CONTEXT);
      write(files, REFUNDS, after);
      t.equal(read(files, fact('refunds~')), before);
      t.match(memory.get(REFUNDS), { id, content: Buffer.from(after) });
    }
    files.rename(REFUNDS, fact('refunds~'), CONTEXT);
    write(files, fact('other'), 'other');
    files.rename(fact('other'), fact('refunds~'), CONTEXT);
    t.equal(read(files, fact('refunds~')), 'other');
    t.same(keys(memory), []);
    memory.restore('refunds', CONTEXT);
    t.equal(kept(memory, REFUNDS), 'three', 'what was replaced counts as removed from where it belongs');
  },
);

t.test('rename refuses what a disk refuses', async (t) => {
  const { files } = remembering(t);
  write(files, REFUNDS, 'x');
  files.makeFolder(fact('a'), 0o755);
  files.makeFolder(fact('a/b'), 0o755);
  write(files, fact('a/b/c'), 'x');
  for (const [from, to, code] of [
    ['nothing', 'x', 'ENOENT'],
    ['nothing/x', 'x', 'ENOENT'],
    ['refunds/x', 'x', 'ENOTDIR'],
    ['refunds', 'nothing/x', 'ENOENT'],
    ['refunds', 'a', 'EISDIR'],
    ['refunds', 'a/b/c/d', 'ENOTDIR'],
    ['a', 'refunds', 'ENOTDIR'],
    ['a', 'a/b', 'EINVAL'],
    ['a', 'a/b/d', 'EINVAL'],
    ['a/b', 'a', 'ENOTEMPTY'],
  ] as const) {
    t.equal(
      codeOf(() => files.rename(fact(from), fact(to), CONTEXT)),
      code,
      `${from} -> ${to}`,
    );
  }
  files.rename(REFUNDS, REFUNDS, CONTEXT);
  files.rename(fact('a'), fact('a'), CONTEXT);
  t.same(names(files), ['a', 'refunds']);
});

t.test('a folder moves with all that is in it, open files too', async (t) => {
  const { files, memory } = remembering(t);
  files.makeFolder(fact('a'), 0o755);
  files.makeFolder(fact('a/b'), 0o755);
  const beside = ['a-b', 'a.b', 'a0', 'ab'];
  for (const name of beside) {
    files.makeFolder(fact(name), 0o755);
    files.makeFolder(fact(`${name}/b`), 0o755);
    write(files, fact(`${name}/d`), 'D');
  }
  write(files, fact('a/b/c'), 'C');
  const open = files.openToWrite(fact('a/b/c'), { append: true, truncate: false }, CONTEXT);
  open.write(Buffer.from('+'), 0, CONTEXT);
  const place = { type: 'episodic', key: 'moved' } as const;
  files.rename(fact('a'), place, CONTEXT);
  t.same(names(files), beside);
  for (const name of beside) t.same(names(files, fact(name)), ['b', 'd']);
  t.same(files.list(place), [{ name: 'b', kind: 'directory' }]);
  open.write(Buffer.from('+'), 0, CONTEXT);
  open.flush(CONTEXT);
  open.close();
  t.equal(kept(memory, { type: 'episodic', key: 'moved/b/c' }), 'C++');
  for (const name of beside) t.equal(kept(memory, fact(`${name}/d`)), 'D');
  t.same(
    memory.search({ text: 'moved', limit: 5 }).map(({ path }) => path),
    ['memory/episodic/moved/b/c'],
  );
});

t.test('an empty folder can be replaced by another folder', async (t) => {
  const { files } = remembering(t);
  files.makeFolder(fact('a'), 0o755);
  write(files, fact('a/x'), 'x');
  files.makeFolder(fact('b'), 0o755);
  files.rename(fact('a'), fact('b'), CONTEXT);
  t.same(names(files), ['b']);
  t.equal(read(files, fact('b/x')), 'x');
});

t.test('folders are made and removed as on a disk', async (t) => {
  const { files } = remembering(t);
  files.makeFolder(fact('a'), 0o755);
  t.equal(files.stat(fact('a')).kind, 'directory');
  t.equal(files.stat(fact('a')).mode, 0o755);
  write(files, fact('a/x'), 'x');
  t.equal(
    codeOf(() => files.makeFolder(fact('a'), 0o755)),
    'EEXIST',
  );
  t.equal(
    codeOf(() => files.makeFolder(fact('a/x'), 0o755)),
    'EEXIST',
  );
  t.equal(
    codeOf(() => files.makeFolder(fact('b/c'), 0o755)),
    'ENOENT',
  );
  t.equal(
    codeOf(() => files.makeFolder(fact('a/x/c'), 0o755)),
    'ENOTDIR',
  );
  t.equal(
    codeOf(() => files.removeFolder(fact('a'))),
    'ENOTEMPTY',
  );
  t.equal(
    codeOf(() => files.removeFolder(fact('a/x'))),
    'ENOTDIR',
  );
  t.equal(
    codeOf(() => files.removeFolder(fact('b'))),
    'ENOENT',
  );
  t.equal(
    codeOf(() => files.remove(fact('a'), CONTEXT)),
    'EISDIR',
  );
  t.equal(
    codeOf(() => files.open(fact('a'), CONTEXT)),
    'EISDIR',
  );
  t.equal(
    codeOf(() => files.list(fact('a/x'))),
    'ENOTDIR',
  );
  files.remove(fact('a/x'), CONTEXT);
  files.removeFolder(fact('a'));
  t.same(names(files), []);
});

t.test('a folder with a file that is not kept yet is not empty', async (t) => {
  const { files } = remembering(t);
  files.makeFolder(fact('a'), 0o755);
  const options = { append: false, truncate: false, exclusive: true, mode: 0o644 };
  const file = files.create(fact('a/x'), options, CONTEXT);
  t.equal(
    codeOf(() => files.removeFolder(fact('a'))),
    'ENOTEMPTY',
  );
  file.close();
});

t.test('the time of a folder is when what it lists last changed', async (t) => {
  const { files, clock } = remembering(t);
  files.makeFolder(fact('a'), 0o755);
  const made = files.stat(fact('a')).modifiedNs;
  clock.advance(1000);
  write(files, fact('a/x'), 'x');
  const filled = files.stat(fact('a')).modifiedNs;
  t.equal(filled - made, 1_000_000_000n);
  clock.advance(1000);
  write(files, fact('a/x'), 'y');
  t.equal(files.stat(fact('a')).modifiedNs, filled);
  files.remove(fact('a/x'), CONTEXT);
  t.equal(files.stat(fact('a')).modifiedNs - filled, 1_000_000_000n);
  t.ok(files.stat(fact('')).modifiedNs >= made);
});

t.test('the time of a folder is also when a name came back, by whatever way its entry did', async (t) => {
  const { files, clock } = remembering(t);
  let closeFirst = () => {};
  const comesBack: [how: string, leave: () => void, comeBack: () => void][] = [
    [
      'beside what was set aside',
      () => files.rename(fact('a/x'), fact('a/x~'), CONTEXT),
      () => write(files, fact('a/x'), 'y'),
    ],
    ['after a removal', () => files.remove(fact('a/x'), CONTEXT), () => write(files, fact('a/x'), 'z')],
    [
      'made anew while somebody has the one before open',
      () => {
        const file = files.openToWrite(fact('a/x'), { append: false, truncate: false }, CONTEXT);
        files.remove(fact('a/x'), CONTEXT);
        closeFirst = () => file.close();
      },
      () => {
        write(files, fact('a/x'), 'anew');
        closeFirst();
      },
    ],
    [
      'by a rename',
      () => files.rename(fact('a/x'), fact('a/other'), CONTEXT),
      () => files.rename(fact('a/other'), fact('a/x'), CONTEXT),
    ],
  ];
  files.makeFolder(fact('a'), 0o755);
  write(files, fact('a/x'), 'x');
  for (const [how, leave, comeBack] of comesBack) {
    leave();
    const left = files.stat(fact('a')).modifiedNs;
    clock.advance(1000);
    comeBack();
    t.equal(files.stat(fact('a')).modifiedNs - left, 1_000_000_000n, how);
  }
});

t.test('modes and times are shown as they were set', async (t) => {
  const { files, memory } = remembering(t);
  write(files, REFUNDS, 'x');
  const before = memory.get(REFUNDS);
  files.changeMode(REFUNDS, 0o600);
  files.changeTimes(REFUNDS, { modifiedNs: 1_577_934_245_123_456_789n }, CONTEXT);
  t.match(files.stat(REFUNDS), { mode: 0o600, modifiedNs: 1_577_934_245_123_456_789n });
  t.match(memory.get(REFUNDS), { version: before?.version, updatedMs: before?.updatedMs });
  files.makeFolder(fact('a'), 0o755);
  files.changeMode(fact('a'), 0o700);
  files.changeTimes(fact('a'), { modifiedNs: -5n }, CONTEXT);
  t.match(files.stat(fact('a')), { mode: 0o700, modifiedNs: -5n });
});

t.test('now is after the change before, also within one millisecond', async (t) => {
  const { files } = remembering(t);
  write(files, REFUNDS, 'x');
  files.makeFolder(fact('a'), 0o755);
  for (const place of [REFUNDS, fact('a')]) {
    const writtenNs = files.stat(place).modifiedNs;
    files.changeTimes(place, { modifiedNs: 'now' }, CONTEXT);
    t.equal(files.stat(place).modifiedNs - writtenNs, 1_000_000n);
    files.changeTimes(place, { modifiedNs: -5n }, CONTEXT);
    files.changeTimes(place, { modifiedNs: 'now' }, CONTEXT);
    t.equal(files.stat(place).modifiedNs, writtenNs);
  }
});

t.test('names that other programs find hard are kept', async (t) => {
  const { files, memory } = remembering(t);
  for (const key of [
    'a b',
    'it’s "so"',
    '__proto__',
    'constructor',
    'é'.repeat(127),
    '%2F',
    'new\nline',
    '🙂',
    '*',
    '0',
  ]) {
    write(files, fact(key), key);
    t.equal(kept(memory, fact(key)), key);
    t.ok(names(files).includes(key));
  }
  t.equal(memory.count(), 10);
});

t.test(
  'a listing of a folder with ten thousand entries takes less than 100 ms, and a stat microseconds',
  async (t) => {
    const { files, memory } = remembering(t);
    const content = Buffer.from('Refunds take 5 days\n'.repeat(40));
    const entries = Array.from({ length: 10_000 }, (_, number) => ({ ...fact(`note-${number}`), content }));
    t.same(memory.addAll(entries, CONTEXT), { added: 10_000, replaced: 0, same: 0 });
    const start = cpuMs();
    t.equal(files.list(fact('')).length, 10_000);
    const listed = cpuMs();
    for (let number = 0; number < 10_000; number += 1) files.stat(fact(`note-${number}`));
    t.ok(listed - start < 100, `listing took ${listed - start} ms`);
    const statUs = (cpuMs() - listed) / 10;
    t.ok(statUs < 100, `a stat took ${statUs} µs`);
  },
);
