import { rmSync } from 'node:fs';
import { systemCodeOf } from '../core/errors.ts';

/** Removes a file that stands for nothing any more. A disk that is only read keeps it. */
export function removeWhereWritable(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (error) {
    if (systemCodeOf(error) !== 'EROFS') throw error;
  }
}
