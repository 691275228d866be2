import { systemCodeOf } from '../core/errors.ts';
import { removeFile } from '../disk/remove.ts';

/** Removes a file that stands for nothing any more. A disk that is only read keeps it. */
export function removeWhereWritable(file: string): void {
  try {
    removeFile(file);
  } catch (error) {
    if (systemCodeOf(error) !== 'EROFS') throw error;
  }
}
