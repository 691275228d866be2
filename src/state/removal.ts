import { systemCodeOf } from '../core/errors.ts';
import { removeFile } from '../disk/remove.ts';

/** Removes a file that has become meaningless. On a read-only disk it stays. */
export function removeWhereWritable(file: string): void {
  try {
    removeFile(file);
  } catch (error) {
    if (systemCodeOf(error) !== 'EROFS') throw error;
  }
}
