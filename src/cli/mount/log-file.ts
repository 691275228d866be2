import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../../core/file-modes.ts';
import { wayOut } from '../../disk/disk-remedy.ts';

/** A daemon's log, open for appending. */
export interface LogFile {
  readonly descriptor: number;
  /** The last lines written since the log was opened, without a final line feed. */
  tail(): string;
  close(): void;
}

/** A larger log is renamed to `daemon.log.1` when the next daemon starts. */
const MAX_LOG_BYTES = 1 << 20;
const TAIL_BYTES = 4096;
const TAIL_LINES = 8;

/** Opens the log so that other users cannot read it. @throws UserError if it cannot be written */
export function openLog(file: string): LogFile {
  const descriptor = openToAppend(file);
  const startBytes = fstatSync(descriptor).size;
  return {
    descriptor,
    tail() {
      const endBytes = fstatSync(descriptor).size;
      const length = Math.min(endBytes - startBytes, TAIL_BYTES);
      const bytes = Buffer.alloc(length);
      readSync(descriptor, bytes, 0, length, endBytes - length);
      return bytes.toString().trim().split('\n').slice(-TAIL_LINES).join('\n');
    },
    close: () => closeSync(descriptor),
  };
}

function openToAppend(file: string): number {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) putAside(file);
    return openSync(file, 'a+', PRIVATE_FILE_MODE);
  } catch (error) {
    const why = `${file}: cannot be written (${reasonOf(error)}); ${wayOut(systemCodeOf(error), dirname(file))}`;
    throw new UserError(why, EXIT.failed, { cause: error });
  }
}

function putAside(file: string): void {
  try {
    renameSync(file, `${file}.1`);
  } catch (error) {
    // Another daemon that starts has just renamed it.
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}
