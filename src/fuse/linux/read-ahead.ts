import { writeFile } from 'node:fs/promises';
import { systemCodeOf } from '../../core/errors.ts';
import { MAX_TRANSFER_BYTES } from './protocol/init.ts';

/** Only root may say how far ahead the kernel reads; for others it stays at the kernel's 128 KiB. */
const NOT_OURS_TO_SAY: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT']);

/**
 * Has the kernel read as far ahead as one READ can bring: a large file that is read from start to end takes an eighth of the requests.
 * @param device of the mount, `major:minor`
 */
export async function readFarAhead(device: string): Promise<void> {
  try {
    await writeFile(`/sys/class/bdi/${device}/read_ahead_kb`, String(MAX_TRANSFER_BYTES / 1024));
  } catch (error) {
    if (!NOT_OURS_TO_SAY.has(systemCodeOf(error) ?? '')) throw error;
  }
}
