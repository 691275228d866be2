import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { parseMountInfo } from '../../src/system/mount-info.ts';
import type { Teardown } from '../support/temporary.ts';
import type { ServeAnswer, ServeCommand, ServeOptions } from './serve.ts';

/** A command that uses a mount hangs for good where the daemon does not answer. */
const SHELL_LIMIT_S = '90';
const LIMIT_MS = 60_000;

/** An empty folder to mount at; in the end nothing is mounted there any more, or the test fails. */
export function newMountPoint(t: Teardown): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgraphfs-mount-'));
  const point = join(folder, 'point');
  t.teardown(() => {
    if (isMounted(point)) {
      execFileSync('fusermount3', ['-u', '-z', '--', point]);
      throw new Error(`${point} was still mounted`);
    }
    rmSync(folder, { recursive: true });
  });
  return point;
}

export function isMounted(point: string): boolean {
  return parseMountInfo(readFileSync('/proc/self/mountinfo', 'utf8')).some(
    (mounted) => mounted.point === point,
  );
}

/** A process that serves a mount; see serve.ts. */
export class Daemon {
  readonly point: string;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #said: string[] = [];
  readonly #news = new EventEmitter();
  #commands = 0;

  private constructor(options: ServeOptions) {
    this.point = options.point;
    const script = fileURLToPath(new URL('./serve.js', import.meta.url));
    this.#process = fork(script, [JSON.stringify(options)]);
    this.#process.on('message', (message: ServeAnswer | string) => {
      if (typeof message === 'string') this.#hear(message);
      else this.#settle(message);
    });
    this.#process.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the daemon has ended'));
      this.#hear('EXIT');
    });
  }

  /** Starts one that is taken down when the test ends. */
  static async start(t: Teardown, options: ServeOptions): Promise<Daemon> {
    const daemon = new Daemon(options);
    t.teardown(() => daemon.#stop());
    await daemon.says('READY');
    return daemon;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Waits for one of the daemon's messages: `READY`, `EXIT`, or how its mount ended. */
  async says(message: string): Promise<void> {
    const limit = AbortSignal.timeout(LIMIT_MS);
    while (!this.#said.includes(message)) {
      if (message !== 'EXIT' && this.#said.includes('EXIT'))
        throw new Error(`the daemon ended before ${message}`);
      await once(this.#news, 'said', { signal: limit });
    }
    this.#said.splice(this.#said.indexOf(message), 1);
  }

  tell(command: ServeCommand): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#commands += 1;
      this.#waiting.set(this.#commands, { resolve, reject });
      this.#process.send({ id: this.#commands, command });
    });
  }

  /** Waits until as many requests wait for their answers: a close(2) is answered before the daemon hears of it. */
  async untilPending(isEnough: (count: number) => boolean): Promise<void> {
    for (;;) {
      const figures = await this.tell({ do: 'figures' });
      if (typeof figures === 'object' && figures !== null && 'pending' in figures) {
        if (isEnough(Number(figures.pending))) return;
      }
      await delay(5);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Ends it with a signal; without one it would unmount first. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    this.#process.kill(signal);
    await this.says('EXIT');
  }

  async #stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.disconnect();
    await this.says('EXIT').catch(() => this.kill('SIGKILL'));
  }

  #hear(message: string): void {
    this.#said.push(message);
    this.#news.emit('said');
  }

  #settle({ id, value, failure }: ServeAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failure === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(failure));
  }
}

/** Perl that maps its first argument into memory and closes it: mmap(2) of x86-64, readable and shared. */
export const MAP =
  'open F, "<", $ARGV[0]; $m = syscall(9, 0, 4096, 1, 1, fileno(F), 0); close F; unpack("P1", pack("Q", $m))';

export interface Outcome {
  readonly status: number | null;
  /** What it wrote, to standard output and error. */
  readonly output: string;
}

/** Runs a script of bash in another process, killed where it takes too long. `$1`, `$2`… are the arguments. */
export async function shell(script: string, ...args: readonly string[]): Promise<Outcome> {
  const child = spawn('timeout', ['-s', 'KILL', SHELL_LIMIT_S, 'bash', '-c', script, 'bash', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return { status: child.exitCode, output: Buffer.concat(chunks).toString() };
}

/** Tells the kernel to end a connection, by its control files: they are mounted at an empty folder, out of everybody's sight. */
export const ABORT = `unshare --mount sh -c 'mount -t fusectl none "$2" &&
  echo 1 > "$2/$(stat -c %Hd:%Ld "$1" | cut -d: -f2)/abort"' sh "$1" "$2"`;

/** Takes away the mount of a daemon that is stopped. A doctor of another test may just be asking it, as all there are, and cannot be waited for. */
export async function takeAway(t: Test, { point }: Daemon): Promise<void> {
  t.same(await shell('fusermount3 -u "$1" 2>/dev/null || fusermount3 -u -z "$1"', point), {
    status: 0,
    output: '',
  });
}
