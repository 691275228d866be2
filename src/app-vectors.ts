import { ApiKeys } from './config/api-key.ts';
import type { Settings } from './config/settings.ts';
import type { EmbeddingSettings } from './core/embedding-settings.ts';
import type { VectorSearch } from './core/vector-search.ts';
import type { VectorsTask } from './open-vectors.ts';
import type { StateFolder } from './state/state-folder.ts';
import type { EmbeddingView } from './vectors/figures.ts';
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

export interface VectorsPlace {
  readonly state: StateFolder;
  readonly settings: Settings;
  readonly embeddings: EmbeddingSettings;
  /** Folders inside the docs that are no docs. Absolute. */
  readonly excluded: readonly string[];
}

/**
 * @param inThread whether texts are embedded in the background, in a thread; else vectors that are there answer, in this one
 * @param onFailure told what goes wrong in the background, each thing once in a row
 */
export function openAppVectors({
  inThread,
  onFailure,
  ...place
}: VectorsPlace & {
  readonly inThread: boolean;
  readonly onFailure: (reason: string) => void;
}): AppVectors {
  const task = vectorsTask(place);
  if (!inThread) return new VectorsHere(task);
  const thread = new VectorsThread(task);
  let told: string | null = null;
  thread.onChange(() => {
    const { last_error } = thread.figures();
    if (last_error !== null && last_error !== told) onFailure(last_error);
    told = last_error;
  });
  return thread;
}

/** With the key of the API, which is the environment's or the user's own file's. */
export function vectorsTask({ state, settings, embeddings, excluded }: VectorsPlace): VectorsTask {
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
