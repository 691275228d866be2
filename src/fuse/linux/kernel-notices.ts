import { write } from 'node:fs';
import { constants } from 'node:os';
import { promisify } from 'node:util';
import { isPromiseLike } from '../../core/awaitable.ts';
import { systemCodeOf } from '../../core/errors.ts';
import type { Awaitable, NodeInfo } from '../../core/resolver.ts';
import { lastErrno, writeNow } from '../../system/libc.ts';
import { type BugReporter, unfailing } from '../errno.ts';
import { type Node, ROOT_ID } from './node-table.ts';
import { forgetName, forgetNode, nameGone, STORED_AT, storeBytes } from './protocol/notice.ts';
import type { Kernel } from './served.ts';
import type { SlowLocks } from './slow-locks.ts';

const writeLater = promisify(write);

/** What the kernel says to a notice about what it does not know, or that it has let go of meanwhile. */
const NOTHING_TO_FORGET = new Set(['ENOENT', 'ENOTDIR']);
/** What it says where a name that is gone is still in use: it has let go of the name before, and only does not take the node for dead. */
const STILL_IN_USE = new Set(['EBUSY', 'ENOTEMPTY', 'EINVAL']);
const GONE = new Set(['ENODEV', 'EBADF']);

/** Of no file, but for one that is looked up once more then. */
const ANY_NAME = '?';

/** Larger files the kernel reads itself, ahead of who reads them. */
export const MAX_GIVEN_BYTES = 128 << 10;

/**
 * Tells the kernel what to forget. A notice may have to wait for locks that requests hold (a folder's while a name in it is looked up, a page's
 * while it is read), so they are written by a thread of the pool, one at a time, and no request ever waits for one. Only what takes no lock, or
 * one that nobody can hold, is written at once. A notice that has to wait for a slow answer is not written before that: others would wait behind it, and if this process
 * were killed then, it could not end, since its thread waits for the request, which waits for its descriptor to be closed.
 */
export class KernelNotices implements Kernel {
  readonly #descriptor: number;
  readonly #report: BugReporter;
  #last: Promise<unknown> = Promise.resolve();
  #sent = 0;
  #bytes = Buffer.alloc(STORED_AT + MAX_GIVEN_BYTES);
  readonly #closing = new AbortController();
  readonly #locks: Pick<SlowLocks, 'released'>;
  /** Notices that wait for slow answers. */
  readonly #held = new Set<Promise<void>>();
  #keptForRoot: 'nothing yet' | 'attributes' | 'attributes and pages' | 'no longer' = 'nothing yet';

  constructor(descriptor: number, locks: Pick<SlowLocks, 'released'>, report: BugReporter) {
    this.#descriptor = descriptor;
    this.#locks = locks;
    this.#report = unfailing(report);
  }

  /** Notices that were sent so far. */
  get sent(): number {
    return this.#sent;
  }

  giveBytes(node: Node, sizeBytes: number, fill: (target: Uint8Array) => Awaitable<number>): boolean {
    if (sizeBytes === 0 || sizeBytes > MAX_GIVEN_BYTES || this.#closing.signal.aborted) return false;
    const count = fill(this.#bytes.subarray(STORED_AT, STORED_AT + sizeBytes));
    if (isPromiseLike(count)) {
      // It is still being filled. A failure is told to who reads.
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
      void this.#send([], forgetNode(ROOT_ID, kept));
  }

  /**
   * A new mount's root has no mode until its first attributes are asked for, and a notice that comes between has the kernel throw the answer
   * away: an ordinary user is told EACCES. So what is to be said of the root waits until somebody went through it.
   */
  #keepsForRoot(id: number, what: 'attributes' | 'attributes and pages'): boolean {
    if (id !== ROOT_ID || this.#keptForRoot === 'no longer') return false;
    if (this.#keptForRoot !== 'attributes and pages') this.#keptForRoot = what;
    return true;
  }

  forgetAttributes(node: Node): void {
    this.#forgetNow(node, 'attributes');
  }

  forgetUnopened(node: Node): void {
    node.given = undefined;
    this.#forgetNow(node, 'attributes and pages');
  }

  #forgetNow(node: Node, what: 'attributes' | 'attributes and pages'): void {
    if (this.#closing.signal.aborted || this.#keepsForRoot(node.id, what)) return;
    const notice = forgetNode(node.id, what);
    this.#sent += 1;
    if (writeNow(this.#descriptor, notice, notice.length) < 0 && lastErrno() === constants.errno.EINVAL) {
      this.#report(new Error('the kernel does not take a notice'), 'notice');
    }
  }

  /**
   * Of a live file. Attributes may be asked for as soon as the notice is on its way, and the pages go after that: what there is now may be told when both
   * are done. As {@link forgetNode}.
   */
  forgetBytes(node: Node, now: NodeInfo): Promise<void> {
    node.forgetting += 1;
    return this.forgetNode(node, 'attributes and pages', () => {
      node.forgetting -= 1;
      node.bytesAsOf = now;
    });
  }

  forgetSoon(node: Node): void {
    void this.forgetNode(node, 'attributes and pages');
    for (const { folder, name } of [...(node.place ? [node.place] : []), ...(node.otherPlaces ?? [])]) {
      void this.forgetName(folder, name);
    }
  }

  forgetPlace(folder: Node, name: string): void {
    void this.forgetName(folder, name);
    void this.forgetNode(folder, 'attributes and pages');
  }

  /**
   * @param told called when the kernel was told
   * @returns when the kernel was told, or at once where that waits for a slow answer; never rejects
   */
  forgetNode(node: Node, what: 'attributes' | 'attributes and pages', told?: () => void): Promise<void> {
    const { id } = node;
    if (what === 'attributes and pages') node.listed = undefined;
    if (this.#keepsForRoot(id, what)) return Promise.resolve();
    const locks = what === 'attributes' ? [] : [{ id, what: 'pages' } as const];
    return this.#send(locks, forgetNode(id, what), told);
  }

  /**
   * The listing of a folder whose time does not tell that it is another. One that was answered a moment ago the kernel may not have kept yet: a
   * notice of a name waits until it has, whether or not there is such a name. As {@link forgetNode}.
   */
  async forgetListing(folder: Node): Promise<void> {
    folder.listed = undefined;
    if (this.#keepsForRoot(folder.id, 'attributes and pages')) return;
    const locks = [{ id: folder.id, what: 'names' }] as const;
    await this.#send(locks, forgetName(folder.id, ANY_NAME));
    await this.#send(locks, forgetNode(folder.id, 'attributes and pages'));
  }

  /** As {@link forgetNode}. */
  forgetName({ id }: Node, name: string): Promise<void> {
    return this.#send([{ id, what: 'names' }], forgetName(id, name));
  }

  /** The name is gone: who watches the folder is told. As {@link forgetNode}. */
  nameGone(folder: Node, node: Node, name: string): Promise<void> {
    const locks = [
      { id: folder.id, what: 'names' },
      { id: node.id, what: 'names' },
      { id: node.id, what: 'pages' },
    ] as const;
    return this.#send(locks, nameGone(folder.id, node.id, name));
  }

  /** @returns when the kernel was told of what waited for slow answers till now; never rejects */
  async held(): Promise<void> {
    await Promise.all(this.#held);
  }

  /** Nothing is sent any more: the mount is gone. @returns when the descriptor is no longer used; never rejects */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#last;
  }

  /** @param told called when it was sent */
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
      if (code === undefined || !(NOTHING_TO_FORGET.has(code) || STILL_IN_USE.has(code) || GONE.has(code))) {
        this.#report(error, 'notice');
      }
    }
  }
}

/** What a notice takes in the kernel. */
interface Lock {
  readonly id: number;
  readonly what: 'names' | 'pages';
}
