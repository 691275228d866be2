import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { attributeNames, attributeOf, setAttributeOf } from '../../src/system/extended-attributes.ts';
import { replaceWholeFile } from '../../src/user-files/replace-file.ts';
import { NOBODY } from '../support/nobody.ts';
import { temporaryFolder } from '../support/temporary.ts';

const LIST = 'system.posix_acl_access';
const FOLDER_LIST = 'system.posix_acl_default';
const NOTE = 'user.note';
/** Tags of `linux/posix_acl.h`. */
const OWNER = 0x01;
const NAMED = 0x02;
const GROUP = 0x04;
const MASK = 0x10;
const OTHERS = 0x20;
const NOBODY_NAMED = 0xffffffff;

/** `linux/posix_acl_xattr.h`: the owner may read and write, and so may nobody, but the group may not. */
function listFor(group: number): Buffer {
  const entries = [
    [OWNER, 6, NOBODY_NAMED],
    [NAMED, 6, NOBODY],
    [GROUP, group, NOBODY_NAMED],
    [MASK, 6, NOBODY_NAMED],
    [OTHERS, 0, NOBODY_NAMED],
  ] as const;
  const bytes = Buffer.alloc(4 + 8 * entries.length);
  bytes.writeUInt32LE(2);
  for (const [index, [tag, permissions, id]] of entries.entries()) {
    bytes.writeUInt16LE(tag, 4 + 8 * index);
    bytes.writeUInt16LE(permissions, 6 + 8 * index);
    bytes.writeUInt32LE(id, 8 + 8 * index);
  }
  return bytes;
}

/** Why nothing can be tested on the disk of temporary files; false where it can. Where it cannot, a line of output says so. */
function whyNot(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-lists-'));
  try {
    setAttributeOf(folder, LIST, listFor(0), 0);
    setAttributeOf(folder, NOTE, Buffer.from('mine'), 0);
    return false;
  } catch {
    // Which of the two it lacks says nothing more.
    process.stdout.write('# tests of access control lists did not run: the temporary disk has none\n');
    return 'this needs a disk with lists and attributes';
  } finally {
    rmdirSync(folder);
  }
}

const needsLists = { skip: whyNot() };

t.test(
  'a file that is replaced keeps its access control list and what people noted',
  needsLists,
  async (t) => {
    const file = join(temporaryFolder(t), 'settings.json');
    writeFileSync(file, 'before');
    setAttributeOf(file, LIST, listFor(0), 0);
    setAttributeOf(file, NOTE, Buffer.from('mine'), 0);
    const { mode, ino } = statSync(file);
    replaceWholeFile(file, 'after');
    t.equal(readFileSync(file, 'utf8'), 'after');
    t.same(attributeOf(file, LIST), listFor(0), 'its group may do no more than before');
    t.same(attributeOf(file, NOTE), Buffer.from('mine'));
    t.equal(statSync(file).mode, mode);
    t.not(statSync(file).ino, ino, 'it is written whole or not at all');
  },
);

t.test('a file without a list gets none from its folder when it is replaced', needsLists, async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'settings.json');
  writeFileSync(file, 'before');
  chmodSync(file, 0o664);
  setAttributeOf(folder, FOLDER_LIST, listFor(0), 0);
  replaceWholeFile(file, 'after');
  t.same(attributeNames(file), []);
  t.equal(statSync(file).mode & 0o777, 0o664);
});

t.test('nobody may open the new file who may not open the old one, at any time', needsLists, async (t) => {
  const file = join(temporaryFolder(t), 'settings.json');
  writeFileSync(file, 'before');
  setAttributeOf(file, LIST, listFor(0), 0);
  const { chmodSync: change } = fs;
  t.teardown(() => {
    fs.chmodSync = change;
    syncBuiltinESMExports();
  });
  let isSeen = false;
  fs.chmodSync = (path, mode) => {
    isSeen = true;
    t.same(attributeOf(String(path), LIST), listFor(0), 'it has the list before its mode');
    change(path, mode);
  };
  syncBuiltinESMExports();
  replaceWholeFile(file, 'after');
  t.ok(isSeen);
});

t.test('a file with an attribute that a new one cannot have is overwritten', needsLists, async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'settings.json');
  writeFileSync(file, 'before, and long');
  execFileSync('python3', ['-c', `import os, sys; os.setxattr(sys.argv[1], b'user.\\xff', b'1')`, file]);
  const { ino } = statSync(file);
  replaceWholeFile(file, 'after');
  t.equal(readFileSync(file, 'utf8'), 'after');
  t.equal(statSync(file).ino, ino);
  t.same(readdirSync(folder), ['settings.json']);
});
