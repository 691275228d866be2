import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { unchecked } from '../../src/system/libc.ts';
import { countDescriptors } from '../source/docs-fixture.ts';
import {
  ANY_FILE,
  at,
  emptyPad,
  get,
  isInMemory,
  NEW_FILE,
  outcomeOf,
  PLAIN,
  put,
  readNow,
  textOf,
} from './fixture.ts';

const isRoot = process.getuid?.() === 0;
const MANY = 10_000;
const MIB = 1024 * 1024;
/** Drops a file that is on its disk from memory. */
const POSIX_FADV_DONTNEED = 4;
const advise = unchecked<[descriptor: number, position: number, sizeBytes: number, advice: number]>(
  'int posix_fadvise(int descriptor, int64_t position, int64_t size, int advice)',
);

t.test('what was written is read, by another handle too, and is on the disk', async (t) => {
  const { pad, folder } = emptyPad(t);
  const file = pad.create(at('a.txt'), NEW_FILE);
  t.equal(file.write(Buffer.from('hello'), 0), 5);
  t.equal(file.write(Buffer.from('J'), 0), 1);
  t.equal(get(pad, 'a.txt'), 'Jello');
  t.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'Jello');
  t.equal(textOf(file), 'Jello');
  file.close();
  t.equal(
    outcomeOf(() => file.read(Buffer.alloc(1), 0)),
    'EBADF',
  );
  file.close();
});

t.test('two who append lose nothing of each other, whatever position they name', async (t) => {
  const { pad } = emptyPad(t);
  const one = pad.create(at('log'), { ...NEW_FILE, append: true });
  const two = pad.openToWrite(at('log'), { ...PLAIN, append: true });
  for (const file of [one, two, one, two]) file.write(Buffer.from(file === one ? 'a' : 'b'), 0);
  t.equal(textOf(one), 'abab');
  one.close();
  two.close();
});

t.test('opening with truncate empties the file for all who have it open', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'a', 'content');
  const reader = pad.open(at('a'));
  pad.openToWrite(at('a'), { ...PLAIN, truncate: true }).close();
  t.equal(reader.stat().sizeBytes, 0);
  t.equal(reader.sizeBytes, 0);
  reader.close();
});

t.test('create opens what is there, or refuses to', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'a', 'content');
  pad.makeFolder(at('folder'), 0o755);
  pad.symlink('a', at('link'));
  pad.create(at('a'), { ...ANY_FILE, mode: 0o600 }).close();
  t.equal(get(pad, 'a'), 'content');
  t.equal(pad.stat(at('a')).mode, 0o644, 'the mode is for a new file');
  t.equal(
    outcomeOf(() => pad.create(at('a'), NEW_FILE)),
    'EEXIST',
  );
  t.equal(
    outcomeOf(() => pad.create(at('link'), NEW_FILE)),
    'EEXIST',
  );
  t.equal(
    outcomeOf(() => pad.create(at('link'), ANY_FILE)),
    'ELOOP',
  );
  t.equal(
    outcomeOf(() => pad.create(at('folder'), ANY_FILE)),
    'EISDIR',
  );
  t.equal(
    outcomeOf(() => pad.create(at(''), ANY_FILE)),
    'EISDIR',
  );
  t.equal(
    outcomeOf(() => pad.create(at('none/a'), NEW_FILE)),
    'ENOENT',
  );
});

t.test('an open file outlives its name, and then has no links', async (t) => {
  const { pad } = emptyPad(t);
  const file = pad.create(at('a'), NEW_FILE);
  file.write(Buffer.from('before'), 0);
  pad.remove(at('a'));
  put(pad, 'a', 'another');
  t.equal(file.write(Buffer.from('+after'), 6), 6);
  t.equal(textOf(file), 'before+after');
  t.equal(file.stat().disk?.links, 0);
  t.equal(file.stat().sizeBytes, 12);
  file.truncate(3);
  t.equal(textOf(file), 'bef');
  file.close();
  t.equal(get(pad, 'a'), 'another');
});

t.test('an open file follows its rename, and stays when another takes its place', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'a', 'one');
  put(pad, 'b', 'two');
  const [a, b] = [pad.openToWrite(at('a'), PLAIN), pad.open(at('b'))];
  pad.rename(at('a'), at('b'));
  a.write(Buffer.from('ONE'), 0);
  t.equal(get(pad, 'b'), 'ONE');
  t.equal(textOf(b), 'two');
  t.equal(b.stat().disk?.links, 0);
  a.close();
  b.close();
});

t.test('modes are as asked for, whatever umask this process has', async (t) => {
  const { pad } = emptyPad(t);
  const umask = process.umask(0o077);
  try {
    for (const mode of [0o666, 0o777, 0o640, 0o400, 0o4755, 0o2755]) {
      pad.create(at(`f${mode}`), { ...NEW_FILE, mode }).close();
      t.equal(pad.stat(at(`f${mode}`)).mode, mode, mode.toString(8));
    }
    pad.makeFolder(at('folder'), 0o1777);
    t.equal(pad.stat(at('folder')).mode, 0o1777);
    pad.makeNode(at('pipe'), { kind: 'pipe', mode: 0o666, device: 0 });
    t.equal(pad.stat(at('pipe')).mode, 0o666);
  } finally {
    process.umask(umask);
  }
  pad.changeMode(at('folder'), 0o2770);
  t.equal(pad.stat(at('folder')).mode, 0o2770);
  pad.makeFolder(at('folder/below'), 0o775);
  t.equal(pad.stat(at('folder/below')).mode & 0o777, 0o775);
  t.equal(pad.stat(at('folder/below')).mode & 0o2000, 0o2000, 'the group of the folder is inherited');
  pad.changeMode(at(''), 0o711);
  t.equal(pad.stat(at('')).mode, 0o711, 'of the scratchpad itself');
});

t.test('who creates a file that nobody may write to can write to it', async (t) => {
  const { pad } = emptyPad(t);
  const file = pad.create(at('object'), { ...NEW_FILE, mode: 0o444 });
  t.equal(file.write(Buffer.from('git does so'), 0), 11);
  file.close();
  t.equal(get(pad, 'object'), 'git does so');
});

t.test('a status says all that the disk says', async (t) => {
  const { pad, folder } = emptyPad(t);
  put(pad, 'a', 'x'.repeat(5000));
  pad.link(at('a'), at('b'));
  const status = lstatSync(join(folder, 'b'), { bigint: true });
  t.same(pad.stat(at('b')), {
    kind: 'file',
    sizeBytes: 5000,
    modifiedNs: status.mtimeNs,
    mode: 0o644,
    inode: Number(status.ino),
    disk: {
      accessedNs: status.atimeNs,
      changedNs: status.ctimeNs,
      bornNs: status.birthtimeNs,
      links: 2,
      user: process.getuid?.(),
      group: process.getgid?.(),
      blocks: Number(status.blocks),
      device: 0,
    },
  });
});

t.test('a file with a hole takes only what was written', async (t) => {
  const { pad } = emptyPad(t);
  const file = pad.create(at('holes'), NEW_FILE);
  file.truncate(2 ** 40);
  t.equal(file.stat().sizeBytes, 2 ** 40);
  t.equal(file.stat().disk?.blocks, 0);
  file.write(Buffer.from('far'), 2 ** 33);
  t.ok((file.stat().disk?.blocks ?? 0) <= 64);
  const bytes = Buffer.alloc(5, 1);
  t.equal(file.read(bytes, 2 ** 33 - 2), 5);
  t.same(bytes, Buffer.from('\0\0far'));
  file.close();
  pad.truncate(at('holes'), 1);
  t.equal(pad.stat(at('holes')).sizeBytes, 1);
});

t.test('sizes that no disk has are refused', async (t) => {
  const { pad } = emptyPad(t);
  const file = pad.create(at('a'), NEW_FILE);
  t.equal(
    outcomeOf(() => file.truncate(2 ** 62)),
    'EFBIG',
  );
  t.equal(
    outcomeOf(() => file.truncate(-1)),
    'EINVAL',
  );
  t.equal(
    outcomeOf(() => file.write(Buffer.from('x'), 2 ** 53 - 1)),
    'EFBIG',
  );
  t.equal(
    outcomeOf(() => file.write(Buffer.from('x'), 2 ** 62)),
    'EFBIG',
  );
  t.equal(file.read(Buffer.alloc(1), 2 ** 62), 0);
  t.equal(file.sizeBytes, 0);
  file.close();
});

t.test('times are kept to the nanosecond, before 1970 too', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'a', '');
  pad.symlink('nowhere', at('link'));
  for (const path of ['a', 'link', '']) {
    for (const timeNs of [
      0n,
      1n,
      1_700_000_000_123_456_789n,
      -1n,
      -1_500_000_001n,
      4_102_444_800_999_999_999n,
    ]) {
      pad.changeTimes(at(path), { accessedNs: 1001n, modifiedNs: timeNs });
      const info = pad.stat(at(path));
      t.equal(info.modifiedNs, timeNs, `${path} ${timeNs}`);
      t.equal(info.disk?.accessedNs, 1001n);
    }
  }
});

t.test('one time alone is set, and leaves the other as it is', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'a', '');
  pad.symlink('nowhere', at('link'));
  for (const path of ['a', 'link']) {
    const before = pad.stat(at(path));
    pad.changeTimes(at(path), { accessedNs: 1_700_000_000_123_456_789n });
    t.equal(pad.stat(at(path)).disk?.accessedNs, 1_700_000_000_123_456_789n);
    t.equal(pad.stat(at(path)).modifiedNs, before.modifiedNs);
    pad.changeTimes(at(path), { modifiedNs: -1_500_000_001n });
    t.equal(pad.stat(at(path)).disk?.accessedNs, 1_700_000_000_123_456_789n);
    t.equal(pad.stat(at(path)).modifiedNs, -1_500_000_001n);
    pad.changeTimes(at(path), {});
    t.equal(pad.stat(at(path)).modifiedNs, -1_500_000_001n);
  }
});

t.test('now is the time that the disk has, as a write next to it does', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'before', '');
  put(pad, 'touched', '');
  const timeNs = (path: string) => pad.stat(at(path)).modifiedNs;
  for (let round = 1; round <= 50; round += 1) {
    put(pad, 'before', `${round}`);
    pad.changeTimes(at('touched'), { accessedNs: 'now', modifiedNs: 'now' });
    put(pad, 'after', `${round}`);
    t.ok(timeNs('before') <= timeNs('touched') && timeNs('touched') <= timeNs('after'), `round ${round}`);
    t.equal(pad.stat(at('touched')).disk?.accessedNs, timeNs('touched'));
  }
});

t.test('links are text', async (t) => {
  const { pad } = emptyPad(t);
  for (const [name, target] of Object.entries({
    a: '/etc/passwd',
    b: '../../..',
    c: 'x\ny',
    d: 'é'.repeat(2000),
  })) {
    pad.symlink(target, at(name));
    t.equal(pad.readLink(at(name)), target);
    t.equal(pad.stat(at(name)).kind, 'link');
    t.equal(pad.stat(at(name)).sizeBytes, Buffer.byteLength(target));
  }
  put(pad, 'file', '');
  t.equal(
    outcomeOf(() => pad.readLink(at('file'))),
    'EINVAL',
  );
  t.equal(
    outcomeOf(() => pad.readLink(at(''))),
    'EINVAL',
  );
  t.equal(
    outcomeOf(() => pad.symlink('', at('empty'))),
    'ENOENT',
  );
  t.equal(
    outcomeOf(() => pad.symlink('a\0b', at('nul'))),
    'EINVAL',
  );
  t.equal(
    outcomeOf(() => pad.symlink('a\uFFFDb', at('broken'))),
    'EILSEQ',
  );
  t.equal(
    outcomeOf(() => pad.symlink('x'.repeat(5000), at('long'))),
    'ENAMETOOLONG',
  );
});

t.test('the errors of rename are those of the disk', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'file', '');
  for (const folder of ['empty', 'full', 'full/inner', 'moving']) pad.makeFolder(at(folder), 0o755);
  const rename = (from: string, to: string) => outcomeOf(() => pad.rename(at(from), at(to)));
  t.equal(rename('moving', 'full'), 'ENOTEMPTY');
  t.equal(rename('file', 'empty'), 'EISDIR');
  t.equal(rename('empty', 'file'), 'ENOTDIR');
  t.equal(rename('full', 'full/inner/below'), 'EINVAL');
  t.equal(rename('none', 'other'), 'ENOENT');
  t.equal(rename('file', 'none/other'), 'ENOENT');
  t.equal(rename('file', 'file/other'), 'ENOTDIR');
  t.equal(rename('', 'other'), 'EBUSY');
  t.equal(rename('full', ''), 'EBUSY');
  t.equal(rename('file', 'x'.repeat(256)), 'ENAMETOOLONG');
  t.equal(rename('moving', 'empty'), undefined);
  t.same(
    pad.list(at('')).map(({ name }) => name),
    ['empty', 'file', 'full'],
  );
});

t.test('the errors of the others are those of the disk', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'file', '');
  pad.makeFolder(at('folder'), 0o755);
  put(pad, 'folder/inside', '');
  pad.symlink('folder', at('link'));
  t.equal(
    outcomeOf(() => pad.remove(at('folder'))),
    'EISDIR',
  );
  t.equal(
    outcomeOf(() => pad.removeFolder(at('file'))),
    'ENOTDIR',
  );
  t.equal(
    outcomeOf(() => pad.removeFolder(at('link'))),
    'ENOTDIR',
  );
  t.equal(
    outcomeOf(() => pad.removeFolder(at('folder'))),
    'ENOTEMPTY',
  );
  t.equal(
    outcomeOf(() => pad.removeFolder(at(''))),
    'EBUSY',
  );
  t.equal(
    outcomeOf(() => pad.makeFolder(at('link'), 0o755)),
    'EEXIST',
  );
  t.equal(
    outcomeOf(() => pad.makeFolder(at(''), 0o755)),
    'EEXIST',
  );
  t.equal(
    outcomeOf(() => pad.link(at('folder'), at('other'))),
    'EPERM',
  );
  t.equal(
    outcomeOf(() => pad.link(at(''), at('other'))),
    'EPERM',
  );
  t.equal(
    outcomeOf(() => pad.link(at('file'), at('folder'))),
    'EEXIST',
  );
  t.equal(
    outcomeOf(() => pad.list(at('file'))),
    'ENOTDIR',
  );
  t.equal(
    outcomeOf(() => pad.list(at('none'))),
    'ENOENT',
  );
  t.equal(
    outcomeOf(() => pad.open(at('folder'))),
    'EISDIR',
  );
  t.equal(
    outcomeOf(() => pad.open(at('link'))),
    'ELOOP',
  );
  t.equal(
    outcomeOf(() => pad.truncate(at('folder'), 0)),
    'EISDIR',
  );
  t.equal(
    outcomeOf(() => pad.stat(at('file/below'))),
    'ENOTDIR',
  );
  t.equal(
    outcomeOf(() => pad.changeMode(at('link'), 0o600)),
    'ENOTSUP',
  );
  const reader = pad.open(at('file'));
  t.equal(
    outcomeOf(() => reader.write(Buffer.from('x'), 0)),
    'EBADF',
  );
  reader.close();
});

t.test('a link can have a second name itself', async (t) => {
  const { pad } = emptyPad(t);
  pad.symlink('nowhere', at('a'));
  pad.link(at('a'), at('b'));
  t.equal(pad.readLink(at('b')), 'nowhere');
  t.equal(pad.stat(at('a')).disk?.links, 2);
});

t.test('pipes and sockets are made and listed, and not opened', async (t) => {
  const { pad, parent } = emptyPad(t);
  pad.makeFolder(at('folder'), 0o755);
  const long = `folder/${'s'.repeat(200)}`;
  pad.makeNode(at('pipe'), { kind: 'pipe', mode: 0o620, device: 0 });
  pad.makeNode(at(long), { kind: 'socket', mode: 0o640, device: 0 });
  pad.makeNode(at('file'), { kind: 'file', mode: 0o604, device: 0 });
  t.same(pad.list(at('')), [
    { name: 'file', kind: 'file' },
    { name: 'folder', kind: 'directory' },
    { name: 'pipe', kind: 'pipe' },
  ]);
  t.equal(pad.stat(at('pipe')).mode, 0o620);
  t.equal(pad.stat(at(long)).kind, 'socket');
  t.equal(pad.stat(at(long)).mode, 0o640);
  t.equal(pad.stat(at(long)).disk?.links, 1);
  t.equal(pad.stat(at('file')).mode, 0o604);
  for (const path of ['pipe', long]) {
    t.equal(
      outcomeOf(() => pad.open(at(path))),
      'ENXIO',
    );
    t.equal(
      outcomeOf(() => pad.openToWrite(at(path), PLAIN)),
      'ENXIO',
    );
    t.equal(
      outcomeOf(() => pad.truncate(at(path), 0)),
      'EINVAL',
    );
    for (const kind of ['pipe', 'socket'] as const) {
      t.equal(
        outcomeOf(() => pad.makeNode(at(path), { kind, mode: 0o600, device: 0 })),
        'EEXIST',
      );
    }
  }
  for (const [path, refusal] of Object.entries({ pipe: 'EEXIST', 'none/pipe': 'ENOENT', '': 'EEXIST' })) {
    t.equal(
      outcomeOf(() => pad.makeNode(at(path), { kind: 'pipe', mode: 0o600, device: 0 })),
      refusal,
    );
  }
  pad.remove(at('pipe'));
  pad.remove(at(long));
  t.same(lstatSync(parent).isDirectory(), true);
});

t.test('devices have their numbers', { skip: !isRoot && 'only root makes devices' }, async (t) => {
  const { pad, folder } = emptyPad(t);
  // 1:3 as linux/kdev_t.h puts it together, and one with more than 8 bits each.
  for (const [name, device] of Object.entries({ small: 0x103, large: (0x123 << 8) | 0x45 | (0x678 << 20) })) {
    pad.makeNode(at(name), { kind: 'character device', mode: 0o600, device });
    t.equal(pad.stat(at(name)).kind, 'character device');
    t.equal(pad.stat(at(name)).disk?.device, device);
    t.equal(statSync(join(folder, name)).rdev, device);
    t.equal(
      outcomeOf(() => pad.open(at(name))),
      'ENXIO',
    );
  }
});

t.test('owners change one by one', { skip: !isRoot && 'only root gives files away' }, async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'a', '');
  pad.symlink('a', at('link'));
  for (const path of ['link', 'a', '']) {
    pad.changeOwner(at(path), { user: 12 });
    pad.changeOwner(at(path), { group: 34 });
    t.match(pad.stat(at(path)).disk, { user: 12, group: 34 }, path);
    pad.changeOwner(at(path), { user: 0, group: 0 });
  }
});

t.test('a file is synced, and waits with closing until it is', async (t) => {
  const { pad } = emptyPad(t);
  const file = pad.create(at('a'), NEW_FILE);
  file.write(Buffer.from('kept'), 0);
  file.flush();
  const before = countDescriptors();
  const synced = file.sync();
  file.close();
  t.equal(
    outcomeOf(() => file.flush()),
    'EBADF',
  );
  await synced;
  t.equal(countDescriptors(), before - 1);
  await t.rejects(file.sync(), { code: 'EBADF' });
});

t.test('10,000 files in a folder, and as many in folders, are there and go again', async (t) => {
  const { pad } = emptyPad(t);
  const before = countDescriptors();
  pad.makeFolder(at('flat'), 0o755);
  for (let number = 0; number < MANY; number += 1) put(pad, `flat/f${number}`, String(number));
  t.equal(pad.list(at('flat')).length, MANY);
  t.equal(get(pad, `flat/f${MANY - 1}`), String(MANY - 1));
  for (let number = 0; number < MANY; number += 1) {
    const folder = `deep${number % 300}`;
    if (number < 300) {
      pad.makeFolder(at(folder), 0o755);
      pad.makeFolder(at(`${folder}/a`), 0o755);
    }
    put(pad, `${folder}/a/f${number}`, 'x');
  }
  t.ok(countDescriptors() - before < 200, 'folders are not all kept open');
  for (let number = 0; number < MANY; number += 1) pad.remove(at(`flat/f${number}`));
  t.same(pad.list(at('flat')), []);
  pad.removeFolder(at('flat'));
});

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
