/** What the names of the files that SQLite keeps for one database end with, its own first; beside it are the log, the index of that, and a journal. */
export const DATABASE_FILE_ENDINGS = ['', '-wal', '-shm', '-journal'];
