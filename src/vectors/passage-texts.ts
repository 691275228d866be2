/** A passage whose text needs a vector. */
export interface HashedText {
  readonly id: number;
  readonly sourceId: number;
  readonly textHash: Uint8Array;
}

/** The passages of one store with their texts. */
export interface PassageTexts {
  readonly corpus: 'docs' | 'memory';
  /** Changes when passages may have changed. */
  version(): string;
  /** The passages after an id, in the order of ids; empty if there are no more. */
  passagesAfter(id: number, limit: number): readonly HashedText[];
  /** The passages with this text. */
  withText(textHash: Uint8Array): readonly { readonly id: number; readonly sourceId: number }[];
  /** The texts of a source's passages now, by their hashes in hexadecimal. */
  textsOf(sourceId: number): ReadonlyMap<string, string>;
  close(): void;
}

/** A hash as a key of maps and sets. */
export function hexOf(textHash: Uint8Array): string {
  return Buffer.from(textHash.buffer, textHash.byteOffset, textHash.byteLength).toString('hex');
}
