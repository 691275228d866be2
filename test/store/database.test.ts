import { execFile, spawn } from 'node:child_process';
import fs, { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import t from 'tap';
import { codeOfFailure, UserError } from '../../src/core/errors.ts';
import { copyDatabaseExplained, openDatabase } from '../../src/store/database.ts';
import { explain } from '../../src/store/database-failure.ts';
import { MIGRATIONS } from '../../src/store/migrations.ts';
import { whyNoDatabase } from '../../src/store/not-loaded.ts';
import { INDEX_SCHEMA, openStore } from '../../src/store/store.ts';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';

function messageOf(action: () => unknown): string {
  try {
    action();
    return 'nothing was thrown';
  } catch (error) {
    return error instanceof UserError ? error.message : `not a UserError: ${error}`;
  }
}

t.test('a new store is made with its folder, closed to others', async (t) => {
  const file = join(temporaryFolder(t), 'state', 'index.sqlite');
  openStore(file).close();
  t.equal(statSync(join(file, '..')).mode & 0o777, 0o700);
  t.equal(openStore(file).revision(), 0, 'and opens again');
});

t.test('a copy that the disk has no room for is told, and nothing is left of it', async (t) => {
  const folder = temporaryFolder(t);
  const [file, copy] = [join(folder, 'index.sqlite'), join(folder, 'copy.sqlite')];
  openStore(file).close();
  const database = join(import.meta.dirname, '../../src/store/database.js');
  const script = `
    const { copyDatabaseExplained } = await import(${JSON.stringify(database)});
    const schema = { what: 'index', migrations: [], wayOutOfDamage: '', wayOutOfNewer: '' };
    try { copyDatabaseExplained(${JSON.stringify(file)}, ${JSON.stringify(copy)}, schema); }
    catch (error) { console.log(error.name, error.message); }`;
  const shell = ['-c', 'ulimit -f 8; exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const { stdout } = await promisify(execFile)('bash', shell);
  t.match(stdout, /^UserError .*copy\.sqlite: /);
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('copy')),
    [],
  );
  const folderOfNobody = join(folder, 'nowhere/copy.sqlite');
  t.match(
    messageOf(() => copyDatabaseExplained(file, folderOfNobody, INDEX_SCHEMA)),
    /nowhere\/copy\.sqlite: cannot be opened for writing/,
  );
  copyDatabaseExplained(file, copy, INDEX_SCHEMA);
  t.equal(openStore(copy).revision(), 0);
});

t.test('a store that cannot be opened since too many files are says so', async (t) => {
  const folder = temporaryFolder(t);
  const store = join(import.meta.dirname, '../../src/store/store.js');
  const script = `
    import { closeSync, openSync } from 'node:fs';
    const { openStore } = await import(${JSON.stringify(store)});
    openStore(':memory:').close();
    const taken = [];
    try { for (;;) taken.push(openSync('/dev/null')); } catch {}
    for (let isOpened = false; !isOpened; closeSync(taken.pop())) {
      try {
        openStore(${JSON.stringify(join(folder, 'index.sqlite'))}).close();
        isOpened = true;
      } catch (error) { console.log(error.name, error.message); }
    }`;
  const shell = ['-c', 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const { stdout } = await promisify(execFile)('bash', shell);
  const told = stdout.trimEnd().split('\n');
  t.ok(told.length > 1, 'with none left, and with fewer than it takes');
  for (const line of told)
    t.match(line, /^UserError .*index\.sqlite: cannot be opened \(EMFILE: too many open files/);
});

t.test('a store of a newer version is left alone, with the way out', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  const newer = new Sqlite(file);
  newer.pragma(`user_version = ${MIGRATIONS.length + 1}`);
  newer.close();
  const before = readFileSync(file);
  t.match(
    messageOf(() => openStore(file)),
    /index\.sqlite: written by a newer kgraphfs .* upgrade kgraphfs, or remove .* with "kgraphfs wipe"/,
  );
  t.same(readFileSync(file), before);
});

t.test('a damaged store is named, and not overwritten', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  writeFileSync(file, 'this is no database, but somebody may miss it '.repeat(200));
  const before = readFileSync(file);
  t.match(
    messageOf(() => openStore(file)),
    /index\.sqlite: the index is damaged .*kgraphfs check --repair/,
  );
  t.same(readFileSync(file), before);
});

t.test('a store that is not there cannot be read', async (t) => {
  const folder = temporaryFolder(t);
  t.match(
    messageOf(() => openStore(join(folder, 'index.sqlite'), { readOnly: true })),
    /there is no index yet/,
  );
  t.same(readdirSync(folder), []);
});

t.test('a store that was begun on a full disk is not called an older one', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  writeFileSync(file, '');
  const message = messageOf(() => openDatabase(file, INDEX_SCHEMA, { readOnly: true }));
  t.equal(message, `${file}: nothing is in it yet; run "kgraphfs build" to bring it up to date`);
});

t.test('a state folder that is a file is named', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'state'), '');
  t.match(
    messageOf(() => openStore(join(folder, 'state', 'index.sqlite'))),
    /state\/index\.sqlite: .*--state/,
  );
});

t.test('a transaction that fails leaves nothing behind', async (t) => {
  const store = openStore(join(temporaryFolder(t), 'index.sqlite'));
  t.teardown(() => store.close());
  t.throws(() =>
    store.transact(() => {
      store.setMeta('revision', '7');
      throw new Error('half way');
    }),
  );
  t.equal(store.revision(), 0);
});

t.test('a full disk is called that', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  const database = openDatabase(file, INDEX_SCHEMA);
  t.teardown(() => database.close());
  // The limit of pages stands in for the end of the disk: SQLite reports both as SQLITE_FULL.
  database.pragma('max_page_count = 40');
  const fill = () => database.prepare('INSERT INTO keys (key) VALUES (zeroblob(1000000))').run();
  t.match(
    messageOf(() => {
      try {
        fill();
      } catch (error) {
        throw explain(error, INDEX_SCHEMA, file);
      }
    }),
    /the disk is full/,
  );
});

t.test('a quota that is used up is called that, and has its own code', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  openStore(file).close();
  // As write(2) says it to who looks why SQLite failed: Node has no name for that number.
  const { statfsSync } = fs;
  const refused = { code: 'Unknown system error -122', errno: -122, syscall: 'statfs' };
  const refuse = () => {
    throw Object.assign(new Error('Unknown system error -122: Unknown system error -122, statfs'), refused);
  };
  Object.assign(fs, { statfsSync: refuse });
  syncBuiltinESMExports();
  t.teardown(() => {
    Object.assign(fs, { statfsSync });
    syncBuiltinESMExports();
  });
  const failed = explain(new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE'), INDEX_SCHEMA, file);
  t.match(failed.message, /your quota of the disk is used up; nothing of the last batch was kept/);
  t.equal(codeOfFailure(failed), 'EDQUOT');
});

t.test('what another connection commits is noticed', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  const reader = openStore(file);
  const writer = openStore(file);
  t.teardown(() => {
    reader.close();
    writer.close();
  });
  const before = reader.dataVersion();
  writer.transact(() => writer.setMeta('revision', '5'));
  t.not(reader.dataVersion(), before);
  t.equal(reader.revision(), 5);
});

testWhereModesCount('an ordinary user without rights is told which file', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  openStore(file).close();
  chmodSync(file, 0o000);
  t.match(
    messageOf(() => openStore(file)),
    `${file}: cannot be opened for writing (no permission to read and write it); chmod u+rw ${file}`,
  );
});

/** Opens each file that it is told, once it has said that it can. */
const OPENER = `const { openContextStore } = await import(process.argv[1]);
const { createInterface } = await import('node:readline');
console.log('ready');
for await (const file of createInterface({ input: process.stdin })) {
  try { openContextStore(file).close(); console.log('opened'); } catch (error) { console.log(String(error)); }
}`;

t.test('processes that make a store at the same moment all get it', async (t) => {
  const module = new URL('../../src/store/context-store.js', import.meta.url).href;
  const openers = Array.from({ length: 4 }, () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', OPENER, module], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, next: async () => String((await said.next()).value) };
  });
  const all = () => Promise.all(openers.map(({ next }) => next()));
  t.same(await all(), Array(4).fill('ready'));
  for (let round = 0; round < 8; round += 1) {
    const file = join(temporaryFolder(t), 'context.sqlite');
    for (const { child } of openers) child.stdin.write(`${file}\n`);
    t.same(await all(), Array(4).fill('opened'));
  }
});

t.test(
  'a package that was compiled for another Node, or not at all, is told with what compiles it',
  async (t) => {
    const otherNode = Object.assign(
      new Error(
        "The module '/opt/x.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 115. Please try re-compiling",
      ),
      { code: 'ERR_DLOPEN_FAILED' },
    );
    const notCompiled = new Error(
      'Could not locate the bindings file. Tried:\n → /opt/build/x.node\n → /opt/x.node',
    );
    const wayOut = /: run "npm rebuild better-sqlite3" in \/.+/;
    for (const [error, reason] of [
      [otherNode, 'different Node.js version using NODE_MODULE_VERSION 115.)'],
      [notCompiled, '(Could not locate the bindings file.)'],
    ] as const) {
      const { message } = explain(error, INDEX_SCHEMA, '/state/index.sqlite');
      t.ok(message.startsWith(`better-sqlite3 cannot be loaded by this Node.js, ${process.versions.node} (`));
      t.ok(message.includes(reason), message);
      t.match(message, wayOut);
      t.notMatch(message, /state|Tried|Please/, 'nothing is wrong with the file');
    }
    t.equal(whyNoDatabase(), undefined);
  },
);

t.test('a link is no database: nothing is made where it leads', async (t) => {
  const [folder, outside] = [temporaryFolder(t), temporaryFolder(t)];
  const file = join(folder, 'index.sqlite');
  symlinkSync(join(outside, 'index.sqlite'), file);
  for (const readOnly of [false, true])
    t.match(
      messageOf(() => openStore(file, { readOnly })),
      /index\.sqlite: it is a link, .*; remove it, or .*--state/,
    );
  t.same(readdirSync(outside), []);
});

t.test('a file that is read while it may not be written to leaves nothing that stays so', async (t) => {
  const file = join(temporaryFolder(t), 'index.sqlite');
  openDatabase(file, INDEX_SCHEMA).close();
  chmodSync(file, 0o400);
  openDatabase(file, INDEX_SCHEMA, { readOnly: true }).close();
  for (const part of ['-wal', '-shm']) {
    t.equal(statSync(`${file}${part}`).mode & 0o777, 0o600, `${part} may be written to by its owner`);
  }
  t.equal(statSync(file).mode & 0o777, 0o400, 'the file itself stays');
});

t.test(
  'a disk that does not say how much room it has counts as one that has some',
  needsRootToMount,
  async (t) => {
    const file = join(diskInMemory(t, 'size=0,mode=700'), 'index.sqlite');
    const database = openDatabase(file, INDEX_SCHEMA, { whereOnlyRead: 'copy' });
    database.exec("INSERT INTO meta VALUES ('docs_root', '/docs')");
    database.close();
    const store = openStore(file);
    t.equal(store.meta('docs_root'), '/docs', 'what was written is kept');
    store.close();
  },
);
