import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

const REMOVED = ' (deleted)';

/**
 * Whether a process has a file open that was at this path and is there no more: another one is, or none. False where that cannot be told, as of
 * processes of others.
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

/** Undefined for what is gone meanwhile, or not for this user to see. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}
