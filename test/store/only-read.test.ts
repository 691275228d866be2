import { chmodSync, copyFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Test } from 'tap';
import { openOnlyRead } from '../../src/store/only-read.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';

testWhereModesCount('a program that loaded better-sqlite3 first reads a closed folder, too', async (t) => {
  const folder = temporaryFolder(t);
  // Before anything of kgraphfs opens a database: then no file is named by a URI.
  new Sqlite(':memory:').close();
  const file = join(folder, 'index.sqlite');
  openStore(file).close();
  const made = openStore(file);
  made.transact(() => made.setMeta('docs_root', '/docs'));
  made.close();
  chmodSync(file, 0o400);
  chmodSync(folder, 0o500);
  t.teardown(() => chmodSync(folder, 0o700));
  const store = openStore(file, { readOnly: true });
  t.equal(store.meta('docs_root'), '/docs');
  t.throws(() => store.transact(() => store.setMeta('docs_root', '/other')), { message: /index\.sqlite/ });
  store.close();
  t.throws(() => openStore(file), { message: /cannot be opened for writing/ });
});

/** A file whose log holds what was written last, without the index of that, in a folder that is closed. */
function withLeftLog(t: Test): string {
  const [folder, closed] = [temporaryFolder(t), temporaryFolder(t)];
  const file = join(folder, 'index.sqlite');
  const writer = new Sqlite(file);
  writer.pragma('journal_mode = WAL');
  writer.exec("CREATE TABLE words (word); INSERT INTO words VALUES ('late')");
  for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, join(closed, `index.sqlite${part}`));
  writer.close();
  for (const part of ['', '-wal']) chmodSync(join(closed, `index.sqlite${part}`), 0o400);
  chmodSync(closed, 0o500);
  t.teardown(() => chmodSync(closed, 0o700));
  return join(closed, 'index.sqlite');
}

function setTemporary(t: Test, folder: string): void {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  t.teardown(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
}

testWhereModesCount(
  'a program that loaded better-sqlite3 first reads what a log holds in a copy on the disk, which has no name',
  async (t) => {
    const file = withLeftLog(t);
    const temporary = temporaryFolder(t);
    setTemporary(t, temporary);
    const database = openOnlyRead(file, 0);
    t.same(readdirSync(temporary), []);
    t.equal(database.memory, false);
    t.same(database.prepare('SELECT word FROM words').pluck().all(), ['late']);
    t.throws(() => database.exec("INSERT INTO words VALUES ('more')"), { code: /^SQLITE_READONLY/ });
    database.close();
  },
);

testWhereModesCount('a log that is read in a copy is not left out where none can be made', async (t) => {
  const file = withLeftLog(t);
  setTemporary(t, dirname(file));
  t.throws(() => openOnlyRead(file, 0), {
    message: /index\.sqlite: what its log \(index\.sqlite-wal\) holds .*TMPDIR/,
  });
});
