import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openLog } from '../../../src/cli/mount/log-file.ts';
import { startDaemonProcess } from '../../../src/cli/mount/start-daemon-process.ts';
import { EXIT } from '../../../src/core/errors.ts';
import { libraryIo } from '../../../src/library/library-io.ts';
import { type Teardown, temporaryFolder } from '../../support/temporary.ts';
import { MAIN } from '../run-cli.ts';
import { isRunning, until } from './mount-place.ts';

/** Against what hangs; a machine that is busy may take its time. */
const LIMIT_MS = 60_000;
const POLL_MS = 20;

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

t.test('a daemon that is interrupted when it has just come up is none that was started', async (t) => {
  const { state, log, start } = daemonPlace(t);
  const before = new Set(process.listeners('SIGINT'));
  const started = start();
  const ended = t.rejects(started, {
    name: 'UserError',
    message: 'interrupted; no daemon stays',
    exitStatus: EXIT.interrupted,
  });
  // It comes up while this thread hears nothing of it.
  const pid = waitFor(() => readyIn(join(state, 'daemons')));
  for (const forward of process.listeners('SIGINT').filter((one) => !before.has(one))) forward('SIGINT');
  await ended;
  t.notOk(isRunning(pid));
  log.close();
});

/** The daemon that says there that it is ready. */
function readyIn(folder: string): number | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const texts = names
    .filter((name) => name.endsWith('.status'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const told = texts.map((text): { state: string; pid: number } => JSON.parse(text));
  return told.find((one) => one.state === 'ready')?.pid;
}

/** Blocks this thread. */
function waitFor<T>(look: () => T | undefined): T {
  const endMs = performance.now() + LIMIT_MS;
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (performance.now() < endMs) {
    const found = look();
    if (found !== undefined) return found;
    Atomics.wait(never, 0, 0, POLL_MS);
  }
  throw new Error('it did not come up');
}

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

t.test('a daemon that cannot be started, since too few files may be open, is told of', async (t) => {
  const { state, logFile, log } = daemonPlace(t);
  log.close();
  const at = (path: string) => JSON.stringify(join(import.meta.dirname, '../../../src', path));
  const plan = { flags: { docs: [], state }, allowOther: false, audit: true, readOnly: false };
  const script = `
    import { openSync } from 'node:fs';
    const { startDaemonProcess } = await import(${at('cli/mount/start-daemon-process.js')});
    const { openLog } = await import(${at('cli/mount/log-file.js')});
    const { libraryIo } = await import(${at('library/library-io.js')});
    const options = { plan: ${JSON.stringify(plan)}, log: openLog(${JSON.stringify(logFile)}), waitForAll: true };
    const io = libraryIo({ folder: '/', onWarning() {} });
    try { for (;;) openSync('/dev/null'); } catch {}
    await startDaemonProcess({ ...options, io }).catch((error) => console.log(error.name, error.message));`;
  const shell = ['-c', 'ulimit -n 400; exec "$0" --input-type=module -e "$1"', process.execPath, script];
  const { stdout } = spawnSync('bash', shell, { encoding: 'utf8' });
  t.match(stdout, /^UserError the daemon cannot be started: .*EMFILE/);
});

t.test('a daemon that has too little address space says how it gets more', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'a.md'), '# Alpha\n');
  // Enough for a command with one thread, too little for the threads of a daemon.
  const limited = 'ulimit -v 900000; exec "$0" "$@"';
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', limited, process.execPath, MAIN, 'start', '--docs', folder],
    { encoding: 'utf8' },
  );
  t.equal(status, 1);
  t.match(
    stderr,
    /^kgraphfs: the daemon ended before it was ready \(SIG\w+\): .*: ulimit -v unlimited, or LimitAS/,
  );
});
