import { openAiEmbedder } from '../../agent/embeddings.ts';
import type { EmbeddingSettings } from '../../settings/embeddings.ts';
import { isOfEarlierBoot, stateOfProcess, thisProcess } from '../../state/processes.ts';
import { openVectorStore } from '../../store/vector-store.ts';
import { EmbeddingFigures } from '../../vectors/figures.ts';
import { EmbeddingQueue } from '../../vectors/queue.ts';
import { Vectors } from '../../vectors/vectors.ts';
import { type DocsTexts, type DocsTextsOptions, docsTexts } from './docs-texts.ts';
import { type MemoryTextsOptions, memoryTexts } from './memory-texts.ts';

/** What vectors are made from, where they are stored, and who makes them, as plain data that can be sent to a thread. */
export interface VectorsTask extends DocsTextsOptions, MemoryTextsOptions {
  readonly settings: EmbeddingSettings;
  /** Undefined if the API needs none. It is only kept in memory. */
  readonly apiKey: string | undefined;
  readonly vectorsFile: string;
}

export interface OpenVectors {
  readonly vectors: Vectors;
  readonly queue: EmbeddingQueue;
  readonly figures: EmbeddingFigures;
  /** Changes when there may be texts without a vector. */
  version(): string;
  /** As for {@link DocsTexts}. */
  docsAt(found: ReadonlyMap<string, string>): void;
  close(): void;
}

/**
 * @param onProgress called after each batch of texts
 * @throws UserError if sqlite-vec cannot be loaded, or a file cannot be opened
 */
export async function openVectors(task: VectorsTask, onProgress?: () => void): Promise<OpenVectors> {
  const { settings, apiKey } = task;
  const embedder = openAiEmbedder({ ...settings, apiKey });
  const { batchSize, textPrefix = '', questionPrefix = '', questionTimeoutMs } = settings;
  // With another prefix, the same text has another vector.
  const model = textPrefix === '' ? embedder.model : `${embedder.model} after "${textPrefix}"`;
  const store = await openVectorStore(task.vectorsFile, model);
  const docs: DocsTexts = docsTexts(task);
  const texts = [docs, ...(settings.memory ? [memoryTexts(task)] : [])];
  const figures = new EmbeddingFigures(embedder.model);
  const queue = new EmbeddingQueue({
    store,
    embedder,
    texts,
    figures,
    batchSize,
    textPrefix,
    nowMs: Date.now,
    process: thisProcess(),
    // That a process in another container has ended only shows by time: what it holds, it holds for a while.
    isAlive: (holder) => stateOfProcess(holder) !== 'dead' && !isOfEarlierBoot(holder),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  return {
    vectors: new Vectors({ store, embedder, texts, figures, questionPrefix, questionTimeoutMs }),
    queue,
    figures,
    version: () => texts.map((one) => one.version()).join('.'),
    docsAt: (found) => docs.docsAt(found),
    close() {
      for (const one of texts) one.close();
      queue.close();
      store.close();
    },
  };
}
