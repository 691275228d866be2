import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';
import { nameOfProcess, processHere } from './processes.ts';
import { RECORD_SUFFIX } from './record-file.ts';

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

/**
 * Whether a process holds the record of a daemon open that still lies in a folder, wherever that was moved. False if that cannot be told, as for processes of
 * other users or containers.
 */
export function hasRecordOpen(pid: number): boolean {
  const known = processHere(pid);
  if (known === undefined) return false;
  const name = `${nameOfProcess(known)}${RECORD_SUFFIX}`;
  const folder = `/proc/${pid}/fd`;
  return (orNothing(() => readdirSync(folder)) ?? []).some((descriptor) => {
    // The kernel keeps the link up to date, and adds to it once the file is removed.
    const target = orNothing(() => readlinkSync(join(folder, descriptor)));
    return target !== undefined && basename(target) === name;
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
