import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { systemCodeOf } from '../core/errors.ts';
import { replaceDescriptor } from '../system/files.ts';
import { O_CLOEXEC } from '../system/libc.ts';

/**
 * Lets go of what the starter's callers left open above standard error: a pipe that a daemon holds never ends for its
 * reader. All that Node opens itself is closed on exec, so what is not came from outside, or is a log of V8's own (`--perf-basic-prof`), which goes on
 * writing to its number. So each leads to /dev/null from now on: a number that became free would be a database's next.
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
      // Numbers above what a process may have open (`ulimit -n`) are not given out again.
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
    // The descriptor by which the folder was listed: it is closed already.
    return true;
  }
}
