import { unchecked } from './libc.ts';

/** malloc_trim(3), a function of glibc. Other C libraries give memory back by themselves. */
const trim = unchecked<[keepBytes: number]>('int malloc_trim(size_t keepBytes)');

/** @param call malloc_trim(3), which is looked up when it is first called */
export function releaserBy(call: (keepBytes: number) => number): () => void {
  let isThere = true;
  return () => {
    if (!isThere) return;
    try {
      call(0);
    } catch {
      // The C library has no such function, which is the only way in which the call can fail.
      isThere = false;
    }
  };
}

/** Gives memory that a thread no longer uses back to the kernel. Takes a millisecond or two. */
export const releaseFreeMemory = releaserBy(trim);
