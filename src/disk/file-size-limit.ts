import { readFileSync } from 'node:fs';

/**
 * Explains a failed write if there is a limit for the size of the files of this process (`RLIMIT_FSIZE`), with the way out. Undefined if there is no limit, or
 * the system does not tell. SQLite says of such a write only that it failed.
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
    // /proc is not mounted, or no more files can be opened.
    return '';
  }
}
