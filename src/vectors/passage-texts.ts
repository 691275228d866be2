/** A passage whose text is to have a vector. */
export interface HashedText {
  readonly id: number;
  readonly sourceId: number;
  readonly textHash: Uint8Array;
}

/** Passages of one store, and what they say. */
export interface PassageTexts {
  readonly corpus: 'docs' | 'memory';
  /** Changes when passages may have. */
  version(): string;
  /** Passages behind an id, in the order of ids; none where there are no more. */
  passagesAfter(id: number, limit: number): readonly HashedText[];
  /** Passages that say just this. */
  withText(textHash: Uint8Array): readonly { readonly id: number; readonly sourceId: number }[];
  /** What the passages of a source say now, by the hash of that in hexadecimal. */
  textsOf(sourceId: number): ReadonlyMap<string, string>;
  close(): void;
}

/** A hash as a key of maps and sets. */
export function hexOf(textHash: Uint8Array): string {
  return Buffer.from(textHash.buffer, textHash.byteOffset, textHash.byteLength).toString('hex');
}
