import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { liveDaemons, registerDaemon } from '../../src/state/daemons.ts';
import { prepareStateFolder, stateFolderAt } from '../../src/state/state-folder.ts';
import { temporaryFolder } from '../support/temporary.ts';

t.test('a daemon is known from its start to its end', async (t) => {
  const state = stateFolderAt(join(temporaryFolder(t), 'state'));
  t.same(liveDaemons(state), [], 'also where there is no folder yet');
  prepareStateFolder(state);
  const unregister = registerDaemon(state, { mountpoint: '/mnt/ctx', docs: '/srv/docs' });
  t.match(liveDaemons(state), [{ pid: process.pid, mountpoint: '/mnt/ctx', docs: '/srv/docs' }]);
  unregister();
  t.same(liveDaemons(state), []);
});

t.test('a process that took the number of a dead daemon is not taken for it', async (t) => {
  const state = stateFolderAt(temporaryFolder(t));
  prepareStateFolder(state);
  const record = { pid: process.pid, startTicks: '1', mountpoint: '/mnt/ctx', docs: '/srv/docs' };
  writeFileSync(join(state.daemonsFolder, `${process.pid}.json`), JSON.stringify(record));
  writeFileSync(join(state.daemonsFolder, '1.json'), 'half wri');
  t.same(liveDaemons(state), []);
  t.same(readdirSync(state.daemonsFolder), [], 'records of the dead are removed');
});

t.test('the state folder is closed to other users, also one that was open', async (t) => {
  const path = join(temporaryFolder(t), 'state');
  mkdirSync(path);
  chmodSync(path, 0o755);
  prepareStateFolder(stateFolderAt(path));
  t.equal(statSync(path).mode & 0o777, 0o700);
});

t.test('a state folder that cannot be made is named, with the way out', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  t.throws(() => prepareStateFolder(stateFolderAt(join(folder, 'file', 'state'))), {
    message: /file\/state: .*--state/,
  });
});

t.test('a state folder that is a link is not followed', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'precious'), { mode: 0o755 });
  symlinkSync('precious', join(folder, 'state'));
  t.throws(() => prepareStateFolder(stateFolderAt(join(folder, 'state'))), {
    message: /state: .* is a link; .*--state/,
  });
  t.same(readdirSync(join(folder, 'precious')), []);
});
