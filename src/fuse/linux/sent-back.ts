import { performance } from 'node:perf_hooks';
import { below, type VfsPath } from '../../core/paths.ts';
import type { OpenFile } from '../../core/resolver.ts';
import { Stale } from './handler.ts';
import type { Node } from './node-table.ts';

/** A file as it was when its name was looked up: that may lead elsewhere by now. */
export interface Kept {
  readonly path: VfsPath;
  /** The taker's to close. */
  readonly file: OpenFile;
}

/** What a thread does that was sent back. */
export interface Retry {
  /** What it was about to open, as it found that when it looked again. Undefined where it is not certain that it did so within this open(2). */
  readonly found: Node | undefined;
  readonly kept: Kept | undefined;
  /** Whether it looked names up again. Who opens by a descriptor in /proc does not. */
  readonly hasLooked: boolean;
}

/** What a thread was about to open. */
export interface Goal {
  /** Undefined for what the kernel does not know yet. */
  readonly node: Node | undefined;
  /** Where that is. Undefined where nobody can tell. */
  readonly path: VfsPath | undefined;
}

interface Sent {
  readonly goal: Goal;
  /** All that it looked up since is folders on the way to its goal, and that itself. If not, its open(2) may be over, though nobody is told so here. */
  readonly isOnTheWay: boolean;
  /** How often it looked at its goal. */
  readonly looks: number;
  /** What it looked up last. */
  readonly last: Node | undefined;
  /** Where it found nothing. */
  readonly missed: VfsPath | undefined;
  readonly kept: Kept | undefined;
  readonly sinceMs: number;
  /** Closes what is kept. */
  readonly closing: NodeJS.Timeout | undefined;
}

export interface SentBackOptions {
  /** Who is sent back is here again by then, however busy the machine: 5 s. */
  readonly backWithinMs?: number;
  /** Who found its file opens it by then, or whatever comes next is something else: 1 s. */
  readonly keepMs?: number;
}

const MAX_REMEMBERED = 1000;
/**
 * The kernel looks at the name that it knows and, where that is no longer so, anew; and again at what another thread found there meanwhile. With three
 * threads on a name that is replaced hundreds of times in a second, one open(2) in 10,000 looked three times, and none four.
 */
const MAX_LOOKS = 8;
/** All threads of other namespaces have this number. */
const UNKNOWN_THREAD = 0;
const NO_GOAL: Goal = { node: undefined, path: undefined };
const NOTHING_FOUND: Retry = { found: undefined, kept: undefined, hasLooked: true };

/**
 * Threads whose open(2) was sent back to look names up anew, since what the kernel knows is no longer so. The kernel comes back once; a
 * second time its caller would be told. What a thread finds then is as new as it has to be, as long as it is still the same open(2).
 *
 * That may end without a request: at a link that it does not follow, or that leads out of the mount, at a folder or a pipe, which the kernel opens by
 * itself. The next open(2) of the thread may come after another version, so nothing that was found for one may be given to another.
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

  /** To be told where a look-up, or the text of a link, is asked for of what is no longer there: the kernel comes back once for that, too. */
  wentStale(thread: number): void {
    const goal = this.#sent(thread)?.goal ?? NO_GOAL;
    this.#note(thread, { goal, isOnTheWay: false });
  }

  /** Whether what a thread looks up now it is about to open. */
  isAtGoal(thread: number, path: VfsPath): boolean {
    const sent = this.#sent(thread);
    return sent?.isOnTheWay === true && sent.goal.path === path;
  }

  /**
   * To be told of all that is looked up.
   * @param node undefined where there is nothing
   * @param file the node's, open; closed where that is not the goal, or nobody takes it in time
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

  /** To be told where a thread was refused what open(2) asks for on the way: that one is over, and the next one begins anew. */
  refused(thread: number): void {
    if (thread !== UNKNOWN_THREAD) this.#drop(thread);
  }

  /**
   * @param node what the thread is about to open; undefined for what it is about to make
   * @returns undefined where the thread comes for the first time, as it does the next time that it is asked
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

  /** Instead of what there was of the thread. */
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

/** Whether an open(2) is over by what was looked up. */
function isOver({ goal, missed }: Sent, path: VfsPath, node: Node | undefined): boolean {
  // Of what is missing the kernel may look at the name twice.
  if (node === undefined) return path === missed;
  // Files are opened by asking for them, as are those that links lead to.
  return path === goal.path && node.info.kind !== 'file' && node.info.kind !== 'link';
}

/** A link may lead anywhere, also to where nobody is asked. */
function leadsOn({ goal, isOnTheWay, looks }: Sent, path: VfsPath, node: Node | undefined): boolean {
  if (!isOnTheWay || goal.path === undefined) return false;
  if (path === goal.path) return node?.info.kind === 'file' && looks < MAX_LOOKS;
  return node?.info.kind === 'directory' && looks === 0 && below(goal.path, path) !== undefined;
}
