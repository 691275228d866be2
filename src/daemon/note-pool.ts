import { poolThreads } from '../config/environment.ts';
import { notePoolThreads } from '../system/found-place.ts';

/** Limits how many threads of this process wait for disks that do not answer to what it can spare. To be called before docs are followed. */
export function notePool(): void {
  notePoolThreads(poolThreads());
}
