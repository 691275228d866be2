import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { removeMade } from '../disk/remove.ts';
import { type KnownProcess, nameOfProcess, thisProcess } from './processes.ts';
import type { StateFolder } from './state-folder.ts';

/**
 * The file in which a daemon without a mount publishes its status.
 * @param name the name of the daemon's record, without the ending
 */
export function toldStatusFile({ daemonsFolder }: StateFolder, name: string): string {
  return join(daemonsFolder, `${name}.status`);
}

/** Publishes the status of this process. If the disk refuses, the last status stays. */
export function tellStatus(state: StateFolder, status: unknown): void {
  const file = toldStatusFile(state, nameOfProcess(thisProcess()));
  try {
    writeFileSync(`${file}.new`, JSON.stringify(status), { mode: PRIVATE_FILE_MODE });
    renameSync(`${file}.new`, file);
  } catch {
    // Most likely the disk is full, which is told in place of a status.
    removeMade(`${file}.new`);
  }
}

/** The last status that a daemon published; undefined if there is none. */
export function readToldStatus(state: StateFolder, daemon: KnownProcess): unknown {
  try {
    return JSON.parse(readFileSync(toldStatusFile(state, nameOfProcess(daemon)), 'utf8'));
  } catch {
    // The daemon has published nothing yet, or has just ended.
    return undefined;
  }
}
