import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { systemCodeOf } from '../core/errors.ts';
import { replaceDescriptor } from '../system/files.ts';
import { O_CLOEXEC } from '../system/libc.ts';

/**
 * Gives up the descriptors above standard error that the callers of the starter left open: as long as a daemon holds a pipe, its reader never sees the end.
 * Node opens everything with close-on-exec, so any other descriptor came from outside, or is a log of V8's own (`--perf-basic-prof`), which goes on writing to
 * its number. So each of them is made to lead to /dev/null: a number that is closed would become the next database's.
 */
export function closeInherited(): void {
  const inherited = readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !isClosedOnExec(descriptor));
  if (inherited.length === 0) return;
  const nothing = openSync('/dev/null', 'r+');
  for (const descriptor of inherited) {
    try {
      replaceDescriptor(descriptor, nothing);
    } catch (error) {
      // The number is above the limit of open files (`ulimit -n`), so it is never given out again and can be closed.
      if (systemCodeOf(error) !== 'EBADF') throw error;
      closeSync(descriptor);
    }
  }
  closeSync(nothing);
}

function isClosedOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0;
  } catch {
    // This was the descriptor by which the folder was listed. It is closed already.
    return true;
  }
}
