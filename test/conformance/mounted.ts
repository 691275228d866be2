import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ability, FsClient, Status } from './client.ts';

/** Sent to the client's process; the arguments are those of the method. */
export interface ClientCall {
  readonly id: number;
  readonly method: ClientMethod;
  readonly args: readonly unknown[];
}

export interface ClientAnswer {
  readonly id: number;
  readonly value?: unknown;
  readonly failure?: { readonly message: string; readonly code: string };
}

const METHODS = ['lstat', 'stat', 'list', 'readFile', 'readAt', 'readLink', 'change'] as const;
export type ClientMethod = (typeof METHODS)[number];

/** No test takes this long; one that does hangs, and so would all after it. */
const LIFETIME_S = '600';
/** Reads at once in the client's process. */
const THREADS = '64';

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A client over a mount, in a process of its own: a program that hangs on a mount cannot be waited for in the same one. */
export class MountClient implements FsClient {
  readonly abilities: ReadonlySet<Ability>;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;

  constructor(base: string, abilities: readonly Ability[]) {
    this.abilities = new Set(abilities);
    const script = fileURLToPath(new URL('./client-process.js', import.meta.url));
    this.#process = spawn('timeout', ['-s', 'KILL', LIFETIME_S, process.execPath, script, base], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      serialization: 'advanced',
      env: { ...process.env, UV_THREADPOOL_SIZE: THREADS },
    });
    this.#process.on('message', (answer: ClientAnswer) => this.#settle(answer));
    this.#process.on('exit', (status, signal) => this.#abandon(`the client ended: ${signal ?? status}`));
  }

  async lstat(path: Parameters<FsClient['lstat']>[0]) {
    return status(await this.#call('lstat', path));
  }

  async stat(path: Parameters<FsClient['stat']>[0]) {
    return status(await this.#call('stat', path));
  }

  async list(path: Parameters<FsClient['list']>[0]) {
    return names(await this.#call('list', path));
  }

  async readFile(path: Parameters<FsClient['readFile']>[0]) {
    return bytes(await this.#call('readFile', path));
  }

  async readAt(...args: Parameters<FsClient['readAt']>) {
    return bytes(await this.#call('readAt', ...args));
  }

  async readLink(path: Parameters<FsClient['readLink']>[0]) {
    return String(await this.#call('readLink', path));
  }

  async change(...args: Parameters<FsClient['change']>) {
    await this.#call('change', ...args);
  }

  close(): void {
    this.#process.removeAllListeners('exit');
    // Without its channel it has nothing left to do and ends; killing `timeout` would leave it alone in the world.
    this.#process.disconnect();
  }

  #call(method: ClientMethod, ...args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#calls += 1;
      this.#waiting.set(this.#calls, { resolve, reject });
      const call: ClientCall = { id: this.#calls, method, args };
      this.#process.send(call);
    });
  }

  #settle({ id, value, failure }: ClientAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failure) waiting?.reject(Object.assign(new Error(failure.message), { code: failure.code }));
    else waiting?.resolve(value);
  }

  #abandon(reason: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }
}

function status(value: unknown): Status {
  if (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    'sizeBytes' in value &&
    'modifiedMs' in value
  ) {
    return {
      kind: String(value.kind),
      sizeBytes: Number(value.sizeBytes),
      modifiedMs: Number(value.modifiedMs),
    };
  }
  throw new TypeError('the client sent no status');
}

function names(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  throw new TypeError('the client sent no names');
}

function bytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError('the client sent no bytes');
}
