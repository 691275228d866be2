/** The endings of the names of the files that SQLite keeps for one database: the database itself, the log, the index of the log, and a journal. */
export const DATABASE_FILE_ENDINGS = ['', '-wal', '-shm', '-journal'];
