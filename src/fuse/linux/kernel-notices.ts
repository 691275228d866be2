import { write } from 'node:fs';
import { constants } from 'node:os';
import { promisify } from 'node:util';
import { isPromiseLike } from '../../core/awaitable.ts';
import { systemCodeOf } from '../../core/errors.ts';
import type { Awaitable, NodeInfo } from '../../core/resolver.ts';
import { lastErrno, writeNow } from '../../system/libc.ts';
import { type BugReporter, unfailing } from '../errno.ts';
import { type Node, placesOf, ROOT_ID } from './node-table.ts';
import { invalidateName, invalidateNode, nameGone, STORED_AT, storeBytes } from './protocol/notice.ts';
import type { Kernel } from './served.ts';
import type { SlowLocks } from './slow-locks.ts';

const writeLater = promisify(write);

/** The kernel's answer to a notice about something that it does not know, or no longer knows. */
const NOTHING_TO_INVALIDATE = new Set(['ENOENT', 'ENOTDIR']);
/** Its answer if a name that is gone is still in use: it has dropped the name all the same, and only keeps the node alive. */
const STILL_IN_USE = new Set(['EBUSY', 'ENOTEMPTY', 'EINVAL']);
const GONE = new Set(['ENODEV', 'EBADF']);

/** Most likely no file is called so; if one is, it is only looked up once more. */
const ANY_NAME = '?';

/** The kernel's own read-ahead does as well for larger files. */
export const MAX_GIVEN_BYTES = 128 << 10;

/**
 * Tells the kernel what of its caches is no longer valid. Writing a notice may block on a lock that a request holds: a folder's while a name in it is looked
 * up, a page's while it is read. So notices are written by a thread of the pool, one at a time, and no request ever waits for one. Only a notice that takes no
 * lock, or one that nobody can hold, is written at once.
 *
 * A notice that would wait for a slow answer is held back until that is given. Otherwise all further notices would wait behind it, and a process that is
 * killed at that moment could not end: its thread would wait for the request, and the request for the process to close its descriptor.
 */
export class KernelNotices implements Kernel {
  readonly #descriptor: number;
  readonly #report: BugReporter;
  #last: Promise<unknown> = Promise.resolve();
  #sent = 0;
  #bytes = Buffer.alloc(STORED_AT + MAX_GIVEN_BYTES);
  readonly #closing = new AbortController();
  readonly #locks: Pick<SlowLocks, 'released'>;
  /** Notices that are held back until a slow answer is given. */
  readonly #held = new Set<Promise<void>>();
  #keptForRoot: 'nothing yet' | 'attributes' | 'attributes and pages' | 'no longer' = 'nothing yet';

  constructor(descriptor: number, locks: Pick<SlowLocks, 'released'>, report: BugReporter) {
    this.#descriptor = descriptor;
    this.#locks = locks;
    this.#report = unfailing(report);
  }

  /** How many notices were sent so far. */
  get sent(): number {
    return this.#sent;
  }

  giveBytes(node: Node, sizeBytes: number, fill: (target: Uint8Array) => Awaitable<number>): boolean {
    if (sizeBytes === 0 || sizeBytes > MAX_GIVEN_BYTES || this.#closing.signal.aborted) return false;
    const count = fill(this.#bytes.subarray(STORED_AT, STORED_AT + sizeBytes));
    if (isPromiseLike(count)) {
      // The old buffer is still being filled. Whoever reads the file will learn of a failure.
      this.#bytes = Buffer.alloc(this.#bytes.length);
      Promise.resolve(count).catch(() => undefined);
      return false;
    }
    if (count !== sizeBytes) return false;
    const length = storeBytes(this.#bytes, node.id, sizeBytes);
    return writeNow(this.#descriptor, this.#bytes, length) === length;
  }

  rootIsUsed(): void {
    const kept = this.#keptForRoot;
    this.#keptForRoot = 'no longer';
    if (kept === 'attributes' || kept === 'attributes and pages')
      void this.#send([], invalidateNode(ROOT_ID, kept));
  }

  /**
   * The kernel has no mode for the root of a new mount until it has asked for its attributes, and a notice that arrives in between makes it discard
   * the answer: an ordinary user then gets EACCES. So notices about the root wait until somebody has gone through it.
   * @returns whether the notice is kept for later
   */
  #keepsForRoot(id: number, what: 'attributes' | 'attributes and pages'): boolean {
    if (id !== ROOT_ID || this.#keptForRoot === 'no longer') return false;
    if (this.#keptForRoot !== 'attributes and pages') this.#keptForRoot = what;
    return true;
  }

  invalidateAttributes(node: Node): void {
    this.#invalidateNow(node, 'attributes');
  }

  invalidateUnopened(node: Node): void {
    node.given = undefined;
    this.#invalidateNow(node, 'attributes and pages');
  }

  #invalidateNow(node: Node, what: 'attributes' | 'attributes and pages'): void {
    if (this.#closing.signal.aborted || this.#keepsForRoot(node.id, what)) return;
    const notice = invalidateNode(node.id, what);
    this.#sent += 1;
    if (writeNow(this.#descriptor, notice, notice.length) < 0 && lastErrno() === constants.errno.EINVAL) {
      this.#report(new Error('the kernel does not take a notice'), 'notice');
    }
  }

  /**
   * For a live file. The kernel may ask for attributes as soon as the notice is on its way, and drops the pages after that: only when both have happened
   * may it be told of what is there now. As {@link invalidateNode}.
   */
  invalidateBytes(node: Node, now: NodeInfo): Promise<void> {
    node.invalidating += 1;
    return this.invalidateNode(node, 'attributes and pages', () => {
      node.invalidating -= 1;
      node.bytesAsOf = now;
    });
  }

  invalidateSoon(node: Node): void {
    void this.invalidateNode(node, 'attributes and pages');
    for (const { folder, name } of placesOf(node)) void this.invalidateName(folder, name);
  }

  invalidatePlace(folder: Node, name: string): void {
    void this.invalidateName(folder, name);
    void this.invalidateNode(folder, 'attributes and pages');
  }

  /**
   * @param told called once the kernel has been told
   * @returns a promise that settles once the kernel has been told, or at once if the notice is held back; never rejects
   */
  invalidateNode(node: Node, what: 'attributes' | 'attributes and pages', told?: () => void): Promise<void> {
    const { id } = node;
    if (what === 'attributes and pages') node.listed = undefined;
    if (this.#keepsForRoot(id, what)) return Promise.resolve();
    const locks = what === 'attributes' ? [] : [{ id, what: 'pages' } as const];
    return this.#send(locks, invalidateNode(id, what), told);
  }

  /**
   * For a folder whose listing has changed though its time has not. The kernel may not have stored yet what was answered a moment ago, so
   * a notice about some name goes first: the kernel handles that after it has stored the listing, whether or not there is such a name. As {@link invalidateNode}.
   */
  async invalidateListing(folder: Node): Promise<void> {
    folder.listed = undefined;
    if (this.#keepsForRoot(folder.id, 'attributes and pages')) return;
    const locks = [{ id: folder.id, what: 'names' }] as const;
    await this.#send(locks, invalidateName(folder.id, ANY_NAME));
    await this.#send(locks, invalidateNode(folder.id, 'attributes and pages'));
  }

  /** As {@link invalidateNode}. */
  invalidateName({ id }: Node, name: string): Promise<void> {
    return this.#send([{ id, what: 'names' }], invalidateName(id, name));
  }

  /** Tells that a name is gone, which also reaches those who watch the folder. As {@link invalidateNode}. */
  nameGone(folder: Node, node: Node, name: string): Promise<void> {
    const locks = [
      { id: folder.id, what: 'names' },
      { id: node.id, what: 'names' },
      { id: node.id, what: 'pages' },
    ] as const;
    return this.#send(locks, nameGone(folder.id, node.id, name));
  }

  /** @returns a promise that settles once all notices held back so far have been sent; never rejects */
  async held(): Promise<void> {
    await Promise.all(this.#held);
  }

  /** Stops sending, since the mount is gone. @returns a promise that settles once the descriptor is no longer used; never rejects */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#last;
  }

  /** @param told called once the notice has been sent */
  #send(locks: readonly Lock[], notice: Buffer, told?: () => void): Promise<void> {
    const isHeld = this.#released(locks) !== undefined;
    const sent = this.#sendWhenReleased(locks, notice).then(told);
    if (!isHeld) return sent;
    this.#held.add(sent);
    void sent.then(() => this.#held.delete(sent));
    return Promise.resolve();
  }

  #released(locks: readonly Lock[]): Promise<void> | undefined {
    for (const { id, what } of locks) {
      const released = this.#locks.released(id, what);
      if (released !== undefined) return released;
    }
    return undefined;
  }

  async #sendWhenReleased(locks: readonly Lock[], notice: Buffer): Promise<void> {
    for (let isSent = false; !isSent; ) {
      await this.#released(locks);
      const sent = this.#last.then(async () => {
        if (this.#closing.signal.aborted) return true;
        if (this.#released(locks) !== undefined) return false;
        this.#sent += 1;
        await this.#write(notice);
        return true;
      });
      this.#last = sent;
      isSent = await sent;
    }
  }

  async #write(notice: Buffer): Promise<void> {
    try {
      await writeLater(this.#descriptor, notice, 0, notice.length);
    } catch (error) {
      const code = systemCodeOf(error);
      if (
        code === undefined ||
        !(NOTHING_TO_INVALIDATE.has(code) || STILL_IN_USE.has(code) || GONE.has(code))
      ) {
        this.#report(error, 'notice');
      }
    }
  }
}

/** A lock that the kernel takes for a notice. */
interface Lock {
  readonly id: number;
  readonly what: 'names' | 'pages';
}
