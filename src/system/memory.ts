import { unchecked } from './libc.ts';

/** malloc_trim(3), which is glibc's: other C libraries give back on their own. */
const trim = ((): ((keepBytes: number) => number) => {
  try {
    return unchecked<[keepBytes: number]>('int malloc_trim(size_t keepBytes)');
  } catch {
    return () => 0;
  }
})();

/** Gives memory that a thread has left behind back to the kernel. Takes a millisecond or two. */
export function releaseFreeMemory(): void {
  trim(0);
}
