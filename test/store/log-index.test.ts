import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openDatabase } from '../../src/store/database.ts';
import { needsBtrfs, onBtrfs } from '../support/btrfs.ts';
import { temporaryFolder } from '../support/temporary.ts';

const SCHEMA = {
  what: 'numbers',
  migrations: ['CREATE TABLE numbers (number INTEGER)'],
  wayOutOfDamage: '',
  wayOutOfNewer: '',
};
/** Takes all that is left of the disk that it runs on, and has all be written that was stored in mapped memory. */
const FILL = 'for n in 1 2 3 4; do dd if=/dev/zero of=ballast$n bs=4k status=none; sync -f .; done';
/** Stores what is there in each page of a file. */
const STORE = `import mmap, sys
with open(sys.argv[1], "r+b") as file:
  pages = mmap.mmap(file.fileno(), 0)
  for at in range(0, len(pages), mmap.PAGESIZE): pages[at] = pages[at]`;

t.test(
  'the index of a log on a full disk of btrfs can be stored to, which kills else',
  needsBtrfs(),
  async (t) => {
    const disk = onBtrfs(t);
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

t.test('a folder that is not on btrfs has no more files than SQLite makes', async (t) => {
  const folder = join(temporaryFolder(t), 'state');
  mkdirSync(folder);
  t.throws(() => openDatabase(join(folder, 'none.sqlite'), SCHEMA, { readOnly: true }), /no numbers yet/);
  t.notOk(existsSync(join(folder, 'none.sqlite-shm')));
});
