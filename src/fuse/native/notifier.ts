import { readlinkSync, write } from 'node:fs';
import { promisify } from 'node:util';

const DEVICE = '/dev/fuse';
/** `enum fuse_notify_code` of linux/fuse.h. */
const NOTIFY_INVAL_INODE = 2;
const NOTIFY_INVAL_ENTRY = 3;
const ROOT_NODE = 1n;
const HEADER_BYTES = 16;
const ALL_PAGES = 0n;
const NO_PAGES = -1n;

/**
 * /dev/fuse does not look at the position of a write. Should libfuse close its descriptor and another file get the number within the
 * microseconds between the check and the write, a write out there fails (EFBIG, ESPIPE) instead of hitting the file's start.
 */
const HARMLESS_POSITION = Number.MAX_SAFE_INTEGER;

/** An answer on its way to the kernel when a message overtakes it has arrived by then. */
const SETTLE_MS = 200;

const writeAsync = promisify(write);

export interface NotifierOptions {
  /** The descriptor of /dev/fuse that libfuse mounted with. */
  readonly descriptor: number;
  /** Resolves when the requests that wait now are answered. */
  readonly settled: () => Promise<void>;
  /** Node numbers of what is in use below these names of the root; where nothing can be missed, none. */
  readonly nodesInUse: (names: readonly string[]) => Promise<Iterable<bigint>>;
  /** Whether pages in use go too, or attributes only, as an open takes care of pages. */
  readonly dropsPagesInUse: boolean;
  readonly report: (error: unknown) => void;
}

/**
 * Tells the kernel what to forget. Only the root's node number is known (libfuse gives the others out and tells nobody), so all below a name
 * of the root goes when anything below it changed: FUSE_NOTIFY_INVAL_ENTRY drops the name and every unused name below it, with
 * inodes and pages. What somebody has in use stays: an open sends the kernel back there (see KernelView), or, where opens are not
 * seen, the node number is read off /proc and its pages are dropped.
 *
 * A message is written by a thread of the pool, one at a time, and never waited for by a request: it waits for locks that
 * requests hold. A second round follows for answers that it overtook.
 */
export class Notifier {
  readonly #options: NotifierOptions;
  readonly #waiting = new Set<string>();
  readonly #settling = new Set<string>();
  #round: Promise<void> | undefined;
  #settleTimer: NodeJS.Timeout | undefined;
  readonly #closing = new AbortController();

  constructor(options: NotifierOptions) {
    this.#options = options;
  }

  /** @returns when the kernel was told once */
  forget(names: Iterable<string>): Promise<void> {
    for (const name of names) this.#waiting.add(name);
    this.#round ??= this.#run().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  close(): void {
    this.#closing.abort();
    clearTimeout(this.#settleTimer);
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0 && !this.#closing.signal.aborted) {
      const names = [...this.#waiting];
      this.#waiting.clear();
      await this.#tell(names);
      for (const name of names) this.#settling.add(name);
    }
    this.#settleTimer ??= setTimeout(() => void this.#settle(), SETTLE_MS).unref();
  }

  async #settle(): Promise<void> {
    this.#settleTimer = undefined;
    const names = [...this.#settling];
    this.#settling.clear();
    await this.#options.settled();
    await this.#round;
    if (!this.#closing.signal.aborted) await this.#tell(names);
  }

  /** Never rejects: a kernel that cannot be told forgets by itself in time. */
  async #tell(names: readonly string[]): Promise<void> {
    try {
      for (const name of names) await this.#send(entryMessage(name));
      await this.#send(nodeMessage(ROOT_NODE, NO_PAGES));
      const pages = this.#options.dropsPagesInUse ? ALL_PAGES : NO_PAGES;
      for (const node of await this.#options.nodesInUse(names)) await this.#send(nodeMessage(node, pages));
    } catch (error) {
      this.#options.report(error);
    }
  }

  async #send(message: Buffer): Promise<void> {
    if (this.#closing.signal.aborted) return;
    if (!isDevice(this.#options.descriptor)) {
      this.close();
      return;
    }
    try {
      await writeAsync(this.#options.descriptor, message, 0, message.length, HARMLESS_POSITION);
    } catch (error) {
      // The kernel does not know the name or node: nothing to forget.
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
}

/** Whether a descriptor of this process is one of /dev/fuse. */
export function isDevice(descriptor: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === DEVICE;
  } catch {
    return false;
  }
}

/** `struct fuse_notify_inval_entry_out`: parent u64, name length u32, flags u32, then the name and a NUL. */
export function entryMessage(name: string): Buffer {
  const text = Buffer.from(`${name}\0`);
  const message = header(NOTIFY_INVAL_ENTRY, 16 + text.length);
  message.writeBigUInt64LE(ROOT_NODE, HEADER_BYTES);
  message.writeUInt32LE(text.length - 1, HEADER_BYTES + 8);
  text.copy(message, HEADER_BYTES + 16);
  return message;
}

/** `struct fuse_notify_inval_inode_out`: node u64, offset i64, length i64. A negative offset leaves the pages and drops attributes only. */
export function nodeMessage(node: bigint, offset: bigint): Buffer {
  const message = header(NOTIFY_INVAL_INODE, 24);
  message.writeBigUInt64LE(node, HEADER_BYTES);
  message.writeBigInt64LE(offset, HEADER_BYTES + 8);
  return message;
}

/** `struct fuse_out_header`: length u32, code i32, and 0 for "no answer to anything". */
function header(code: number, bodyBytes: number): Buffer {
  const message = Buffer.alloc(HEADER_BYTES + bodyBytes);
  message.writeUInt32LE(message.length, 0);
  message.writeInt32LE(code, 4);
  return message;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
