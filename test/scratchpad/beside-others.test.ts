import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import t from 'tap';
import { systemClock } from '../../src/core/clock.ts';
import { OpenFolder } from '../../src/scratchpad/open-folder.ts';
import { Scratchpad } from '../../src/scratchpad/scratchpad.ts';
import { SpaceLedger } from '../../src/scratchpad/space-ledger.ts';
import { unchecked } from '../../src/system/libc.ts';
import { at, emptyPad, get, isInMemory, NEW_FILE, outcomeOf, put, readNow } from './fixture.ts';

const MIB = 1024 * 1024;
/** Drops a file that is on its disk from memory. */
const POSIX_FADV_DONTNEED = 4;
const advise = unchecked<[descriptor: number, position: number, sizeBytes: number, advice: number]>(
  'int posix_fadvise(int descriptor, int64_t position, int64_t size, int advice)',
);

t.test('what another process does to the disk is seen at once', async (t) => {
  const { pad, folder } = emptyPad(t);
  pad.makeFolder(at('a'), 0o755);
  pad.makeFolder(at('a/b'), 0o755);
  put(pad, 'a/b/file', 'old');
  renameSync(join(folder, 'a/b'), join(folder, 'a/c'));
  t.equal(
    outcomeOf(() => pad.stat(at('a/b/file'))),
    'ENOENT',
  );
  t.equal(get(pad, 'a/c/file'), 'old');
  mkdirSync(join(folder, 'a/b'));
  writeFileSync(join(folder, 'a/b/file'), 'new');
  t.equal(get(pad, 'a/b/file'), 'new');
  put(pad, 'a/b/more', '');
  t.same(pad.list(at('a/c')), [{ name: 'file', kind: 'file' }]);
  utimesSync(join(folder, 'a/b/file'), 5, 6);
  t.equal(pad.stat(at('a/b/file')).modifiedNs, 6_000_000_000n);
});

t.test('a folder that is called like a removed one is itself', async (t) => {
  const { pad, folder } = emptyPad(t);
  pad.makeFolder(at('x (deleted)'), 0o755);
  put(pad, 'x (deleted)/a', 'one');
  renameSync(join(folder, 'x (deleted)'), join(folder, 'x'));
  pad.remove(at('x/a'));
  rmdirSync(join(folder, 'x'));
  pad.makeFolder(at('x (deleted)'), 0o755);
  put(pad, 'x (deleted)/a', 'two');
  t.equal(get(pad, 'x (deleted)/a'), 'two');
});

t.test('a scratchpad whose folders are moved goes on', async (t) => {
  const { pad, folder, parent } = emptyPad(t);
  pad.makeFolder(at('a'), 0o755);
  put(pad, 'a/file', 'content');
  renameSync(folder, join(parent, 'elsewhere'));
  t.equal(get(pad, 'a/file'), 'content');
  put(pad, 'a/file', 'changed');
  t.equal(readFileSync(join(parent, 'elsewhere/a/file'), 'utf8'), 'changed');
});

t.test(
  'a scratchpad is gone when its folder has no name any more, not where no folder has any',
  async (t) => {
    const { pad, folder } = emptyPad(t);
    const opened = pad.create(at('open'), NEW_FILE);
    t.same([pad.isGone(), pad.isInUse()], [false, true]);
    const session = OpenFolder.open(dirname(folder));
    const top = session.folderAt('files');
    t.teardown(() => nameless.close());
    rmSync(folder, { recursive: true });
    // As on a disk that counts no names of folders.
    const nameless = new Scratchpad(top, session, new SpaceLedger(top, 0, systemClock));
    t.same([pad.isGone(), nameless.isGone()], [true, false]);
    opened.close();
    t.equal(pad.isInUse(), false);
  },
);

t.test('a path longer than the kernel names one still leads there', async (t) => {
  const { pad } = emptyPad(t);
  const name = 'n'.repeat(250);
  let path = '';
  for (let depth = 0; depth < 16; depth += 1) {
    path = path === '' ? name : `${path}/${name}`;
    pad.makeFolder(at(path), 0o755);
  }
  t.ok(path.length > 4000);
  put(pad, `${path}/f`, 'deep');
  t.equal(get(pad, `${path}/f`), 'deep');
});

t.test('a socket that was made serves whoever binds it on the kernel side, not us', async (t) => {
  const { pad, folder } = emptyPad(t);
  pad.makeNode(at('s'), { kind: 'socket', mode: 0o600, device: 0 });
  const refused = await new Promise((resolve) => {
    connect(join(folder, 's')).on('error', (error) => resolve('code' in error && error.code));
  });
  t.equal(refused, 'ECONNREFUSED', 'nobody listens at it');
  const taken = await new Promise((resolve) => {
    createServer()
      .on('error', (error) => resolve('code' in error && error.code))
      .listen(join(folder, 's'));
  });
  t.equal(taken, 'EADDRINUSE');
});

t.test('bytes that are not in memory are waited for by another thread', async (t) => {
  const { pad, folder } = emptyPad(t);
  const content = Buffer.alloc(4 * MIB, 'not in memory, ');
  const file = pad.create(at('a'), NEW_FILE);
  file.write(content, 0);
  await file.sync();
  const descriptor = openSync(join(folder, 'a'), 'r');
  t.equal(advise(descriptor, 0, 0, POSIX_FADV_DONTNEED), 0);
  closeSync(descriptor);
  const target = Buffer.alloc(content.length + 1);
  const count = file.read(target, 0);
  if (!isInMemory(folder)) t.not(typeof count, 'number', 'it is not there at once');
  file.close();
  t.equal(await count, content.length, 'closing waits for it');
  t.ok(target.subarray(0, content.length).equals(content));
  const again = pad.open(at('a'));
  t.equal(readNow(again, Buffer.alloc(10), content.length - 4), 4, 'at the end of the file');
  t.equal(
    outcomeOf(() => again.read(target, -1)),
    'EINVAL',
  );
  again.close();
});
