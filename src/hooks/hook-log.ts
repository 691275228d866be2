import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { reasonOf } from '../core/errors.ts';
import { isoTime } from '../core/iso-time.ts';

const MAX_LOG_BYTES = 256 * 1024;

/** Records in the log of hooks why a hook did not do its work. If that cannot be written either, nobody is told. */
export function logFailure(file: string, hook: string, error: unknown): void {
  logLine(file, `${hook}: ${error instanceof Error ? (error.stack ?? error.message) : reasonOf(error)}`);
}

function logLine(file: string, text: string): void {
  try {
    const isLong = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES;
    const write = isLong ? writeFileSync : appendFileSync;
    write(file, `${isoTime(Date.now())} ${text}\n`);
  } catch {
    // A hook must not make anybody's commit fail.
  }
}
