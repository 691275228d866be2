import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants as osConstants } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { statusAt, statusOf } from '../../src/system/file-status.ts';
import { O_PATH, openBelowNow, walkBelow } from '../../src/system/files.ts';
import { temporaryFolder } from '../support/temporary.ts';

const { ENOENT, ENOTDIR } = osConstants.errno;
const ENTRY = O_PATH | constants.O_NOFOLLOW;
const FOLDER = ENTRY | constants.O_DIRECTORY;

const WAYS = { 'by one call': openBelowNow, 'name by name': walkBelow };

for (const [name, open] of Object.entries(WAYS)) {
  t.test(`${name}, what lies below a folder is opened and no link is followed`, async (t) => {
    const outside = temporaryFolder(t);
    const top = join(outside, 'top');
    mkdirSync(join(top, 'a/b'), { recursive: true });
    writeFileSync(join(top, 'a/b/file'), '');
    writeFileSync(join(outside, 'secret'), '');
    symlinkSync('b', join(top, 'a/link'));
    symlinkSync(outside, join(top, 'out'));
    symlinkSync('../secret', join(top, 'secret'));
    const folder = openSync(top, FOLDER);
    t.teardown(() => closeSync(folder));
    const refusals = {
      none: -ENOENT,
      'a/none': -ENOENT,
      'none/b': -ENOENT,
      'a/b/file/below': -ENOTDIR,
      'a/link/file': -ENOTDIR,
      'out/secret': -ENOTDIR,
    };
    for (const [path, errno] of Object.entries(refusals)) t.equal(open(folder, path, ENTRY), errno, path);
    for (const path of ['a/b/file', 'a/link', 'out', 'secret']) {
      t.equal(open(folder, path, FOLDER), -ENOTDIR, `${path} is not a folder`);
    }
    for (const path of ['..', '../secret', 'a/../../secret']) {
      t.ok(open(folder, path, ENTRY) < 0, `${path} leads out`);
    }
    for (const path of ['a', 'a/b', 'a/b/file', 'a/link', 'out']) {
      const found = open(folder, path, ENTRY);
      t.equal(readlinkSync(`/proc/self/fd/${found}`), join(top, path));
      closeSync(found);
    }
  });
}

t.test('a status is what the system says of it', async (t) => {
  const top = temporaryFolder(t);
  const folder = openSync(top, FOLDER);
  t.teardown(() => closeSync(folder));
  for (const descriptor of [folder, openSync('/dev/null', ENTRY)]) {
    const expected = fstatSync(descriptor, { bigint: true });
    t.match(statusOf(descriptor), {
      mode: Number(expected.mode),
      inode: Number(expected.ino),
      links: Number(expected.nlink),
      user: Number(expected.uid),
      group: Number(expected.gid),
      sizeBytes: Number(expected.size),
      blocks: Number(expected.blocks),
      device: Number(expected.rdev),
      disk: Number(expected.dev),
      accessedNs: expected.atimeNs,
      modifiedNs: expected.mtimeNs,
      changedNs: expected.ctimeNs,
    });
    if (descriptor !== folder) closeSync(descriptor);
  }
  t.equal(statusAt(folder, 'none'), undefined);
  t.throws(() => statusAt(folder, 'x'.repeat(256)), { code: 'ENAMETOOLONG' });
  t.throws(() => statusOf(-1), { code: 'EBADF' });
});
