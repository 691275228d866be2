import { performance } from 'node:perf_hooks';
import { below, type VfsPath } from '../../core/paths.ts';
import type { OpenFile } from '../../core/resolver.ts';
import { Stale } from './handler.ts';
import type { Node } from './node-table.ts';

/** A file as it was when its name was looked up. The name may lead elsewhere by now. */
export interface Kept {
  readonly path: VfsPath;
  /** Closed by the caller that takes it. */
  readonly file: OpenFile;
}

/** What is known of a thread that was sent back. */
export interface Retry {
  /** What the thread was about to open, as it found it when it looked again. Undefined if it is not certain that it looked within this open(2). */
  readonly found: Node | undefined;
  readonly kept: Kept | undefined;
  /** Whether the thread looked names up again. One that opens by a descriptor in /proc does not. */
  readonly hasLooked: boolean;
}

/** What a thread was about to open. */
export interface Goal {
  /** Undefined for a file that the kernel does not know yet. */
  readonly node: Node | undefined;
  /** The path of the file; undefined if nobody can tell. */
  readonly path: VfsPath | undefined;
}

interface Sent {
  readonly goal: Goal;
  /**
   * Whether everything that the thread has looked up since is the goal itself, or a folder on the way to it. If not, its open(2) may be over, although nothing
   * here tells so.
   */
  readonly isOnTheWay: boolean;
  /** How often the thread looked at its goal. */
  readonly looks: number;
  /** The node that it looked up last. */
  readonly last: Node | undefined;
  /** The path where it found nothing. */
  readonly missed: VfsPath | undefined;
  readonly kept: Kept | undefined;
  readonly sinceMs: number;
  /** The timer that closes the kept file. */
  readonly closing: NodeJS.Timeout | undefined;
}

export interface SentBackOptions {
  /** By then a thread that was sent back is here again, however busy the machine. Default: 5 s. */
  readonly backWithinMs?: number;
  /** By then a thread that has found its file opens it; a later open is another one. Default: 1 s. */
  readonly keepMs?: number;
}

const MAX_REMEMBERED = 1000;
/**
 * The kernel looks at the name that it knows. If that is no longer true, it looks it up again, and so it does for what another thread has found there
 * meanwhile. With three threads on a name that was replaced hundreds of times a second, one open(2) in 10,000 looked three times, and none looked four times.
 */
const MAX_LOOKS = 8;
/** All threads of other namespaces have this number. */
const UNKNOWN_THREAD = 0;
const NO_GOAL: Goal = { node: undefined, path: undefined };
const NOTHING_FOUND: Retry = { found: undefined, kept: undefined, hasLooked: true };

/**
 * Threads whose open(2) was sent back to look names up again, since what the kernel knew is no longer true. The kernel comes back only once; a second failure
 * would reach its caller. What a thread finds then is new enough, as long as it is still the same open(2).
 *
 * An open(2) may end without a request: at a link that it does not follow or that leads out of the mount, or at a folder or a pipe, which the kernel opens by
 * itself. The next open(2) of the same thread may come after yet another version, so nothing that was found for one may be given to another.
 */
export class SentBack {
  readonly #threads = new Map<number, Sent>();
  readonly #backWithinMs: number;
  readonly #keepMs: number;

  constructor({ backWithinMs = 5000, keepMs = 1000 }: SentBackOptions = {}) {
    this.#backWithinMs = backWithinMs;
    this.#keepMs = keepMs;
  }

  /** @throws Stale always */
  send(thread: number, goal: Goal): never {
    this.#note(thread, { goal, isOnTheWay: goal.path !== undefined });
    throw new Stale();
  }

  /** To be called when a look-up, or the text of a link, is asked for of something that no longer exists: the kernel comes back once for that, too. */
  wentStale(thread: number): void {
    const goal = this.#sent(thread)?.goal ?? NO_GOAL;
    this.#note(thread, { goal, isOnTheWay: false });
  }

  /** Whether a path that a thread looks up now is what it is about to open. */
  isAtGoal(thread: number, path: VfsPath): boolean {
    const sent = this.#sent(thread);
    return sent?.isOnTheWay === true && sent.goal.path === path;
  }

  /**
   * To be called for everything that is looked up.
   * @param node undefined if there is nothing
   * @param file the node's file, open; closed if the node is not the goal, or if nobody takes the file in time
   */
  lookedUp(thread: number, path: VfsPath, node: Node | undefined, file?: OpenFile): void {
    const sent = this.#sent(thread);
    if (sent === undefined || isOver(sent, path, node)) {
      file?.close();
      if (sent !== undefined) this.#drop(thread);
      return;
    }
    const isGoal = path === sent.goal.path;
    const looks = isGoal ? sent.looks + 1 : sent.looks;
    const isOnTheWay = leadsOn(sent, path, node);
    const missed = node === undefined ? path : sent.missed;
    const isKept = isOnTheWay && isGoal && file !== undefined;
    if (!isKept) file?.close();
    const kept = isKept ? { path, file } : undefined;
    this.#set(thread, { ...sent, isOnTheWay, looks, last: node, missed, kept });
  }

  /** To be called when a thread was refused something that open(2) asks for on the way: that open(2) is over, and the next one starts afresh. */
  refused(thread: number): void {
    if (thread !== UNKNOWN_THREAD) this.#drop(thread);
  }

  /**
   * Returns what is known of a thread, and forgets it.
   * @param node what the thread is about to open; undefined if it is about to make a file
   * @returns undefined if the thread comes for the first time, as it does at the next call
   */
  take(thread: number, node?: Node): Retry | undefined {
    if (this.#threads.size === 0) return undefined;
    const sent = this.#threads.get(thread);
    if (sent === undefined) return undefined;
    if (!this.#isInTime(sent)) {
      this.#drop(thread);
      return undefined;
    }
    if (thread === UNKNOWN_THREAD) return NOTHING_FOUND;
    clearTimeout(sent.closing);
    this.#threads.delete(thread);
    const { goal, last, isOnTheWay, kept } = sent;
    const hasLooked = last !== undefined;
    if (isOnTheWay && node === last) return { found: last, kept, hasLooked };
    kept?.file.close();
    return node === last || node === goal.node ? { ...NOTHING_FOUND, hasLooked } : undefined;
  }

  #note(thread: number, begun: Pick<Sent, 'goal' | 'isOnTheWay'>): void {
    if (this.#threads.size >= MAX_REMEMBERED)
      for (const other of [...this.#threads.keys()]) this.#drop(other);
    const nothing = { looks: 0, last: undefined, missed: undefined, kept: undefined, closing: undefined };
    this.#set(thread, { ...nothing, ...begun, sinceMs: performance.now() });
  }

  /** Replaces what is known of the thread. */
  #set(thread: number, sent: Sent): void {
    this.#drop(thread);
    if (sent.kept === undefined) {
      this.#threads.set(thread, sent);
      return;
    }
    const closeKept = (): void => this.#set(thread, { ...sent, isOnTheWay: false, kept: undefined });
    const closing = setTimeout(closeKept, this.#keepMs).unref();
    this.#threads.set(thread, { ...sent, closing });
  }

  #sent(thread: number): Sent | undefined {
    if (this.#threads.size === 0 || thread === UNKNOWN_THREAD) return undefined;
    const sent = this.#threads.get(thread);
    return sent !== undefined && this.#isInTime(sent) ? sent : undefined;
  }

  #drop(thread: number): void {
    const sent = this.#threads.get(thread);
    clearTimeout(sent?.closing);
    sent?.kept?.file.close();
    this.#threads.delete(thread);
  }

  #isInTime({ sinceMs }: Sent): boolean {
    return performance.now() - sinceMs < this.#backWithinMs;
  }
}

/** Whether a look-up shows that an open(2) is over. */
function isOver({ goal, missed }: Sent, path: VfsPath, node: Node | undefined): boolean {
  // The kernel may look at the name of something missing twice.
  if (node === undefined) return path === missed;
  // Opening a file, or what a link leads to, would have come here as a request.
  return path === goal.path && node.info.kind !== 'file' && node.info.kind !== 'link';
}

/** Whether a look-up is on the way to the goal. A link may lead anywhere, also to a place that nobody here is asked about. */
function leadsOn({ goal, isOnTheWay, looks }: Sent, path: VfsPath, node: Node | undefined): boolean {
  if (!isOnTheWay || goal.path === undefined) return false;
  if (path === goal.path) return node?.info.kind === 'file' && looks < MAX_LOOKS;
  return node?.info.kind === 'directory' && looks === 0 && below(goal.path, path) !== undefined;
}
