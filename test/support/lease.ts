import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { controlDescriptor } from '../../src/system/libc.ts';
import type { Teardown } from './temporary.ts';

/** Of fcntl.h: F_SETLEASE, F_WRLCK and F_UNLCK. */
const SET_LEASE = 1024;
const TO_WRITE = 1;
const NONE = 2;

export interface Lease {
  /** Instead of what the file says. */
  write(text: string): void;
  letGo(): void;
}

/** Holds a file, as a server of files does for a client that works on it: whoever opens it is to wait until it lets go. */
export function leaseOn(t: Teardown, file: string): Lease {
  // The kernel tells of who wants it by a signal that ends the process otherwise.
  const ignore = (): void => {};
  process.on('SIGIO', ignore);
  const descriptor = openSync(file, 'r+');
  controlDescriptor(descriptor, SET_LEASE, TO_WRITE);
  t.teardown(() => {
    closeSync(descriptor);
    process.off('SIGIO', ignore);
  });
  return {
    write(text) {
      ftruncateSync(descriptor);
      writeSync(descriptor, text, 0);
    },
    letGo() {
      controlDescriptor(descriptor, SET_LEASE, NONE);
    },
  };
}
