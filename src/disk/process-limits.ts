import { readFileSync } from 'node:fs';

/**
 * Explains a failed write if there is a limit for the size of the files of this process (`RLIMIT_FSIZE`), with the way out. Undefined if there is no limit, or
 * the system does not tell. SQLite says of such a write only that it failed.
 */
export function fileSizeLimit(): string | undefined {
  const bytes = ownLimit('Max file size');
  if (bytes === undefined) return undefined;
  return `files that this process writes may have at most ${bytes} bytes (EFBIG); raise the limit: ulimit -f unlimited, or LimitFSIZE=infinity in a systemd unit`;
}

/**
 * Explains why a process like this one ends while it starts, if there is a limit for its address space (`RLIMIT_AS`), with the way out. Node.js then ends without
 * a word of it, since it reserves far more than it uses. Undefined if there is no limit, or the system does not tell.
 */
export function addressSpaceLimit(): string | undefined {
  const bytes = ownLimit('Max address space');
  if (bytes === undefined) return undefined;
  return `it may have at most ${bytes} bytes of address space, which may be too few for Node.js; raise the limit: ulimit -v unlimited, or LimitAS=infinity in a systemd unit`;
}

/**
 * A limit that the system sets to this process, if it sets one and tells it.
 * @param name as in /proc/self/limits, such as `Max file size`
 */
function ownLimit(name: string): number | undefined {
  const line = ownLimits()
    .split('\n')
    .find((one) => one.startsWith(`${name} `));
  const found = /^ +(\d+) /.exec(line?.slice(name.length) ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    // /proc is not mounted, or no more files can be opened.
    return '';
  }
}
