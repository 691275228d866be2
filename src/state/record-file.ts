import { statSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfProcess, thisProcess } from './processes.ts';
import type { StateFolder } from './state-folder.ts';

export const RECORD_SUFFIX = '.json';

/** The file by which a daemon tells that it works in the state folder. @param name the name of its process */
export function recordFile({ daemonsFolder }: StateFolder, name: string): string {
  return join(daemonsFolder, `${name}${RECORD_SUFFIX}`);
}

/** Whether the record of this process, which did exist, is gone: the state folder was removed or replaced, or its disk is gone. */
export function isOwnRecordGone(state: StateFolder): boolean {
  try {
    const file = recordFile(state, nameOfProcess(thisProcess()));
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    // A disk that fails, or a folder that this user may not look at, says nothing about what is there.
    return false;
  }
}
