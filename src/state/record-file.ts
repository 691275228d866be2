import { statSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfProcess, thisProcess } from './processes.ts';
import type { StateFolder } from './state-folder.ts';

export const RECORD_SUFFIX = '.json';

/** Where a daemon says that it works in the state folder. @param name of its process */
export function recordFile({ daemonsFolder }: StateFolder, name: string): string {
  return join(daemonsFolder, `${name}${RECORD_SUFFIX}`);
}

/** Whether the record of this process, which was there, is so no longer: the state folder was removed or replaced, or its disk is gone. */
export function isOwnRecordGone(state: StateFolder): boolean {
  try {
    const file = recordFile(state, nameOfProcess(thisProcess()));
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    // A disk that fails, or a folder that does not let us look, says nothing of what is there.
    return false;
  }
}
