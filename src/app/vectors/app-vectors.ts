import { ApiKeys } from '../../config/api-key.ts';
import type { Settings } from '../../config/settings.ts';
import type { VectorSearch } from '../../core/vector-search.ts';
import type { EmbeddingSettings } from '../../settings/embeddings.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import type { EmbeddingView } from '../../vectors/figures.ts';
import type { VectorsTask } from './open-vectors.ts';
import { VectorsHere } from './vectors-here.ts';
import { VectorsThread } from './vectors-thread.ts';

/** Search by meaning, and its figures. */
export interface AppVectors extends VectorSearch {
  /** Undefined if texts are not embedded in the background. */
  figures(): EmbeddingView | undefined;
  /** @param listener called when the figures have changed */
  onChange(listener: () => void): void;
  /** Has texts read there from now on. @param found where the docs roots are now, as in `docsAsFound` */
  docsAt(found: ReadonlyMap<string, string>): void;
  /** Why the last question was answered without vectors; undefined if it was answered with them. */
  lack(): string | undefined;
  close(): void;
}

/** The project to search by meaning. */
export interface VectorsPlace {
  readonly state: StateFolder;
  readonly settings: Settings;
  /** Where the docs roots are, as in `docsAsFound`. Default: they are looked for, which waits for a disk that does not answer. */
  readonly found?: ReadonlyMap<string, string>;
  /** Folders inside the docs that are not docs, as absolute paths. */
  readonly excluded: readonly string[];
}

/** The settings of the embeddings, or for a command a function that finds them out on the first search. */
export type EmbeddingsWanted = EmbeddingSettings | (() => Promise<EmbeddingSettings | undefined>);

/**
 * Vectors of a project. For a daemon (settings given), a thread embeds new texts in the background. For a command (a function given), only existing
 * vectors are searched.
 * @param onFailure called with errors in the background, but only once for the same reason in a row
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

/** The task with the key of the API, from the environment or the user's own `.env`. */
export function vectorsTask(
  embeddings: EmbeddingSettings,
  { state, settings, excluded, found }: VectorsPlace,
): VectorsTask {
  return {
    settings: embeddings,
    apiKey: new ApiKeys().keyFor(embeddings.baseUrl),
    vectorsFile: state.vectorsFile,
    searchFile: state.searchFile,
    contextFile: state.contextFile,
    memorySearchFile: state.memorySearchFile,
    docs: settings.selection,
    ...(found === undefined ? {} : { found }),
    excluded,
    maxBytes: settings.maxDocumentBytes,
  };
}
