const MEBIBYTE = 1024 * 1024;

/** How much is kept, and for how long. */
export interface Limits {
  /** The maximal size of an entry of memory; EFBIG beyond it. */
  readonly memoryEntryBytes: number;
  /** For how many days a removed entry can be restored. */
  readonly removedMemoryDays: number;
  /** How much a session's scratchpad may contain; ENOSPC beyond it. */
  readonly scratchpadBytes: number;
  /** For how many days the scratchpad of an ended session is kept. */
  readonly scratchpadDays: number;
  /** For how many days a file of the history is kept. */
  readonly historyDays: number;
  /** How much all files of the history may contain. Beyond it, the oldest are removed. */
  readonly historyBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  memoryEntryBytes: 16 * MEBIBYTE,
  removedMemoryDays: 30,
  scratchpadBytes: 1024 * MEBIBYTE,
  scratchpadDays: 7,
  historyDays: 90,
  historyBytes: 256 * MEBIBYTE,
};

/** The largest markdown or text file that is read, unless the config says otherwise. */
export const DEFAULT_MAX_DOCUMENT_BYTES = 8 * MEBIBYTE;

/** The longest time for which anything can be asked to be kept: a hundred years. */
export const MAX_KEPT_DAYS = 36_500;
