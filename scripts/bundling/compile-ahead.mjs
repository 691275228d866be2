/**
 * Keeps the compiled code of the bundles beside them: all that usual commands and a daemon run, which are tried on the sample docs in a temporary folder,
 * and of the rest as much as is compiled on loading. See src/core/bundle.ts.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAEMON_V8_FLAGS } from '../../dist/cli/mount/daemon-v8-flags.js';

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url));
const DIST = fromHere('../../dist/');
const [MAIN, COMPILE_BUNDLES] = [join(DIST, 'cli/main.js'), fromHere('compile-bundles.mjs')];

/** In this order, since each finds what those before it have made. */
const COMMANDS = [
  // If a daemon found everything already read, only the code of its start would be kept.
  ['start', '--wait'],
  ['status'],
  ['stop'],
  ['wipe', '--yes'],
  ['build'],
  ['status', '--json'],
  ['stats'],
  ['nodes'],
  ['query', 'Charge'],
  ['inspect', 'Charge'],
  ['connect', 'Subscription', 'charge.succeeded'],
  ['search', 'how do refunds work'],
  ['ask', '--no-llm', 'What is a charge?'],
  ['context', 'memory', 'add', 'fact/refunds', 'Refunds take 5 days'],
  ['context', 'memory', 'list', '--json'],
  ['context', 'build', 'how do refunds work'],
  ['context', 'history'],
  ['lint'],
  ['check'],
  ['doctor'],
  ['--help'],
  ['mount', '--help'],
  ['__names', 'nodes', 'Ch'],
];

/** These serve until they are ended. If nothing can be mounted, the first one still has the code of a daemon kept. */
const IN_FOREGROUND = [
  ['start', '--foreground'],
  ['mount', 'mnt', '--foreground'],
];

const work = folderToThrowAway();
const how = {
  cwd: work,
  env: {
    PATH: process.env.PATH,
    HOME: work,
    XDG_CONFIG_HOME: work,
    NODE_OPTIONS: `--import=${new URL('keep-code.mjs', import.meta.url)}`,
  },
  stdio: 'ignore',
};

function folderToThrowAway() {
  try {
    return mkdtempSync(join(tmpdir(), 'kgraphfs-compile-'));
  } catch (error) {
    // A wrong TMPDIR has to be corrected by whoever set it, and a stack of this script would not say so.
    process.stderr.write(
      `build: no folder can be made in ${tmpdir()} (${error.code}): set TMPDIR to one that can be written to\n`,
    );
    process.exit(1);
  }
}

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted.abort(signal));

/** Runs a command. If it reports a problem by its exit status, such as what this machine lacks for mounting, that does not matter here. */
async function run(args, { untilItSpeaks = false } = {}) {
  interrupted.signal.throwIfAborted();
  const program = spawn(process.execPath, args, {
    ...how,
    stdio: ['ignore', untilItSpeaks ? 'pipe' : 'ignore', 'ignore'],
  });
  program.stdout?.once('data', () => program.kill());
  const [, signal] = await once(program, 'exit');
  if (signal !== null) throw new Error(`${args.join(' ')} was ended by ${signal}`);
}

try {
  cpSync(fromHere('../../docs/sample'), join(work, 'docs'), { recursive: true });
  for (const args of COMMANDS) await run([MAIN, ...args]);
  // The first command has to index as well.
  await run([MAIN, 'wipe', '--yes']);
  for (const args of IN_FOREGROUND) await run([MAIN, ...args], { untilItSpeaks: true });
  for (const flags of [[], DAEMON_V8_FLAGS]) await run([...flags, COMPILE_BUNDLES, DIST]);
} finally {
  // This also runs after an interrupt before that point, so that no daemon stays.
  spawnSync(process.execPath, [MAIN, 'stop'], how);
  rmSync(work, { recursive: true });
}
