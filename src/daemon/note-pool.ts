import { poolThreads } from '../config/environment.ts';
import { notePoolThreads } from '../system/found-place.ts';

/** Has no more threads of this process wait for disks that do not answer than it can spare. To be called before docs are followed. */
export function notePool(): void {
  notePoolThreads(poolThreads());
}
