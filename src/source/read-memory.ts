/** What the bytes of a file are read into. */
export interface Memory {
  /** Not filled. What was taken before is no longer used. */
  take(sizeBytes: number): Buffer;
  /** To be called once, when what was taken is no longer used. */
  give(): void;
}

/** Memory that belongs to those bytes alone, and is collected with them. */
export const OWN: Memory = {
  take: (sizeBytes) => Buffer.allocUnsafeSlow(sizeBytes),
  give() {},
};

/** A file that stays open keeps as much of the memory, however small it is. */
const SHARED_BYTES = 64 * 1024;
const MAX_BYTES = SHARED_BYTES / 4;

/**
 * Memory for several files. It begins anew when all have been given back, as they are where one is read after the other: that spares fresh
 * memory for each, which takes longer to be had than a small file to be read.
 */
class SharedMemory {
  readonly #bytes = Buffer.allocUnsafeSlow(SHARED_BYTES);
  #filled = 0;
  #users = 0;

  /** @returns undefined where there is no room left */
  part(sizeBytes: number): Memory | undefined {
    const start = this.#filled;
    if (start + sizeBytes > SHARED_BYTES) return undefined;
    this.#filled += sizeBytes;
    this.#users += 1;
    return {
      // A file that has grown meanwhile does not fit any more.
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

/** Memory for a file of this size: small ones share it. */
export function roomFor(sizeBytes: number): Memory {
  if (sizeBytes > MAX_BYTES) return OWN;
  const part = latest.part(sizeBytes);
  if (part !== undefined) return part;
  latest = new SharedMemory();
  return latest.part(sizeBytes) ?? OWN;
}
