/** The name of a database that is no file and is gone when it is closed. */
export const IN_MEMORY = ':memory:';
