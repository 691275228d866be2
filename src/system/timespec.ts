/** The nanoseconds of a second: `struct timespec` holds seconds, and nanoseconds below this number. */
export const NS_PER_SECOND = 1_000_000_000n;
