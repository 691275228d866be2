import { open } from 'node:fs/promises';
import { constants } from 'node:os';
import { isSessionId } from '../../core/session-id.ts';

const { signals } = constants;

/** One process. Another one has another key, also where it has got the same number. */
export interface ProcessFacts {
  readonly pid: number;
  readonly key: string;
  /** The name of its program, up to 15 bytes. */
  readonly command: string;
  /** Another one after exec(2): the program's name, and where its environment lies as far as this process may know. */
  readonly image: string;
}

/** In whose name a process says it acts. */
export interface Claims {
  /** `KGRAPHFS_ACTOR`. */
  readonly actor?: string;
  /** `KGRAPHFS_SESSION`: a well-formed id, which need not be one of a session. */
  readonly session?: string;
}

export const NO_CLAIMS: Claims = {};

/** Far more than environments have, far less than one can be made to have. */
const MAX_BYTES = 256 * 1024;

/** Signals that end nobody who has not said what they do: signal(7). */
const HARMLESS = bitsOf(
  'SIGCHLD',
  'SIGCONT',
  'SIGSTOP',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGURG',
  'SIGWINCH',
);

const ACTOR = /^[^\p{C}\p{Zl}\p{Zp}\uFFFD]{1,128}$/u;
const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu;

/**
 * What /proc says of processes, proc(5). Never to be waited for by the thread that serves the mount: the kernel makes a reader of `stat` and
 * `environ` wait for an exec(2), which may wait for the mount to close a file, and one of `environ` for another thread that unmaps a
 * file, which may wait for the mount to write it. Nothing could end that but the death of the mount.
 */
export class ProcessFiles {
  readonly #folder: string;

  /** @param folder for tests */
  constructor(folder = '/proc') {
    this.#folder = folder;
  }

  /** The process that a thread is of; undefined where it is gone, or may not be seen. */
  async factsOf(thread: number): Promise<ProcessFacts | undefined> {
    const status = await this.#read(`${thread}/status`, 2048);
    const pid = status && /^Tgid:\s*(\d+)$/m.exec(status.toString())?.[1];
    const stat = pid && (await this.#read(`${pid}/stat`, 1024));
    if (!stat) return undefined;
    const text = stat.toString();
    const end = text.lastIndexOf(')');
    const command = text.slice(text.indexOf('(') + 1, end).replace(NOT_SHOWN, '?');
    // From the third on: see proc_pid_stat(5) for starttime, which tells one process from the next of its number, and env_start.
    const fields = text.slice(end + 2).split(' ');
    return {
      pid: Number(pid),
      key: `${pid}:${fields[19]}`,
      command,
      image: `${command} ${fields[47]}`,
    };
  }

  /**
   * Whether a thread has been sent a signal that ends it, as soon as the kernel has it run again. That can be asked of one that waits for the
   * mount: `status` takes no lock that it holds.
   * @returns undefined where that may not be known
   */
  async isEnding(thread: number): Promise<boolean | undefined> {
    const status = thread === 0 ? undefined : await this.#read(`${thread}/status`, 2048);
    if (status === undefined) return undefined;
    const set = (name: string): bigint =>
      BigInt(`0x${new RegExp(`^${name}:\\s*([0-9a-f]+)$`, 'm').exec(status.toString())?.[1] ?? '0'}`);
    const isHandled = set('SigBlk') | set('SigIgn') | set('SigCgt') | HARMLESS;
    return ((set('SigPnd') | set('ShdPnd')) & ~isHandled) !== 0n;
  }

  /** The claims in the environment that a process was started with; none where that may not be read. Nothing else of it is kept. */
  async claimsOf(pid: number): Promise<Claims> {
    const environment = await this.#read(`${pid}/environ`, 16 * 1024);
    if (environment === undefined) return NO_CLAIMS;
    const actor = wellFormedValue(environment, 'KGRAPHFS_ACTOR', (value) => ACTOR.test(value));
    const session = wellFormedValue(environment, 'KGRAPHFS_SESSION', isSessionId);
    environment.fill(0);
    return { ...(actor === undefined ? {} : { actor }), ...(session === undefined ? {} : { session }) };
  }

  /** Undefined for another user's, and for what is gone or hidden. @param usualBytes more than it mostly has: read at once */
  async #read(path: string, usualBytes: number): Promise<Buffer | undefined> {
    try {
      const file = await open(`${this.#folder}/${path}`);
      try {
        let bytes = Buffer.alloc(usualBytes);
        let sizeBytes = 0;
        for (;;) {
          sizeBytes += (await file.read(bytes, sizeBytes, bytes.length - sizeBytes, sizeBytes)).bytesRead;
          // The kernel gives all that fits.
          if (sizeBytes < bytes.length || bytes.length >= MAX_BYTES) return bytes.subarray(0, sizeBytes);
          bytes = Buffer.concat([bytes], bytes.length * 4);
        }
      } finally {
        void file.close().catch(() => {});
      }
    } catch {
      // Processes end at any moment, and what /proc hides is not told apart from that.
      return undefined;
    }
  }
}

function bitsOf(...names: readonly NodeJS.Signals[]): bigint {
  return names.reduce((bits, name) => bits | (1n << BigInt(signals[name] - 1)), 0n);
}

/** As getenv(3): the first of that name. Undefined also where it is not well-formed. */
function wellFormedValue(
  environment: Buffer,
  name: string,
  isWellFormed: (value: string) => boolean,
): string | undefined {
  const start = `${name}=`;
  const isFirst = environment.subarray(0, start.length).equals(Buffer.from(start));
  const before = isFirst ? -1 : environment.indexOf(`\0${start}`);
  if (before === -1 && !isFirst) return undefined;
  const at = before + 1 + start.length;
  const end = environment.indexOf(0, at);
  if (end === -1) return undefined;
  const value = environment.toString('utf8', at, end);
  return isWellFormed(value) ? value : undefined;
}
