import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { replaceWholeFile, writeWholeFile } from '../../src/core/whole-file.ts';
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
