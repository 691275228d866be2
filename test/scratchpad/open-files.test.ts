import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { systemClock } from '../../src/core/clock.ts';
import { OpenFolder } from '../../src/scratchpad/open-folder.ts';
import { openScratchpad, Scratchpad } from '../../src/scratchpad/scratchpad.ts';
import { prepareScratchpad } from '../../src/scratchpad/session-folders.ts';
import { SpaceLedger } from '../../src/scratchpad/space-ledger.ts';
import type { FileStatus } from '../../src/system/file-status.ts';
import {
  at,
  bytesOnDisk,
  emptyPad,
  get,
  isInMemory,
  NEW_FILE,
  outcomeOf,
  PLAIN,
  put,
  SESSION,
  textOf,
} from './fixture.ts';

const MIB = 1024 * 1024;
const BLOCK = 4096;
/** Of fallocate(2). */
const KEEP_SIZE = 1;
const PUNCH_HOLE = 2;
const ZERO_RANGE = 16;

t.test('space that was allocated counts, and can be written to when all else is full', async (t) => {
  const { pad, folder } = emptyPad(t, { quotaBytes: MIB });
  const file = pad.create(at('a'), NEW_FILE);
  file.allocate(KEEP_SIZE, 0, 32 * BLOCK);
  t.equal(file.stat().sizeBytes, 0);
  t.ok(pad.space().freeBytes <= MIB - 32 * BLOCK);
  t.equal(
    outcomeOf(() => file.allocate(0, 0, 2 * MIB)),
    'ENOSPC',
  );
  t.equal(file.stat().sizeBytes, 0, 'all or nothing');
  file.allocate(0, 32 * BLOCK, pad.space().freeBytes - 2 * BLOCK);
  t.equal(
    outcomeOf(() => file.allocate(0, MIB, MIB)),
    'ENOSPC',
  );
  const rest = pad.create(at('b'), NEW_FILE);
  rest.write(Buffer.alloc(pad.space().freeBytes, 1), 0);
  rest.close();
  t.ok(pad.space().freeBytes < BLOCK, 'full');
  for (const position of isInMemory(folder) ? [] : [0, 31 * BLOCK, 40 * BLOCK]) {
    t.equal(
      outcomeOf(() => file.write(Buffer.alloc(BLOCK, 2), position)),
      BLOCK,
      `at ${position}`,
    );
  }
  t.ok(bytesOnDisk(folder) <= MIB);
  file.allocate(KEEP_SIZE | PUNCH_HOLE, 0, 16 * BLOCK);
  t.ok(pad.space().freeBytes >= 16 * BLOCK, 'what is given back is free');
  file.close();
});

t.test('space is allocated where it is asked for, also of a file that is appended to', async (t) => {
  const { pad } = emptyPad(t, { quotaBytes: MIB });
  const file = pad.create(at('log'), { ...NEW_FILE, append: true });
  file.allocate(KEEP_SIZE, 0, 100 * BLOCK);
  t.equal(
    outcomeOf(() => file.allocate(KEEP_SIZE, 100 * BLOCK, 160 * BLOCK)),
    'ENOSPC',
  );
  file.close();
});

t.test('a range of zeros takes the place of what was there, and the rest stays', async (t) => {
  const { pad, folder } = emptyPad(t);
  put(pad, 'a', 'x'.repeat(3 * BLOCK));
  const file = pad.openToWrite(at('a'), PLAIN);
  file.allocate(isInMemory(folder) ? PUNCH_HOLE | KEEP_SIZE : ZERO_RANGE, BLOCK, BLOCK);
  t.equal(get(pad, 'a'), `${'x'.repeat(BLOCK)}${'\0'.repeat(BLOCK)}${'x'.repeat(BLOCK)}`);
  t.equal(
    outcomeOf(() => file.allocate(0, 0, 0)),
    'EINVAL',
  );
  t.equal(
    outcomeOf(() => file.allocate(0, 2 ** 53 - 1, 2)),
    'EFBIG',
  );
  file.close();
});

t.test('data and holes are found', async (t) => {
  const { pad } = emptyPad(t);
  const file = pad.create(at('a'), NEW_FILE);
  file.write(Buffer.from('far'), 16 * BLOCK);
  t.equal(file.seek(0, 'hole'), 0);
  t.equal(file.seek(0, 'data'), 16 * BLOCK);
  t.equal(file.seek(16 * BLOCK, 'hole'), 16 * BLOCK + 3, 'at the end');
  t.equal(
    outcomeOf(() => file.seek(16 * BLOCK + 3, 'data')),
    'ENXIO',
  );
  t.equal(
    outcomeOf(() => file.seek(20 * BLOCK, 'hole')),
    'ENXIO',
  );
  file.close();
});

t.test('a range is copied from file to file, within the quota', async (t) => {
  const { pad } = emptyPad(t, { quotaBytes: MIB });
  put(pad, 'a', 'y'.repeat(100 * BLOCK));
  const source = pad.open(at('a'));
  const target = pad.create(at('b'), NEW_FILE);
  t.equal(target.copyFrom(source, 1, 2, 10), 10);
  t.equal(textOf(target), `\0\0${'y'.repeat(10)}`);
  t.equal(target.copyFrom(source, 100 * BLOCK, 0, 10), 0, 'past its end there is nothing');
  t.equal(target.copyFrom(source, 0, 0, MIB), 100 * BLOCK);
  let position = 100 * BLOCK;
  const copy = () => outcomeOf(() => target.copyFrom(source, 0, position, 10 * BLOCK));
  for (let count = copy(); typeof count === 'number'; count = copy()) position += count;
  t.equal(copy(), 'ENOSPC');
  t.ok(position > 150 * BLOCK && position < MIB);
  target.close();
  source.close();
});

t.test('a range is copied into a file that was opened to append and no longer does', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'a', 'content');
  put(pad, 'log', 'line');
  const source = pad.open(at('a'));
  const target = pad.openToWrite(at('log'), { ...PLAIN, append: true });
  t.equal(target.copyFrom(source, 0, 1, 3), 3);
  t.equal(textOf(target), 'lcon');
  target.write(Buffer.from('!'), 0);
  t.equal(textOf(target), 'lcon!');
  target.close();
  source.close();
});

t.test('what is no file of this scratchpad is not copied from', async (t) => {
  const { pad } = emptyPad(t);
  const other = emptyPad(t);
  put(other.pad, 'a', 'content');
  const source = other.pad.open(at('a'));
  const target = pad.create(at('b'), NEW_FILE);
  t.equal(target.copyFrom(source, 0, 0, 7), undefined);
  t.equal(target.copyFrom({ sizeBytes: 7, read: () => 0, close: () => undefined }, 0, 0, 7), undefined);
  source.close();
  target.close();
});

t.test('a file without a name is changed by its handle', async (t) => {
  const { pad } = emptyPad(t);
  const file = pad.create(at('a'), NEW_FILE);
  pad.remove(at('a'));
  put(pad, 'a', 'another');
  const another = pad.stat(at('a'));
  file.changeOwner({});
  file.changeMode(0o4711);
  file.changeTimes({ modifiedNs: 1_700_000_000_123_456_789n });
  t.match(file.stat(), { mode: 0o4711, modifiedNs: 1_700_000_000_123_456_789n, disk: { links: 0 } });
  t.same(pad.stat(at('a')), another);
  file.close();
});

t.test('two names are exchanged, or one is kept', async (t) => {
  const { pad, folder } = emptyPad(t);
  put(pad, 'a', 'one');
  pad.makeFolder(at('b'), 0o755);
  put(pad, 'b/inside', 'two');
  const used = pad.space().freeBytes;
  pad.rename(at('a'), at('b'), {}, 'exchange');
  t.equal(get(pad, 'b'), 'one');
  t.equal(get(pad, 'a/inside'), 'two');
  t.equal(
    outcomeOf(() => pad.rename(at('a'), at('b'), {}, 'keep')),
    'EEXIST',
  );
  t.equal(
    outcomeOf(() => pad.rename(at('a'), at('none'), {}, 'exchange')),
    'ENOENT',
  );
  pad.rename(at('b'), at('a/moved'), {}, 'keep');
  t.equal(readFileSync(join(folder, 'a/moved'), 'utf8'), 'one');
  t.equal(pad.space().freeBytes, used, 'and nothing is counted twice');
});

t.test('inode numbers are those of the disk, and stay with the file', async (t) => {
  const { pad, folder } = emptyPad(t);
  put(pad, 'a', '');
  const { ino } = statSync(join(folder, 'a'));
  pad.link(at('a'), at('b'));
  pad.rename(at('a'), at('c'));
  t.equal(pad.stat(at('b')).inode, ino);
  t.equal(pad.stat(at('c')).inode, ino);
  const file = pad.open(at('b'));
  t.equal(file.stat().inode, ino);
  file.close();
});

t.test('a path may be far longer than the kernel takes at once', async (t) => {
  const { pad } = emptyPad(t);
  const name = 'é'.repeat(100);
  let path = name;
  pad.makeFolder(at(path), 0o755);
  // A fixture's path is parsed, and so held to PATH_MAX: longer ones come from a mount, a name at a time.
  const deep = (text: string) => text as ReturnType<typeof at>;
  for (let depth = 1; depth < 200; depth += 1) {
    path = `${path}/${name}`;
    pad.makeFolder(deep(path), 0o755);
  }
  t.ok(Buffer.byteLength(path) > 40_000);
  const file = pad.create(deep(`${path}/file`), NEW_FILE);
  file.write(Buffer.from('deep'), 0);
  file.close();
  pad.symlink('file', deep(`${path}/link`));
  pad.rename(deep(`${path}/file`), deep(`${name}/file`));
  pad.link(deep(`${name}/file`), deep(`${path}/again`));
  t.equal(pad.stat(deep(`${path}/again`)).disk?.links, 2);
  t.equal(pad.readLink(deep(`${path}/link`)), 'file');
  t.same(
    pad.list(deep(path)).map((entry) => entry.name),
    ['again', 'link'],
  );
  t.equal(
    outcomeOf(() => pad.stat(deep(`${path}/link/below`))),
    'ENOTDIR',
  );
  t.equal(
    outcomeOf(() => pad.stat(deep(`${path}/${'x'.repeat(256)}`))),
    'ENAMETOOLONG',
  );
  for (const entry of ['again', 'link']) pad.remove(deep(`${path}/${entry}`));
  pad.remove(deep(`${name}/file`));
  for (; path !== ''; path = path.slice(0, Math.max(path.lastIndexOf('/'), 0))) pad.removeFolder(deep(path));
  t.same(pad.list(at('')), []);
});

t.test('a file that cannot be opened after all leaves no descriptor', async (t) => {
  const { pad: prepared, parent } = emptyPad(t);
  put(prepared, 'a', 'text');
  const session = prepareScratchpad(parent, SESSION);
  const top = OpenFolder.open(join(session, 'files'));
  const failing = new AbortController();
  class Failing extends SpaceLedger {
    override see(status: FileStatus): void {
      if (failing.signal.aborted) throw new Error('not counted');
      super.see(status);
    }
  }
  const pad = new Scratchpad(top, OpenFolder.open(session), new Failing(top, MIB, systemClock));
  t.teardown(() => pad.close());
  const before = readdirSync('/proc/self/fd').length;
  failing.abort();
  t.throws(() => pad.openToWrite(at('a'), { append: false, truncate: true }), { message: 'not counted' });
  t.throws(() => pad.open(at('a')), { message: 'not counted' });
  t.throws(() => pad.create(at('b'), NEW_FILE), { message: 'not counted' });
  t.equal(readdirSync('/proc/self/fd').length, before);
});

t.test('a scratchpad that cannot be opened after all leaves no descriptor', async (t) => {
  const { parent } = emptyPad(t);
  const session = prepareScratchpad(parent, SESSION);
  const clock = {
    nowMs(): number {
      throw new Error('not counted');
    },
  };
  const before = readdirSync('/proc/self/fd').length;
  t.throws(() => openScratchpad(session, { clock }), { message: 'not counted' });
  t.equal(readdirSync('/proc/self/fd').length, before);
});
