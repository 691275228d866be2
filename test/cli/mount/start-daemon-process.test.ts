import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openLog } from '../../../src/cli/mount/log-file.ts';
import { startDaemonProcess } from '../../../src/cli/mount/start-daemon-process.ts';
import { libraryIo } from '../../../src/library/library-io.ts';
import { type Teardown, temporaryFolder } from '../../support/temporary.ts';
import { until } from './mount-place.ts';

/** A folder with docs and the log of a daemon, and what starts one there. */
function daemonPlace(t: Teardown) {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/a.md'), '# Alpha\n');
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  const logFile = join(state, 'daemon.log');
  const log = openLog(logFile);
  const start = () =>
    startDaemonProcess({
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
  return { state, logFile, log, start };
}

t.test('of a daemon that ends long after it came up the log, which is closed, is not read', async (t) => {
  const { log, start } = daemonPlace(t);
  const { status, isReady } = await start();
  t.ok(isReady);
  log.close();
  process.kill(status.pid, 'SIGKILL');
  // Its exit is told when it is waited for, which takes it out of /proc. What is thrown there fails this test.
  await until('the daemon to be gone', () => !existsSync(`/proc/${status.pid}`));
});

t.test(
  'where a bug keeps a daemon from starting, the log has the stack and the message has none',
  async (t) => {
    const { state, logFile, log, start } = daemonPlace(t);
    // Nobody expects a folder there, and it cannot be removed as a file.
    mkdirSync(join(state, 'daemons/1.json'), { recursive: true });
    await t.rejects(start(), {
      name: 'UserError',
      message:
        /^this is a bug of kgraphfs, please report it: [^\n]*EISDIR[^\n]* \(\S*\/state\/daemon\.log shows where\)$/,
    });
    log.close();
    t.match(readFileSync(logFile, 'utf8'), /EISDIR.*\n +at /);
  },
);
