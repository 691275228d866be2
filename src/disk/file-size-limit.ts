import { readFileSync } from 'node:fs';

/**
 * What to say of a write that failed where no file of this process may have more than so many bytes (`RLIMIT_FSIZE`), with the way out; undefined where
 * files may have any size, and where the system does not tell. SQLite says of such a write only that it failed.
 */
export function fileSizeLimit(): string | undefined {
  const bytes = /^Max file size +(\d+)/m.exec(ownLimits())?.[1];
  if (bytes === undefined) return undefined;
  return `no file that this process writes may have more than ${bytes} bytes (EFBIG); let it have more: ulimit -f unlimited, or LimitFSIZE=infinity in a unit of systemd`;
}

function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // No /proc is mounted, or no more file can be opened.
    return '';
  }
}
