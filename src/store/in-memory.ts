/** The name of a database that is no file, and ends with who opened it. */
export const IN_MEMORY = ':memory:';
