/** To be increased whenever passages or terms of a text are made in another way: everything is read again then. */
export const PASSAGES_VERSION = 18;
