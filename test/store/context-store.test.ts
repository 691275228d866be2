import fs, { chmodSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t from 'tap';
import { openContextStore } from '../../src/store/context-store.ts';
import { freeBytesAt } from '../../src/system/free-space.ts';
import { diskInMemory, needsRootToMount } from '../support/disk-in-memory.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { testWhereModesCount } from '../support/where-modes-count.ts';

t.test('what cannot be synced is refused with an errno, not taken for a bug', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const store = openContextStore(file);
  t.teardown(() => store.close());
  store.transact(() => store.sessions.add('one', 0, 'tester'));
  await store.sync();
  rmSync(`${file}-wal`);
  await t.rejects(store.sync(), { name: 'FsError', code: 'EIO', message: /cannot be synced/ });
});

t.test('what a quota keeps from being synced is refused as that', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const store = openContextStore(file);
  t.teardown(() => store.close());
  const { openSync } = fs;
  fs.openSync = () => {
    throw Object.assign(new Error('EDQUOT: quota exceeded'), { code: 'EDQUOT', syscall: 'fdatasync' });
  };
  syncBuiltinESMExports();
  try {
    await t.rejects(store.sync(), { name: 'FsError', code: 'EDQUOT' });
  } finally {
    fs.openSync = openSync;
    syncBuiltinESMExports();
  }
});

t.test('nothing is taken for kept in a file that was removed or replaced', async (t) => {
  const folder = join(temporaryFolder(t), 'state');
  const file = join(folder, 'context.sqlite');
  const store = openContextStore(file);
  t.teardown(() => store.close());
  const add = (id: string) => () => store.transact(() => store.sessions.add(id, 0, 'tester'));
  add('one')();
  renameSync(folder, `${folder}.away`);
  t.throws(add('two'), {
    name: 'FsError',
    code: 'EIO',
    message: /removed, replaced or emptied.*mount again/,
  });
  openContextStore(file).close();
  t.throws(add('two'), { name: 'FsError', code: 'EIO' }, 'a new one in its place is another one');
  t.equal(store.sessions.get('two'), undefined);
  rmSync(folder, { recursive: true });
  renameSync(`${folder}.away`, folder);
  add('two')();
  t.ok(store.sessions.get('two'), 'where it is back, all is as before');
});

t.test(
  'what a disk has refused is tried again before more is said to be kept',
  needsRootToMount,
  async (t) => {
    const folder = diskInMemory(t, 'size=3m');
    const store = openContextStore(join(folder, 'context.sqlite'));
    t.teardown(() => store.close());
    const add = (id: string) => () => store.transact(() => store.sessions.add(id, 0, 'tester'));
    add('one')();
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(freeBytesAt(folder)));
    t.equal(store.whyUnkept(), undefined, 'it is not known');
    const more = () => {
      for (let number = 0; number < 1000; number += 1) add(`more-${number}`)();
    };
    t.throws(more, { name: 'FsError', code: 'ENOSPC' });
    t.match(store.whyUnkept(), { code: 'ENOSPC', why: /full/ });
    t.throws(more, { name: 'FsError', code: 'ENOSPC' });
    truncateSync(join(folder, 'ballast'));
    t.equal(store.whyUnkept(), undefined);
    add('two')();
    t.ok(store.sessions.get('two'));
  },
);

t.test('what another process kept busy is not tried again at each write', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const store = openContextStore(file);
  t.teardown(() => store.close());
  const other = new Database(file);
  t.teardown(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  t.throws(() => store.transact(() => store.sessions.add('one', 0, 'tester')), { code: 'EBUSY' });
  const startMs = performance.now();
  t.equal(store.whyUnkept(), undefined);
  t.ok(performance.now() - startMs < 5000, 'nobody waits for it once more');
  other.exec('ROLLBACK');
});

t.test('nothing is taken for kept in a file that was emptied', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const store = openContextStore(file);
  t.teardown(() => store.close());
  const add = (id: string) => () => store.transact(() => store.sessions.add(id, 0, 'tester'));
  add('one')();
  const other = new Database(file);
  other.exec(
    'CREATE TABLE large (text); INSERT INTO large VALUES (zeroblob(1000000)); PRAGMA wal_checkpoint(TRUNCATE)',
  );
  const again = openContextStore(file);
  other.exec('DROP TABLE large; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  other.close();
  t.doesNotThrow(
    () => again.transact(() => again.sessions.add('small', 0, 'tester')),
    'a smaller file is the same',
  );
  again.close();
  add('still there')();
  truncateSync(file);
  t.throws(add('two'), { name: 'FsError', code: 'EIO', message: /emptied while it was in use/ });
});

testWhereModesCount('an index of the log that may not be written is named with its chmod', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  openContextStore(file).close();
  chmodSync(file, 0o400);
  // SQLite makes the index of its log with the mode of the file, and leaves it.
  openContextStore(file).close();
  chmodSync(file, 0o600);
  const store = openContextStore(file);
  t.teardown(() => store.close());
  t.throws(() => store.transact(() => store.sessions.add('one', 0, 'tester')), {
    code: 'EROFS',
    why: `${file}-shm cannot be written: no permission to read and write it; chmod u+rw ${file}-shm`,
  });
});
