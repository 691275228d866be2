import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { at, emptyPad, get, NEW_FILE, outcomeOf, put } from './fixture.ts';

const isRoot = process.getuid?.() === 0;

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
