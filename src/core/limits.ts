/** The largest markdown or text file that is read, unless the configuration says otherwise. */
export const DEFAULT_MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;
