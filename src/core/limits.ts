/** The largest markdown or text file that is read, unless the configuration says otherwise. */
export const DEFAULT_MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

/** What the scratchpad of one session may take of the disk. */
export const DEFAULT_SCRATCHPAD_QUOTA_BYTES = 1024 ** 3;

/** How long a scratchpad that nobody uses is kept. */
export const DEFAULT_SCRATCHPAD_AGE_MS = 7 * 24 * 60 * 60 * 1000;
