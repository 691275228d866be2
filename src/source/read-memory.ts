/** Provides the room that the bytes of a file are read into. */
export interface Memory {
  /** Room that is not zeroed. What this has returned before may no longer be used. */
  take(sizeBytes: number): Buffer;
  /** To be called once, when the room is no longer used. */
  give(): void;
}

/** Room that belongs to one file alone, and is collected with its bytes. */
export const OWN: Memory = {
  take: (sizeBytes) => Buffer.allocUnsafeSlow(sizeBytes),
  give() {},
};

/** A file that stays open keeps a whole piece of this size in memory, however small the file is. */
const SHARED_BYTES = 64 * 1024;
const MAX_BYTES = SHARED_BYTES / 4;

/**
 * Room for several files. It starts again from its beginning when all parts have been given back, which is the case when files are read one after the other.
 * That saves fresh memory for each file, which takes longer to get than a small file takes to read.
 */
class SharedMemory {
  readonly #bytes = Buffer.allocUnsafeSlow(SHARED_BYTES);
  #filled = 0;
  #users = 0;

  /** @returns undefined if there is not enough room left */
  part(sizeBytes: number): Memory | undefined {
    const start = this.#filled;
    if (start + sizeBytes > SHARED_BYTES) return undefined;
    this.#filled += sizeBytes;
    this.#users += 1;
    return {
      // A file that has grown meanwhile no longer fits.
      take: (takenBytes) =>
        takenBytes <= sizeBytes
          ? this.#bytes.subarray(start, start + takenBytes)
          : Buffer.allocUnsafeSlow(takenBytes),
      give: () => {
        this.#users -= 1;
        if (this.#users === 0) this.#filled = 0;
      },
    };
  }
}

let latest = new SharedMemory();

/** Room for a file of this size. Small files share it. */
export function roomFor(sizeBytes: number): Memory {
  if (sizeBytes > MAX_BYTES) return OWN;
  const part = latest.part(sizeBytes);
  if (part !== undefined) return part;
  latest = new SharedMemory();
  return latest.part(sizeBytes) ?? OWN;
}
