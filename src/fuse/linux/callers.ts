import { clearTimeout, setTimeout } from 'node:timers';
import type { Caller } from '../../core/resolver.ts';
import { type Claims, NO_CLAIMS, ProcessFiles } from './process-files.ts';
import type { Operation } from './protocol/opcodes.ts';

/** A thread's process is asked for again after this long. Its number is not reused sooner, as the kernel goes through all others first. */
const FORGET_AFTER_MS = 1000;
/** What is known of a process may be wrong after an exec(2), which mostly comes soon after its start. */
const FIRST_TRUST_MS = 0.25;
/** An environment that cannot be read within this time is done without. */
const LONGEST_WAIT_MS = 20;

/** What is entered in the history in the name of its caller, who is therefore to be identified. FLUSH may be, but must not wait for that. */
export const ENTERED: ReadonlySet<Operation> = new Set([
  'open',
  'create',
  'mknod',
  'mkdir',
  'symlink',
  'link',
  'unlink',
  'rmdir',
  'rename',
  'rename2',
  'setattr',
  'setxattr',
  'removexattr',
]);

/** One process, as last looked at. */
interface Process {
  readonly pid: number;
  /** The same for all threads of the process, and for no other process. */
  readonly key: string;
  readonly firstSeenMs: number;
  command: string;
  /** The program whose claims these are; undefined where they were not read. */
  image: string | undefined;
  claims: Claims;
  trustedUntilMs: number;
  reading: Promise<void> | undefined;
}

export interface CallersOptions {
  /** Default: /proc. */
  readonly files?: ProcessFiles;
  /** Milliseconds from any moment on. Default: performance.now. */
  readonly nowMs?: () => number;
}

/** Who stands behind the numbers in the header of a request. */
export class Callers {
  readonly #files: ProcessFiles;
  readonly #nowMs: () => number;
  /** By number of the thread. */
  #threads = new Map<number, Process>();
  /** By number of the process. */
  #processes = new Map<number, Process>();
  #forgetAtMs = 0;
  /** Processes found so far: tells one from another that has its number. */
  #found = 0;
  /** One environment is read at a time: a read that the kernel holds up takes a thread that others need. */
  #reading: Promise<void> = Promise.resolve();
  #isHeldUp = false;

  constructor({ files = new ProcessFiles(), nowMs = () => performance.now() }: CallersOptions = {}) {
    this.#files = files;
    this.#nowMs = nowMs;
  }

  /**
   * The caller of one request. Costs nothing until it is asked for its process, name or session, and never waits: what the environment
   * says of name and session is known after {@link identify}; before, the name is that of the program.
   * @param thread `pid` of the header, which is a thread's; 0 for the kernel, and for a process of another namespace
   */
  of(thread: number, uid: number, gid: number): Caller {
    return new ThreadCaller(this, thread, uid, gid);
  }

  /**
   * Finds out what the environment of the process says, while it waits for its answer: to be called, and waited for, before a request is
   * handled that is {@link ENTERED}, and never for FLUSH, which exec(2) sends while the kernel keeps everybody from the environment.
   * @returns undefined where it is known already, which is nearly always; else a promise that is kept within 20 ms and never broken
   */
  identify(thread: number): Promise<void> | undefined {
    const process = this.processOf(thread);
    if (process === undefined || this.#nowMs() < process.trustedUntilMs) return undefined;
    const facts = this.#files.factsOf(process.pid);
    if (facts === undefined) return undefined;
    this.#trust(process);
    process.command = facts.command;
    if (process.image === facts.command || this.#isHeldUp) return process.reading;
    process.image = facts.command;
    process.reading = this.#readClaims(process);
    return process.reading;
  }

  /** For callers alone. */
  processOf(thread: number): Process | undefined {
    if (thread === 0) return undefined;
    const nowMs = this.#nowMs();
    if (nowMs >= this.#forgetAtMs) this.#forget(nowMs);
    const known = this.#threads.get(thread);
    if (known !== undefined) return known;
    const process = this.#find(this.#files.processOf(thread) ?? thread, nowMs);
    if (process !== undefined) this.#threads.set(thread, process);
    return process;
  }

  /** The program's name as it is now, which is another after exec(2). */
  commandOf(process: Process): string {
    if (this.#nowMs() >= process.trustedUntilMs) {
      process.command = this.#files.factsOf(process.pid)?.command ?? process.command;
    }
    return process.command;
  }

  #find(pid: number, nowMs: number): Process | undefined {
    const facts = this.#files.factsOf(pid);
    if (facts === undefined) return undefined;
    const known = this.#processes.get(pid);
    if (known?.command === facts.command) return known;
    this.#found += 1;
    const found: Process = {
      pid,
      key: `${pid}:${this.#found}`,
      firstSeenMs: nowMs,
      command: facts.command,
      image: undefined,
      claims: NO_CLAIMS,
      trustedUntilMs: nowMs,
      reading: undefined,
    };
    this.#processes.set(pid, found);
    return found;
  }

  /** The longer a process is known, the longer it stays what it is; where it does not, nobody waits for more than a second. */
  #trust(process: Process): void {
    const nowMs = this.#nowMs();
    const knownMs = nowMs - process.firstSeenMs;
    process.trustedUntilMs = nowMs + Math.min(FORGET_AFTER_MS, Math.max(FIRST_TRUST_MS, knownMs / 4));
  }

  /** Keeps processes that were seen since the last time. */
  #forget(nowMs: number): void {
    this.#processes = new Map(Array.from(this.#threads.values(), (process) => [process.pid, process]));
    this.#threads = new Map();
    this.#forgetAtMs = nowMs + FORGET_AFTER_MS;
  }

  #readClaims(process: Process): Promise<void> {
    const read = this.#reading.then(async () => {
      process.claims = await this.#files.claimsOf(process.pid);
      process.reading = undefined;
      this.#isHeldUp = false;
    });
    this.#reading = read;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#isHeldUp = true;
        process.reading = undefined;
        resolve();
      }, LONGEST_WAIT_MS);
    });
    return Promise.race([read, timeout]).finally(() => clearTimeout(timer));
  }
}

class ThreadCaller implements Caller {
  readonly uid: number;
  readonly gid: number;
  readonly #callers: Callers;
  readonly #thread: number;

  constructor(callers: Callers, thread: number, uid: number, gid: number) {
    this.#callers = callers;
    this.#thread = thread;
    this.uid = uid;
    this.gid = gid;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get process(): string | undefined {
    return this.#process?.key;
  }

  get name(): string | undefined {
    const process = this.#process;
    return process && (process.claims.actor ?? this.#callers.commandOf(process));
  }

  get session(): string | undefined {
    return this.#process?.claims.session;
  }

  get #process(): Process | undefined {
    return this.#callers.processOf(this.#thread);
  }
}
