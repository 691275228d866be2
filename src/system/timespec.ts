/** `struct timespec` has seconds and the nanoseconds beyond them, of which there are fewer than these. */
export const NS_PER_SECOND = 1_000_000_000n;
