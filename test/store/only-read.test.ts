import { chmodSync, copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
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

testWhereModesCount('what a log holds is read in a copy on the disk, which has no name', async (t) => {
  const [folder, closed, temporary] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const file = join(folder, 'index.sqlite');
  const writer = new Sqlite(file);
  writer.pragma('journal_mode = WAL');
  writer.exec("CREATE TABLE words (word); INSERT INTO words VALUES ('late')");
  for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, join(closed, `index.sqlite${part}`));
  writer.close();
  for (const part of ['', '-wal']) chmodSync(join(closed, `index.sqlite${part}`), 0o400);
  chmodSync(closed, 0o500);
  t.teardown(() => chmodSync(closed, 0o700));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = temporary;
  t.teardown(() => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  });
  const database = openOnlyRead(join(closed, 'index.sqlite'), 0);
  t.same(readdirSync(temporary), []);
  t.equal(database.memory, false);
  t.same(database.prepare('SELECT word FROM words').pluck().all(), ['late']);
  t.throws(() => database.exec("INSERT INTO words VALUES ('more')"), { code: /^SQLITE_READONLY/ });
  database.close();
});
