import { writeFile } from 'node:fs/promises';
import { systemCodeOf } from '../../core/errors.ts';
import { MAX_TRANSFER_BYTES } from './protocol/init.ts';

/** Errors when this process may not set how far ahead the kernel reads. Only root may; otherwise it stays at the kernel's 128 KiB. */
const NOT_OURS_TO_SAY: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT']);

/**
 * Makes the kernel read ahead as far as one READ can bring: a large file that is read from start to end then takes an eighth of the requests.
 * @param device the device of the mount, `major:minor`
 */
export async function readFarAhead(device: string): Promise<void> {
  try {
    await writeFile(`/sys/class/bdi/${device}/read_ahead_kb`, String(MAX_TRANSFER_BYTES / 1024));
  } catch (error) {
    if (!NOT_OURS_TO_SAY.has(systemCodeOf(error) ?? '')) throw error;
  }
}
