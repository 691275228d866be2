/** Raised whenever the same text gives other facts than before, so that stores read their documents again. */
export const EXTRACTOR_VERSION = 45;
