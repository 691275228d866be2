import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/store/database.ts';
import { BTRFS, diskInFile, needsDiskInFile, SMALL_BLOCKS } from '../support/disk-in-file.ts';
import { temporaryFolder } from '../support/temporary.ts';

const SCHEMA = {
  what: 'numbers',
  migrations: ['CREATE TABLE numbers (number INTEGER)'],
  wayOutOfDamage: '',
  wayOutOfNewer: '',
};
/** Enough to make the index of a log with holes, and not enough to fill them. */
const LITTLE_ROOM_BYTES = 20 << 10;
/** Takes all that is left of the disk that it runs on, and has all be written that was stored in mapped memory. */
const FILL = 'for n in 1 2 3 4; do dd if=/dev/zero of=ballast$n bs=4k status=none; sync -f .; done';
/** Stores what is there in each page of a file. */
const STORE = `import mmap, sys
with open(sys.argv[1], "r+b") as file:
  pages = mmap.mmap(file.fileno(), 0)
  for at in range(0, len(pages), mmap.PAGESIZE): pages[at] = pages[at]`;

t.test(
  'the index of a log on a full disk of btrfs can be stored to, which kills else',
  needsDiskInFile(BTRFS),
  async (t) => {
    const disk = diskInFile(t, BTRFS);
    const file = join(disk, 'numbers.sqlite');
    const database = openDatabase(file, SCHEMA);
    try {
      database.exec('INSERT INTO numbers VALUES (1)');
      spawnSync('sh', ['-c', FILL], { cwd: disk, stdio: 'ignore' });
      t.match(spawnSync('python3', ['-c', STORE, `${file}-shm`]), { status: 0, signal: null });
      t.same(database.prepare('SELECT * FROM numbers').all(), [{ number: 1 }]);
      t.equal(statSync(`${file}-shm`).mode, statSync(file).mode);
      execFileSync('sh', ['-c', 'rm ballast*; sync -f .'], { cwd: disk });
    } finally {
      database.close();
    }
    t.notOk(existsSync(`${file}-shm`), 'it goes with the last who has the database open');
    const again = openDatabase(file, SCHEMA, { readOnly: true });
    t.same(again.prepare('SELECT * FROM numbers').all(), [{ number: 1 }]);
    again.close();
  },
);

t.test(
  'where blocks are smaller than a page, the index has no holes',
  needsDiskInFile(SMALL_BLOCKS),
  async (t) => {
    const disk = diskInFile(t, SMALL_BLOCKS);
    const file = join(disk, 'numbers.sqlite');
    openDatabase(file, SCHEMA).close();
    openDatabase(file, SCHEMA, { readOnly: true }).close();
    t.ok(existsSync(`${file}-shm`), 'a reader leaves one, which SQLite begins anew');
    const database = openDatabase(file, SCHEMA);
    try {
      spawnSync('sh', ['-c', FILL], { cwd: disk, stdio: 'ignore' });
      t.match(spawnSync('python3', ['-c', STORE, `${file}-shm`]), { status: 0, signal: null });
      t.same(database.prepare('SELECT * FROM numbers').all(), []);
    } finally {
      database.close();
    }
  },
);

t.test(
  'where blocks are smaller than a page, no index is begun for which there is no room',
  needsDiskInFile(SMALL_BLOCKS),
  async (t) => {
    const disk = diskInFile(t, SMALL_BLOCKS);
    const file = join(disk, 'numbers.sqlite');
    openDatabase(file, SCHEMA).close();
    spawnSync('sh', ['-c', FILL], { cwd: disk, stdio: 'ignore' });
    truncateSync(join(disk, 'ballast1'), statSync(join(disk, 'ballast1')).size - LITTLE_ROOM_BYTES);
    execFileSync('sync', ['-f', disk]);
    // What is opened all the same has to be closed, or the disk could not be unmounted.
    t.throws(() => openDatabase(file, SCHEMA).close(), /the disk is full; .*free some space/);
    t.notOk(existsSync(`${file}-shm`));
    const database = openDatabase(file, SCHEMA, { readOnly: true });
    t.same(database.prepare('SELECT * FROM numbers').all(), []);
    database.close();
  },
);

t.test('a folder that is not on btrfs has no more files than SQLite makes', async (t) => {
  const folder = join(temporaryFolder(t), 'state');
  mkdirSync(folder);
  t.throws(() => openDatabase(join(folder, 'none.sqlite'), SCHEMA, { readOnly: true }), /no numbers yet/);
  t.notOk(existsSync(join(folder, 'none.sqlite-shm')));
});
