import { openSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { closeNow } from './files.ts';
import { checked, lastErrno, readNow, systemError, unchecked } from './libc.ts';
import { waitWithOthers } from './shared-wait.ts';

/** Numbers of inotify.h, for inotify(7), by which the kernel tells what changes in folders. */
const IN_MODIFY = 0x2;
const IN_ATTRIB = 0x4;
const IN_CLOSE_WRITE = 0x8;
const IN_MOVED_FROM = 0x40;
const IN_MOVED_TO = 0x80;
const IN_CREATE = 0x100;
const IN_DELETE = 0x200;
const IN_DELETE_SELF = 0x400;
const IN_MOVE_SELF = 0x800;
const IN_UNMOUNT = 0x2000;
const IN_Q_OVERFLOW = 0x4000;
const IN_IGNORED = 0x8000;
const IN_ONLYDIR = 0x1000000;
const IN_MASK_ADD = 0x20000000;
const IN_ISDIR = 0x40000000;
const IN_NONBLOCK = 0o4000;
const IN_CLOEXEC = 0o2000000;

/** IN_CLOSE_WRITE is the only event for what was written through a shared mapping. */
const CONTENT = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE;
const APPEARED = IN_CREATE | IN_MOVED_TO;
const LEFT = IN_DELETE | IN_MOVED_FROM;
const ENDED = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT;
const PLACE_MASK = ENDED | IN_MASK_ADD;
const FOLDER_MASK = CONTENT | APPEARED | LEFT | ENDED | IN_ONLYDIR;

const initialize = checked<[flags: number]>('int inotify_init1(int flags)');
const addWatch = checked<[descriptor: number, path: string, mask: number]>(
  'int inotify_add_watch(int descriptor, const char* path, uint32_t mask)',
);
const removeWatch = unchecked<[descriptor: number, watch: number]>(
  'int inotify_rm_watch(int descriptor, int watch)',
);

/** `struct inotify_event` without the name: watch, mask, cookie, and the length of the name. */
const HEADER_BYTES = 16;
const BUFFER_BYTES = 64 * 1024;
/** Some 8000 events. After these, others get their turn. */
const READS_AT_ONCE = 4;
/** Events that come this soon after others are delivered together with those that follow. */
const PACE_MS = 5;

export interface FolderEvent {
  /** The number that {@link Inotify.watch} returned; -1 with `overflow`. */
  readonly watch: number;
  /**
   * `appeared`, `left`, `changed`: an entry of the folder. `ended`: the folder itself was removed, moved or unmounted. `unwatched`: this watch will have no
   * more events. `overflow`: events were lost, of any folder.
   */
  readonly kind: 'appeared' | 'left' | 'changed' | 'ended' | 'unwatched' | 'overflow';
  readonly isFolder: boolean;
  /** The name of the entry; empty for the folder itself, undefined if the name is no UTF-8. */
  readonly name: string | undefined;
}

export interface ListenOptions {
  /** Called when anything was mounted or unmounted, wherever that is. */
  readonly onMounts?: () => void;
}

/** Watches single folders through inotify(7). */
export class Inotify {
  readonly #descriptor = initialize(IN_NONBLOCK | IN_CLOEXEC);
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  /** A watch that is removed in order to wake up the waiting thread. */
  readonly #sentinel: number;
  /** Aborted on closing: from then on the descriptor's number may be that of another file, and numbers of watches are the same in each inotify instance. */
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;

  /** @throws Error EMFILE if this user has too many inotify instances, ENOSPC past the limit of watches */
  constructor() {
    try {
      this.#sentinel = addWatch(this.#descriptor, '/', IN_DELETE_SELF | IN_MASK_ADD);
    } catch (error) {
      closeNow(this.#descriptor);
      throw error;
    }
  }

  /**
   * Watches the entries of a folder, but not those of folders in it. A link is followed, which is needed for the link that stands for a descriptor in /proc.
   * @returns a number for the folder, the same for the same folder as long as it is watched
   * @throws Error ENOSPC past the limit of watches, ENOENT, ENOTDIR, EACCES, or EBADF after closing
   */
  watch(folder: string): number {
    return this.#add(folder, FOLDER_MASK);
  }

  /**
   * Watches only for the end of what lies at a path: `ended` when it is removed, moved or unmounted. What is done inside a folder causes no wake-up.
   * @param path followed as in {@link watch}; a descriptor of a link leads to the link itself
   * @returns a number, which is that of the folder if it is watched already
   * @throws Error as {@link watch}
   */
  watchEnd(path: string): number {
    return this.#add(path, PLACE_MASK);
  }

  /** Ends a watch. Does nothing after closing. */
  unwatch(watch: number): void {
    // The kernel may have removed the watch already, which is no error.
    if (!this.#isClosed) removeWatch(this.#descriptor, watch);
  }

  /**
   * Calls back with events, in order, until this is closed. The first ones are delivered at once, those of a storm some milliseconds apart. After a failure it
   * is closed, too.
   * @throws Error of reading, and what `take` throws
   */
  listen(take: (events: readonly FolderEvent[]) => void, options: ListenOptions = {}): Promise<void> {
    this.#listening ??= this.#listen(take, options);
    return this.#listening;
  }

  /** Ends listening and all watches. */
  close(): void {
    if (this.#isClosed) return;
    this.#closing.abort();
    if (this.#listening === undefined) closeNow(this.#descriptor);
    else removeWatch(this.#descriptor, this.#sentinel);
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  #add(path: string, mask: number): number {
    if (this.#isClosed) throw systemError(constants.errno.EBADF, 'inotify_add_watch');
    return addWatch(this.#descriptor, path, mask);
  }

  async #listen(take: (events: readonly FolderEvent[]) => void, { onMounts }: ListenOptions): Promise<void> {
    if (this.#isClosed) return;
    let mounts: number | undefined;
    try {
      mounts = onMounts && openSync('/proc/self/mountinfo', 'r');
      for (;;) {
        const isMountsChanged = await waitWithOthers(this.#descriptor, mounts);
        if (this.#isClosed) return;
        if (isMountsChanged) onMounts?.();
        const events = this.#read();
        if (events.length > 0) take(events);
        await delay(PACE_MS);
        if (this.#isClosed) return;
      }
    } finally {
      this.#closing.abort();
      closeNow(this.#descriptor);
      if (mounts !== undefined) closeNow(mounts);
    }
  }

  #read(): FolderEvent[] {
    const events: FolderEvent[] = [];
    for (let reads = 0; reads < READS_AT_ONCE; reads += 1) {
      const sizeBytes = readNow(this.#descriptor, this.#buffer, this.#buffer.length);
      if (sizeBytes < 0) {
        const errno = lastErrno();
        if (errno !== constants.errno.EAGAIN && errno !== constants.errno.EINTR)
          throw systemError(errno, 'read');
      }
      if (sizeBytes <= 0) break;
      decodeEvents(this.#buffer.subarray(0, sizeBytes), events);
    }
    return events;
  }
}

/** Decodes what read(2) has read, which is whole events, and appends them. Events that mean nothing here are left out. */
export function decodeEvents(bytes: Buffer, events: FolderEvent[]): void {
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const mask = bytes.readUInt32LE(at + 4);
    const nameBytes = bytes.readUInt32LE(at + 12);
    const kind = kindOf(mask);
    if (kind !== undefined) {
      const name = nameIn(bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + nameBytes));
      events.push({ watch: bytes.readInt32LE(at), kind, isFolder: (mask & IN_ISDIR) !== 0, name });
    }
    at += HEADER_BYTES + nameBytes;
  }
}

function kindOf(mask: number): FolderEvent['kind'] | undefined {
  if (mask & IN_Q_OVERFLOW) return 'overflow';
  if (mask & IN_IGNORED) return 'unwatched';
  if (mask & ENDED) return 'ended';
  if (mask & APPEARED) return 'appeared';
  if (mask & LEFT) return 'left';
  return mask & CONTENT ? 'changed' : undefined;
}

/** The name is padded with NULs. */
function nameIn(bytes: Buffer): string | undefined {
  const end = bytes.indexOf(0);
  const name = bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
  return name.includes('\uFFFD') ? undefined : name;
}
