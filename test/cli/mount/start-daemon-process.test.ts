import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openLog } from '../../../src/cli/mount/log-file.ts';
import { startDaemonProcess } from '../../../src/cli/mount/start-daemon-process.ts';
import { libraryIo } from '../../../src/library/library-io.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from './mount-place.ts';

t.test('of a daemon that ends long after it came up the log, which is closed, is not read', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '# Alpha\n');
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  const log = openLog(join(folder, 'daemon.log'));
  const { status, isReady } = await startDaemonProcess({
    plan: {
      flags: { docs: [{ name: '', path: join(folder, 'docs') }], state },
      allowOther: false,
      audit: true,
      readOnly: false,
    },
    log,
    waitForAll: true,
    io: libraryIo({ folder, actor: undefined, session: undefined, onWarning: () => {} }),
  });
  t.ok(isReady);
  log.close();
  process.kill(status.pid, 'SIGKILL');
  // Its exit is told when it is waited for, which takes it out of /proc. What is thrown there fails this test.
  await until('the daemon to be gone', () => !existsSync(`/proc/${status.pid}`));
});
