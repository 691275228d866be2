import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openContextStore } from '../../src/store/context-store.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('what cannot be synced is refused with an errno, not taken for a bug', async (t) => {
  const file = join(temporaryFolder(t), 'context.sqlite');
  const store = openContextStore(file);
  t.teardown(() => store.close());
  store.transact(() => store.sessions.add('one', 0, 'tester'));
  await store.sync();
  rmSync(`${file}-wal`);
  await t.rejects(store.sync(), { name: 'FsError', code: 'EIO', message: /cannot be synced/ });
});
