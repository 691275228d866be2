import type { WriteWay } from '../../core/changes.ts';

/** More sizes than a file is shown with while a program waits between two writes. */
const MAX_SIZES = 64;

/**
 * Tells where the writes of a program belong that has created a file: libfuse does not say whether it did so with O_APPEND. The kernel puts the
 * writes of one that appends where it believes that the file ends. If another mount has written to the file, or has taken its name, that is not where this
 * program's last write ended, but a size that the kernel was told.
 */
export class CreatedWriter {
  #next = 0;
  #way: WriteWay = 'as opened';
  /** Sizes of another file that had the name, which the kernel has taken for this one's. */
  readonly #otherSizes = new Set<number>();

  /** To be called when the kernel is told of another file at the path of this one. */
  sawOther(sizeBytes: number): void {
    if (this.#otherSizes.size >= MAX_SIZES) this.#otherSizes.clear();
    this.#otherSizes.add(sizeBytes);
  }

  /**
   * To be called when others have written to the file through this mount, or it was truncated: the kernel knows of that.
   * @param toldSizeBytes where the kernel believes that the file ends since then
   */
  sawEnd(toldSizeBytes: number): void {
    if (this.#way === 'at the end' && toldSizeBytes !== this.#next) this.#way = 'as opened';
  }

  /**
   * To be called for each write, in turn.
   * @param toldSizeBytes the size of the file that the kernel was last told
   */
  wayOf(position: number, lengthBytes: number, toldSizeBytes: number | undefined): WriteWay {
    if (position !== this.#next) {
      const isEnd = position === toldSizeBytes || this.#otherSizes.has(position);
      this.#way = isEnd ? 'at the end' : 'as opened';
    } else if (this.#way !== 'at the end') {
      this.#way = position === toldSizeBytes ? 'where it ended' : 'as opened';
    }
    this.#next = position + lengthBytes;
    return this.#way;
  }

  /** To be called after each write. If the bytes went elsewhere, the next ones will, too, and the kernel knows nothing of it. */
  wrote(sizeBytes: number): void {
    if (this.#way === 'where it ended' && sizeBytes !== this.#next) this.#way = 'at the end';
  }
}
