import { openSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { isKoffiLoaded } from './koffi.ts';
import { hasEventNow } from './libc.ts';

/**
 * Tells whether the table of mounts has changed, without reading it: the kernel puts the table together at each reading, which takes longer the more is mounted.
 */
export class MountChanges {
  /** Open for as long as the process lives. */
  #descriptor: number | undefined;

  /**
   * Whether anything was mounted or unmounted since this was last asked. Always so at the first question, in a process that does not call the C library yet, and
   * in other threads than the main one, which could not close a descriptor when they are ended.
   * @throws Error with a `code` if the table cannot be opened
   */
  any(): boolean {
    if (!isMainThread || !isKoffiLoaded()) return true;
    if (this.#descriptor !== undefined) {
      return hasEventNow({ descriptor: this.#descriptor, event: 'exceptional' });
    }
    this.#descriptor = openSync('/proc/self/mountinfo', 'r');
    return true;
  }
}
