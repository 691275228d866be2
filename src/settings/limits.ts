const MEBIBYTE = 1024 * 1024;

/** How much is kept, and for how long. */
export interface Limits {
  /** The largest entry of memory; EFBIG past it. */
  readonly memoryEntryBytes: number;
  /** How long a removed entry can be restored. */
  readonly removedMemoryDays: number;
  /** What a session's scratchpad may hold; ENOSPC past it. */
  readonly scratchpadBytes: number;
  /** How long the scratchpad of an ended session is kept. */
  readonly scratchpadDays: number;
  /** How long a file of the history is kept. */
  readonly historyDays: number;
  /** What all files of the history may hold; the oldest go past it. */
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

/** The largest markdown or text file that is read, unless the configuration says otherwise. */
export const DEFAULT_MAX_DOCUMENT_BYTES = 8 * MEBIBYTE;
