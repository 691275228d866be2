import type { Operation } from './protocol/opcodes.ts';
import type { Request } from './protocol/request.ts';

/** Requests during which the kernel locks the folder or file that they are about, until they are answered. */
const LOCKS_NAMES: ReadonlySet<Operation> = new Set([
  'lookup',
  'readdir',
  'readdirplus',
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
  'fallocate',
  'fsync',
  'fsyncdir',
  'copyFileRange',
]);
/** Requests during which it locks pages of a file, or the page of a link. */
const LOCKS_PAGES: ReadonlySet<Operation> = new Set(['read', 'readlink', 'write']);
/** Requests that lock a second folder, which only their body names. */
const LOCKS_TWO: ReadonlySet<Operation> = new Set(['rename', 'rename2', 'link']);

/** What the kernel has locked for requests that are answered later. */
export class SlowLocks {
  readonly #held = new Set<SlowLock>();

  /** @returns a function to be called when the request has been answered */
  hold({ nodeId }: Pick<Request, 'nodeId'>, operation: Operation): () => void {
    const pages = LOCKS_PAGES.has(operation);
    if (!pages && !LOCKS_NAMES.has(operation)) return () => {};
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const lock = { nodeId: LOCKS_TWO.has(operation) ? undefined : nodeId, pages, released };
    this.#held.add(lock);
    return () => {
      this.#held.delete(lock);
      release();
    };
  }

  /** @returns undefined if nothing of a node is locked; otherwise a promise that resolves when that may have changed */
  released(nodeId: number, what: 'names' | 'pages'): Promise<void> | undefined {
    for (const lock of this.#held) {
      const isSame = lock.nodeId === nodeId || lock.nodeId === undefined;
      if (isSame && lock.pages === (what === 'pages')) return lock.released;
    }
    return undefined;
  }
}

interface SlowLock {
  /** Undefined for a lock that may be on any node. */
  readonly nodeId: number | undefined;
  readonly pages: boolean;
  readonly released: Promise<void>;
}
