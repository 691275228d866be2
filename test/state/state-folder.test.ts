import { statSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('all folders on the way are made, and closed to others', async (t) => {
  const state = stateFolderAt(join(temporaryFolder(t), 'a/b/state'));
  prepareStateFolder(state);
  prepareStateFolder(state);
  for (const path of [state.path, state.daemonsFolder]) t.equal(statSync(path).mode & 0o777, 0o700);
});

t.test('where the kernel makes no folders, that is said and not tried for ever', async (t) => {
  const state = stateFolderAt('/proc/none/state');
  t.throws(() => prepareStateFolder(state), {
    message: /\/proc\/none\/state: the state folder cannot be used/,
  });
});
