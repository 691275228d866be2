import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KnownProcess, nameOfProcess, thisProcess } from './processes.ts';
import type { StateFolder } from './state-folder.ts';

/**
 * Where a daemon without a mount tells how it is.
 * @param name of its record
 */
export function toldStatusFile({ daemonsFolder }: StateFolder, name: string): string {
  return join(daemonsFolder, `${name}.status`);
}

/** Has this process tell how it is. Where the disk refuses that, the last status stays. */
export function tellStatus(state: StateFolder, status: unknown): void {
  const file = toldStatusFile(state, nameOfProcess(thisProcess()));
  try {
    writeFileSync(`${file}.new`, JSON.stringify(status), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // A full disk, most likely, which other things tell of.
  }
}

/** What a daemon told last; undefined where that is not to be read. */
export function readToldStatus(state: StateFolder, daemon: KnownProcess): unknown {
  try {
    return JSON.parse(readFileSync(toldStatusFile(state, nameOfProcess(daemon)), 'utf8'));
  } catch {
    // It told nothing yet, or has just ended.
    return undefined;
  }
}
