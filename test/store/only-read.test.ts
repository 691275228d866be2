import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
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
