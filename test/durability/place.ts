import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import type { DriverName } from '../../src/config/schema.ts';
import { type MountedPoint, parseMountInfo } from '../../src/system/mount-info.ts';
import { MAIN } from '../cli/run-cli.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

const run = promisify(execFile);
/** Against what hangs. */
const LIMIT_MS = 120_000;
/** A program that uses a mount hangs for good where the daemon does not answer. */
const SHELL_LIMIT_S = '90';

/** A folder with a small document and a state folder, and what is mounted below it until the test ends. */
export class Place {
  readonly folder: string;
  readonly state: string;
  readonly docs: string;
  readonly #daemons: ChildProcess[] = [];
  readonly #driver: readonly string[];

  /** @param driver without it, mounts take the one that they take for a user who says nothing */
  constructor(t: Teardown, driver?: DriverName) {
    this.#driver = driver === undefined ? [] : ['--driver', driver];
    this.folder = temporaryFolder(t);
    this.state = join(this.folder, 'state');
    this.docs = join(this.folder, 'docs');
    mkdirSync(this.docs);
    writeFileSync(join(this.docs, 'charge.md'), '# Charge\n\nA Charge requires a Customer.\n');
    t.teardown(async () => {
      for (const daemon of this.#daemons) await killed(daemon);
      // The latest mount first: a state folder may be one too.
      for (const { point, type } of this.#mounted().reverse()) {
        if (type.startsWith('fuse.')) execFileSync('fusermount3', ['-u', '-z', '--', point]);
        else execFileSync('umount', ['-l', '--', point]);
      }
    });
  }

  /** Runs the command line on these docs and this state. @returns what it printed. @throws where it fails, with what it said */
  async kgraphfs(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(
      process.execPath,
      [MAIN, ...args, '--docs', this.docs, '--state', this.state],
      {
        timeout: LIMIT_MS,
        maxBuffer: 1 << 28,
      },
    );
    return stdout;
  }

  /** Mounts at a name of the folder, in a process that lives until the test ends. */
  async mount(name: string, ...options: readonly string[]): Promise<LiveMount> {
    const point = join(this.folder, name);
    const at = ['--docs', this.docs, '--state', this.state];
    const daemon = spawn(
      process.execPath,
      [MAIN, 'mount', point, '--foreground', ...this.#driver, ...options, ...at],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#daemons.push(daemon);
    await mountedLine(daemon);
    const { stdout } = await run('timeout', [
      '-s',
      'KILL',
      SHELL_LIMIT_S,
      'cat',
      `${point}/.kgraphfs/status.json`,
    ]);
    const { session } = JSON.parse(stdout);
    return new LiveMount(point, session, daemon);
  }

  /** What SQLite finds wrong with a database of the state folder; `ok` for nothing. */
  integrityOf(file: 'context.sqlite' | 'index.sqlite'): unknown {
    const database = new Sqlite(join(this.state, file), { readonly: true });
    try {
      return database.pragma('integrity_check', { simple: true });
    } finally {
      database.close();
    }
  }

  #mounted(): MountedPoint[] {
    return parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8')).filter(({ point }) =>
      point.startsWith(`${this.folder}/`),
    );
  }
}

export class LiveMount {
  readonly point: string;
  readonly session: string;
  readonly #daemon: ChildProcess;

  constructor(point: string, session: string, daemon: ChildProcess) {
    this.point = point;
    this.session = session;
    this.#daemon = daemon;
  }

  get pid(): number {
    return this.#daemon.pid ?? 0;
  }

  get memory(): string {
    return join(this.point, 'context/memory/fact');
  }

  get scratchpad(): string {
    return join(this.point, 'context/scratchpad');
  }

  get isAlive(): boolean {
    return isLive(this.#daemon);
  }

  /** Ends the daemon without a warning. */
  kill(): Promise<void> {
    return killed(this.#daemon);
  }

  async unmount(): Promise<void> {
    const ended = once(this.#daemon, 'exit');
    await run(process.execPath, [MAIN, 'unmount', this.point], { timeout: LIMIT_MS });
    await ended;
  }

  /** What a file of the mount holds. */
  async read(path: string): Promise<string> {
    const { stdout } = await run(
      'timeout',
      ['-s', 'KILL', SHELL_LIMIT_S, 'cat', '--', join(this.point, path)],
      {
        maxBuffer: 1 << 28,
      },
    );
    return stdout;
  }

  /** Reasons that the mount gives for its refusals. */
  async errors(): Promise<{ code: string; path: string; message: string }[]> {
    return lines(await this.read('.kgraphfs/errors.jsonl'));
  }

  /** All that the history tells. @throws where a line of it is no JSON */
  async history(): Promise<HistoryLine[]> {
    const { output } = await shell('cat "$1"/context/history/*', this.point);
    return lines(output);
  }
}

export interface HistoryLine {
  readonly event_type: string;
  readonly path?: string;
  readonly session_id: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface Outcome {
  readonly status: number;
  /** What it wrote, to standard output and error. */
  readonly output: string;
}

/** Runs a script of bash, killed where it takes too long. `$1`, `$2`… are the arguments. */
export async function shell(script: string, ...args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      'timeout',
      ['-s', 'KILL', SHELL_LIMIT_S, 'bash', '-c', `{ ${script}\n} 2>&1`, 'bash', ...args],
      { env: { ...process.env, LC_ALL: 'C.UTF-8' }, maxBuffer: 1 << 28 },
      (error, stdout) => resolve({ status: error === null ? 0 : Number(error.code ?? -1), output: stdout }),
    );
  });
}

function isLive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function killed(daemon: ChildProcess): Promise<void> {
  if (!isLive(daemon)) return;
  const ended = once(daemon, 'exit');
  daemon.kill('SIGKILL');
  await ended;
}

/** Waits until the daemon says that it is mounted. @throws with what it said where it ends instead */
async function mountedLine(daemon: ChildProcess): Promise<void> {
  const { stdout, stderr } = daemon;
  if (stdout === null || stderr === null) throw new Error('the output of the daemon is not read');
  let said = '';
  stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const mounted = new Promise<void>((resolve) => stdout.once('data', () => resolve()));
  const ended = once(daemon, 'exit').then(() => {
    throw new Error(`the daemon ended: ${said}`);
  });
  ended.catch(() => {});
  await Promise.race([mounted, ended]);
}

/** Whatever a text of JSON lines holds. */
function lines<T>(text: string): T[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error(`the last line is cut off: ${text.slice(-200)}`);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
