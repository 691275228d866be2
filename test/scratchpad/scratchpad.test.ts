import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { countDescriptors } from '../source/docs-fixture.ts';
import { ANY_FILE, at, emptyPad, get, NEW_FILE, outcomeOf, PLAIN, put, textOf } from './fixture.ts';

const isRoot = process.getuid?.() === 0;
const MANY = 10_000;

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

t.test('a file that is appended to can be written to in place, and is appended to after that', async (t) => {
  const { pad } = emptyPad(t);
  put(pad, 'log', 'content');
  const file = pad.openToWrite(at('log'), { ...PLAIN, append: true });
  t.equal(file.write(Buffer.from('C'), 0, {}, 'mapped'), 1);
  t.equal(textOf(file), 'Content');
  t.equal(file.write(Buffer.from('!'), 0), 1);
  t.equal(textOf(file), 'Content!');
  file.close();
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
