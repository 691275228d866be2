/** Grows with each change of what is made of a text for search, or of how terms are made: all is then read anew. */
export const PASSAGES_VERSION = 13;
