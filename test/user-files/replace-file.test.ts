import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { writeWholeFile } from '../../src/disk/whole-file.ts';
import { replaceWholeFile } from '../../src/user-files/replace-file.ts';
import { needsRootToMount } from '../support/disk-in-memory.ts';
import { NOBODY } from '../support/nobody.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';

t.test('a file that is replaced keeps its permissions, and a link leads to it still', async (t) => {
  const folder = temporaryFolder(t);
  const [file, link] = [join(folder, 'chat.json'), join(folder, 'link.json')];
  symlinkSync('chat.json', link);
  for (const mode of [0o600, 0o664]) {
    writeFileSync(file, 'before');
    chmodSync(file, mode);
    replaceWholeFile(link, 'after');
    t.equal(readFileSync(file, 'utf8'), 'after');
    t.equal(statSync(file).mode & 0o777, mode);
    t.ok(lstatSync(link).isSymbolicLink());
  }
  replaceWholeFile(join(folder, 'new.json'), 'new', 0o600);
  t.equal(statSync(join(folder, 'new.json')).mode & 0o777, 0o600);
  t.same(readdirSync(folder).sort(), ['chat.json', 'link.json', 'new.json']);
});

t.test('who has a file open goes on reading what it was, and all names of a file stay its own', async (t) => {
  const folder = temporaryFolder(t);
  const [file, other] = [join(folder, 'a.md'), join(folder, 'b.md')];
  writeFileSync(file, 'before');
  const descriptor = openSync(file, 'r');
  t.teardown(() => closeSync(descriptor));
  replaceWholeFile(file, 'new');
  t.equal(readFileSync(descriptor, 'utf8'), 'before');
  linkSync(file, other);
  replaceWholeFile(file, 'of both');
  replaceWholeFile(file, 'both');
  t.equal(readFileSync(other, 'utf8'), 'both');
});

t.test('what a link leads to is made where it is not there yet', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'shared'));
  symlinkSync('shared/second', join(folder, 'first'));
  symlinkSync('../graph.json', join(folder, 'shared/second'));
  replaceWholeFile(join(folder, 'first'), 'new', 0o600);
  t.match(statSync(join(folder, 'graph.json')), { mode: 0o100600 });
  t.equal(readFileSync(join(folder, 'first'), 'utf8'), 'new');
  t.same(readdirSync(folder).sort(), ['first', 'graph.json', 'shared']);
  symlinkSync('none/graph.json', join(folder, 'astray'));
  t.throws(() => replaceWholeFile(join(folder, 'astray'), 'new'), { code: 'ENOENT' });
  t.ok(lstatSync(join(folder, 'astray')).isSymbolicLink());
});

t.test('a name may be as long as the disk takes one', async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ['a'.repeat(255), 'ä'.repeat(127), `${'a'.repeat(3)}${'😀'.repeat(63)}`]) {
    replaceWholeFile(join(folder, name), 'new');
    replaceWholeFile(join(folder, name), 'newer');
    t.equal(readFileSync(join(folder, name), 'utf8'), 'newer');
  }
  t.equal(readdirSync(folder).length, 3);
});

t.test('a file that is a mount point is overwritten', needsRootToMount, async (t) => {
  const folder = temporaryFolder(t);
  const [file, shown] = [join(folder, 'graph.json'), join(folder, 'shown.json')];
  const long = 'from before '.repeat(300_000);
  writeFileSync(file, '');
  writeFileSync(shown, long);
  execFileSync('mount', ['--bind', shown, file]);
  t.teardown(() => execFileSync('umount', [file]));
  replaceWholeFile(file, [Buffer.from('new '), Buffer.from(long)]);
  t.ok(readFileSync(file, 'utf8') === `new ${long}`);
  replaceWholeFile(file, 'short');
  t.equal(readFileSync(shown, 'utf8'), 'short');
  t.same(readdirSync(folder).sort(), ['graph.json', 'shown.json']);
});

t.test('a file without a name, such as what this process writes to, is written to', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'out.txt');
  const descriptor = openSync(file, 'w');
  t.teardown(() => closeSync(descriptor));
  symlinkSync(`/dev/fd/${descriptor}`, join(folder, 'link'));
  writeSync(descriptor, 'before, ');
  replaceWholeFile(`/proc/self/fd/${descriptor}`, 'within, ');
  replaceWholeFile(join(folder, 'link'), [Buffer.from('by a link, ')]);
  writeSync(descriptor, 'after');
  t.equal(readFileSync(file, 'utf8'), 'before, within, by a link, after');
  unlinkSync(file);
  replaceWholeFile(`/dev/fd/${descriptor}`, ' all');
  t.match(fstatSync(descriptor), { size: 'before, within, by a link, after all'.length });
  t.same(readdirSync(folder), ['link']);
});

t.test('a pipe is written to and stays one', async (t) => {
  const pipe = join(temporaryFolder(t), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => reader.kill());
  await once(reader, 'spawn');
  const read = text(reader.stdout);
  replaceWholeFile(pipe, 'through it');
  t.equal(await read, 'through it');
  t.ok(statSync(pipe).isFIFO());
});

t.test('what cannot be written leaves nothing behind', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'taken'));
  t.throws(() => writeWholeFile(join(folder, 'taken'), 'x'), { code: 'EISDIR' });
  t.throws(() => replaceWholeFile(join(folder, 'taken'), 'x'), { code: 'EISDIR' });
  t.throws(() => writeWholeFile(join(folder, 'none/file'), 'x'), { code: 'ENOENT' });
  t.same(readdirSync(folder), ['taken']);
});

t.test('what is written in the place of a link leaves alone what that led to', async (t) => {
  const folder = temporaryFolder(t);
  const [file, link] = [join(folder, 'private'), join(folder, 'link')];
  writeFileSync(file, 'private');
  symlinkSync('private', link);
  writeWholeFile(link, 'x');
  t.equal(readFileSync(file, 'utf8'), 'private');
  t.ok(lstatSync(link).isFile());
});

t.test(
  'a file of somebody else that root replaces stays theirs',
  { skip: process.getuid?.() === 0 ? false : 'this needs root' },
  async (t) => {
    const file = join(temporaryFolder(t), 'chat.json');
    writeFileSync(file, 'before');
    chownSync(file, NOBODY, NOBODY);
    replaceWholeFile(file, 'after');
    t.match(statSync(file), { uid: NOBODY, gid: NOBODY });
  },
);

t.test(
  'a file of a group stays one of that group, whoever of it writes it',
  { skip: process.getuid?.() === 0 ? false : 'this needs root' },
  async (t) => {
    const team = 4242;
    const folder = temporaryFolder(t);
    const [file, sticky] = [join(folder, 'graph.json'), join(folder, 'sticky')];
    chmodSync(folder, 0o777);
    mkdirSync(sticky);
    for (const path of [file, join(sticky, 'graph.json')]) {
      writeFileSync(path, 'a long one from before');
      chownSync(path, 0, team);
      chmodSync(path, 0o660);
    }
    // There only who owns a file may put another one in its place.
    chmodSync(sticky, 0o1777);
    asMemberOf(team, () => {
      replaceWholeFile(file, 'after');
      replaceWholeFile(join(sticky, 'graph.json'), 'after');
    });
    t.match(statSync(file), { uid: NOBODY, gid: team, mode: 0o100660 });
    t.match(statSync(join(sticky, 'graph.json')), { uid: 0, gid: team, mode: 0o100660 });
    t.equal(readFileSync(join(sticky, 'graph.json'), 'utf8'), 'after');
    t.same(readdirSync(sticky), ['graph.json']);
  },
);

/** Does something as nobody, of whose groups this is another one. */
function asMemberOf(group: number, action: () => void): void {
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([group]);
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    action();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}

testWhereModesCount('a file that may not be written is not replaced either', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'chat.json');
  writeFileSync(file, 'before');
  chmodSync(file, 0o400);
  t.throws(() => replaceWholeFile(file, 'after'), { code: 'EACCES' });
  t.equal(readFileSync(file, 'utf8'), 'before');
  t.same(readdirSync(folder), ['chat.json']);
});

testWhereModesCount('a file is replaced in a folder that takes no other one', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'graph.json');
  writeFileSync(file, 'a long one from before');
  chmodSync(folder, 0o500);
  t.teardown(() => chmodSync(folder, 0o700));
  replaceWholeFile(file, [Buffer.from('new '), Buffer.from('parts')]);
  t.equal(readFileSync(file, 'utf8'), 'new parts');
});
