import { ApiKeys } from '../../config/api-key.ts';
import type { Settings } from '../../config/settings.ts';
import type { EmbeddingSettings } from '../../core/embedding-settings.ts';
import type { VectorSearch } from '../../core/vector-search.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import type { EmbeddingView } from '../../vectors/figures.ts';
import type { VectorsTask } from './open-vectors.ts';
import { VectorsHere } from './vectors-here.ts';
import { VectorsThread } from './vectors-thread.ts';

/** Search by meaning, and how it does. */
export interface AppVectors extends VectorSearch {
  /** Undefined where texts are not embedded in the background. */
  figures(): EmbeddingView | undefined;
  /** @param listener is told when figures have changed */
  onChange(listener: () => void): void;
  /** Why the last question was answered without vectors; undefined where it was not. */
  lack(): string | undefined;
  close(): void;
}

/** What to search by meaning, but for whose embeddings. */
export interface VectorsPlace {
  readonly state: StateFolder;
  readonly settings: Settings;
  /** Folders inside the docs that are no docs. Absolute. */
  readonly excluded: readonly string[];
}

/** Whose embeddings are used: or, for a command, how to find out once it searches. */
export type EmbeddingsWanted = EmbeddingSettings | (() => Promise<EmbeddingSettings | undefined>);

/**
 * Vectors for a daemon, which has texts embedded in the background, in a thread; for a command, which finds out by itself, those that are there answer.
 * @param onFailure told what goes wrong in the background, each thing once in a row
 */
export function openAppVectors(
  wanted: EmbeddingsWanted,
  place: VectorsPlace,
  onFailure: (reason: string) => void,
): AppVectors {
  if (typeof wanted === 'function') {
    return new VectorsHere(async () => {
      const embeddings = await wanted();
      return embeddings && vectorsTask(embeddings, place);
    });
  }
  const thread = new VectorsThread(vectorsTask(wanted, place));
  let told: string | null = null;
  thread.onChange(() => {
    const { last_error } = thread.figures();
    if (last_error !== null && last_error !== told) onFailure(last_error);
    told = last_error;
  });
  return thread;
}

/** With the key of the API, which is the environment's or the user's own file's. */
export function vectorsTask(
  embeddings: EmbeddingSettings,
  { state, settings, excluded }: VectorsPlace,
): VectorsTask {
  return {
    settings: embeddings,
    apiKey: new ApiKeys().keyFor(embeddings.baseUrl),
    vectorsFile: state.vectorsFile,
    searchFile: state.searchFile,
    contextFile: state.contextFile,
    memorySearchFile: state.memorySearchFile,
    docs: settings.selection,
    excluded,
    maxBytes: settings.maxDocumentBytes,
  };
}
