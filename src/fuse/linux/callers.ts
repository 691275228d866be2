import { performance } from 'node:perf_hooks';
import { clearTimeout, setTimeout } from 'node:timers';
import type { Caller } from '../../core/resolver.ts';
import { type Claims, NO_CLAIMS, type ProcessFacts, ProcessFiles } from './process-files.ts';
import type { Operation } from './protocol/opcodes.ts';

/** After this time, a thread number is looked up again. It is not reused sooner, as the kernel goes through all other numbers first. */
const LONGEST_TRUST_MS = 1000;
/** What is known of a process may become wrong by an exec(2), which mostly comes soon after its start. */
const FIRST_TRUST_MS = 0.25;
const LONGEST_WAIT_MS = 100;
/** How many threads and processes are remembered; the latest ones are. */
const MAX_REMEMBERED = 4096;

/**
 * Operations that are recorded in the history under the name of their caller, who therefore has to be identified. FLUSH may be recorded, too, but must not wait
 * for that.
 */
export const ENTERED: ReadonlySet<Operation> = new Set([
  'open',
  'create',
  'write',
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

/** The facts about one process. It is a class, so that V8 knows all of them by one shape, from the first one on. */
export class Process implements ProcessFacts {
  readonly pid: number;
  readonly key: string;
  readonly command: string;
  readonly image: string;
  claims: Claims = NO_CLAIMS;

  constructor({ pid, key, command, image }: ProcessFacts) {
    this.pid = pid;
    this.key = key;
    this.command = command;
    this.image = image;
  }
}

interface Thread {
  readonly process: Process;
  readonly firstSeenMs: number;
  trustedUntilMs: number;
}

export interface CallersOptions {
  /** Default: those of /proc. */
  readonly files?: ProcessFiles;
  /** A clock in milliseconds, from any starting point. Default: performance.now. */
  readonly nowMs?: () => number;
  /** What cannot be found out within this time is left out. Default: 100 ms. */
  readonly longestWaitMs?: number;
}

/** Finds the processes behind the numbers in the headers of requests. */
export class Callers {
  readonly #files: ProcessFiles;
  readonly #nowMs: () => number;
  readonly #longestWaitMs: number;
  readonly #threads = new Map<number, Thread>();
  readonly #processes = new Map<number, Process>();
  readonly #identifying = new Map<number, Promise<void>>();
  /** Look-ups are made one at a time: one that the kernel holds up occupies a thread that others need. */
  #latest: Promise<void> = Promise.resolve();
  #isHeldUp = false;

  constructor({
    files = new ProcessFiles(),
    nowMs = () => performance.now(),
    longestWaitMs = LONGEST_WAIT_MS,
  }: CallersOptions = {}) {
    this.#files = files;
    this.#nowMs = nowMs;
    this.#longestWaitMs = longestWaitMs;
  }

  /**
   * The caller of one request. It costs nothing until its process, name or session is asked for, and never waits: it knows what {@link identify} has found out,
   * however long ago.
   * @param thread `pid` of the header, which is the number of a thread; 0 for the kernel, and for a process of another namespace
   */
  of(thread: number, uid: number, gid: number): Caller {
    return new ThreadCaller(this.#threads, thread, uid, gid);
  }

  /**
   * Finds out which process a thread belongs to and what that is called, while the thread waits for its answer. To be called, and waited for, before a request
   * that is {@link ENTERED} is handled.
   * @returns undefined if it is known already, which is nearly always so; otherwise a promise that resolves within the time limit and never rejects
   */
  identify(thread: number): Promise<void> | undefined {
    const known = this.#threads.get(thread);
    if (thread === 0 || this.#isHeldUp || (known && this.#nowMs() < known.trustedUntilMs)) return undefined;
    const under = this.#identifying.get(thread);
    if (under !== undefined) return under;
    const identified = this.#lookUpInTime(thread).finally(() => this.#identifying.delete(thread));
    this.#identifying.set(thread, identified);
    return identified;
  }

  /** As {@link ProcessFiles.isEnding}. */
  isEnding(thread: number): Promise<boolean | undefined> {
    return this.#files.isEnding(thread);
  }

  #lookUpInTime(thread: number): Promise<void> {
    const lookedUp = this.#latest.then(async () => {
      await this.#lookUp(thread);
      this.#isHeldUp = false;
    });
    this.#latest = lookedUp;
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#isHeldUp = true;
        resolve();
      }, this.#longestWaitMs);
    });
    return Promise.race([lookedUp, tooLate]).finally(() => clearTimeout(timer));
  }

  async #lookUp(thread: number): Promise<void> {
    const facts = await this.#files.factsOf(thread);
    if (facts === undefined) {
      this.#threads.delete(thread);
      return;
    }
    const known = this.#processes.get(facts.pid);
    const isSame = known?.key === facts.key && known.image === facts.image;
    const process = isSame ? known : new Process(facts);
    this.#remember(thread, process);
    if (!isSame) process.claims = await this.#files.claimsOf(facts.pid);
  }

  /** The longer a process is known, the longer it is trusted to stay what it is. If it does not, that is noticed within a second. */
  #remember(thread: number, process: Process): void {
    const nowMs = this.#nowMs();
    const known = this.#threads.get(thread);
    const firstSeenMs = known?.process === process ? known.firstSeenMs : nowMs;
    const trustMs = Math.min(LONGEST_TRUST_MS, Math.max(FIRST_TRUST_MS, (nowMs - firstSeenMs) / 4));
    putLatest(this.#processes, process.pid, process);
    putLatest(this.#threads, thread, { process, firstSeenMs, trustedUntilMs: nowMs + trustMs });
  }
}

/** A map keeps its keys in the order in which they were added. */
function putLatest<T>(map: Map<number, T>, key: number, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
}

class ThreadCaller implements Caller {
  readonly uid: number;
  readonly gid: number;
  readonly #threads: ReadonlyMap<number, Thread>;
  readonly #thread: number;

  constructor(threads: ReadonlyMap<number, Thread>, thread: number, uid: number, gid: number) {
    this.#threads = threads;
    this.#thread = thread;
    this.uid = uid;
    this.gid = gid;
  }

  get pid(): number | undefined {
    return this.#process?.pid ?? (this.#thread === 0 ? undefined : this.#thread);
  }

  get process(): string | undefined {
    return this.#process?.key;
  }

  get name(): string | undefined {
    const process = this.#process;
    return process && (process.claims.actor ?? process.command);
  }

  get session(): string | undefined {
    return this.#process?.claims.session;
  }

  get #process(): Process | undefined {
    return this.#threads.get(this.#thread)?.process;
  }
}
