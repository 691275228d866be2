import { unchecked } from './libc.ts';

/** malloc_trim(3), a function of glibc. Other C libraries give memory back by themselves. */
const trim = ((): ((keepBytes: number) => number) => {
  try {
    return unchecked<[keepBytes: number]>('int malloc_trim(size_t keepBytes)');
  } catch {
    return () => 0;
  }
})();

/** Gives memory that a thread no longer uses back to the kernel. Takes a millisecond or two. */
export function releaseFreeMemory(): void {
  trim(0);
}
