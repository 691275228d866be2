import {
  type BigIntStats,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  utimesSync,
} from 'node:fs';

/** `(uid_t) -1` of chown(2). */
const UNCHANGED = -1;
const CLOSED = -1;

/**
 * A file, folder, link or whatever else of the disk, held by an O_PATH descriptor: what is done is done to that very one, whatever has
 * its name by now. `/proc/self/fd/N` leads to it and no further, so a link is not followed. Errors are those of the system call.
 */
export class DiskEntry {
  #descriptor: number;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** For a child process that is to have it too. */
  get descriptor(): number {
    return this.#descriptor;
  }

  status(): BigIntStats {
    return fstatSync(this.#descriptor, { bigint: true });
  }

  /**
   * The caller closes the descriptor, and has made sure that this is a file: opening a device does something, and a FIFO waits.
   * @param flags of open(2). @throws EACCES, ELOOP for a link
   */
  openFile(flags: number): number {
    return openSync(this.#path, flags | constants.O_NONBLOCK | constants.O_NOCTTY);
  }

  /** @throws EPERM, ENOTSUP for a link */
  changeMode(mode: number): void {
    chmodSync(this.#path, mode);
  }

  /** Who is absent stays. @throws EPERM */
  changeOwner(user: number | undefined, group: number | undefined): void {
    chownSync(this.#path, user ?? UNCHANGED, group ?? UNCHANGED);
  }

  /** To the microsecond, rounded down: Node's times are numbers. Nanoseconds since 1970. @throws EPERM */
  changeTimes(accessedNs: bigint, modifiedNs: bigint): void {
    utimesSync(this.#path, secondsOf(accessedNs), secondsOf(modifiedNs));
  }

  /** Safe to call twice: another file may have got the descriptor's number by then. */
  close(): void {
    if (this.#descriptor === CLOSED) return;
    closeSync(this.#descriptor);
    this.#descriptor = CLOSED;
  }

  get #path(): string {
    return `/proc/self/fd/${this.#descriptor}`;
  }
}

/**
 * Half a microsecond further from 0, since libuv cuts a time off towards 0, and a number near to now is exact to a quarter of one only.
 * As text, since Node takes a negative number for now.
 */
function secondsOf(ns: bigint): string {
  const microseconds = (ns - (((ns % 1000n) + 1000n) % 1000n)) / 1000n;
  const half = microseconds < 0n ? -0.5 : 0.5;
  return String((Number(microseconds) + half) / 1e6);
}
