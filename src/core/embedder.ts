import type { ModelPatience } from './model-error.ts';

/** Turns texts into vectors that are near each other where the texts mean much the same. */
export interface Embedder {
  /** What the vectors are comparable within: the model, and the dimensions that it was asked for. */
  readonly model: string;
  /**
   * @returns one vector of unit length for each text, in their order, all of the same length
   * @throws ModelError
   */
  embed(texts: readonly string[], patience: ModelPatience): Promise<Float32Array[]>;
}
