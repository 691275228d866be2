import { isUtf8 } from 'node:buffer';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Whether the command line of this process is UTF-8 text. Where it is not, Node.js gives U+FFFD for bytes of it; else a U+FFFD was typed, and names what it says.
 * False if that cannot be found out.
 */
export function isCommandLineUtf8(): boolean {
  return isText(() => readFileSync('/proc/self/cmdline'));
}

/** As {@link isCommandLineUtf8}, of the path of the current folder. */
export function isCurrentFolderUtf8(): boolean {
  return isText(() => readlinkSync('/proc/self/cwd', { encoding: 'buffer' }));
}

function isText(read: () => Buffer): boolean {
  try {
    return isUtf8(read());
  } catch {
    // Without /proc only the text is known.
    return false;
  }
}
