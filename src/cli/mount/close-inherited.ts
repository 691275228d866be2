import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** Of fcntl.h; Node has no name for it. */
const O_CLOEXEC = 0o2000000;

/**
 * Closes what the starter's callers left open above standard error: a pipe that a daemon holds never ends for its
 * reader. All that Node opens itself is closed on exec, so what is not came from outside.
 */
export function closeInherited(): void {
  for (const descriptor of readdirSync('/proc/self/fd').map(Number)) {
    if (descriptor > 2 && !isClosedOnExec(descriptor)) closeSync(descriptor);
  }
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
