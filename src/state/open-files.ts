import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

const REMOVED = ' (deleted)';

/**
 * Whether a process has a file open that was at this path and has been replaced or removed since. False if that cannot be told, as for processes of other
 * users.
 */
export function hasLostFileOpen(pid: number, file: string): boolean {
  const found = identityOf(file);
  const folder = `/proc/${pid}/fd`;
  const path = join(orNothing(() => realpathSync(dirname(file))) ?? dirname(file), basename(file));
  return (orNothing(() => readdirSync(folder)) ?? []).some((name) => {
    const descriptor = join(folder, name);
    const target = orNothing(() => readlinkSync(descriptor));
    if (target !== path && target !== `${path}${REMOVED}`) return false;
    const held = identityOf(descriptor);
    return held !== undefined && held !== found;
  });
}

function identityOf(path: string): string | undefined {
  const status = orNothing(() => statSync(path, { bigint: true }));
  return status && `${status.dev}:${status.ino}`;
}

/** @returns undefined for something that is gone meanwhile, or that this user may not see */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}
