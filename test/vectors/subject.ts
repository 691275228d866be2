import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openAiEmbedder } from '../../src/agent/embeddings.ts';
import { ModelError } from '../../src/core/model-error.ts';
import { openVectorStore } from '../../src/store/vector-store.ts';
import { EmbeddingFigures } from '../../src/vectors/figures.ts';
import { hexOf, type PassageTexts } from '../../src/vectors/passage-texts.ts';
import { EmbeddingQueue } from '../../src/vectors/queue.ts';
import { Vectors } from '../../src/vectors/vectors.ts';
import { startEmbeddingServer } from '../support/embedding-server.ts';
import { temporaryFolder } from '../support/temporary.ts';

const hashOf = (text: string) => createHash('sha1').update(text).digest().subarray(0, 12);

/** Passages that a test writes, each text a passage of a source of its own. */
function listedTexts(corpus: PassageTexts['corpus'] = 'docs') {
  let passages: { id: number; sourceId: number; textHash: Buffer; text: string }[] = [];
  let version = 0;
  const texts: PassageTexts = {
    corpus,
    version: () => String(version),
    passagesAfter: (id, limit) => passages.filter((passage) => passage.id > id).slice(0, limit),
    withText: (textHash) => passages.filter((passage) => passage.textHash.equals(textHash)),
    textsOf: (sourceId) =>
      new Map(
        passages
          .filter((passage) => passage.sourceId === sourceId)
          .map(({ textHash, text }) => [hexOf(textHash), text]),
      ),
    close: () => {},
  };
  const write = (...said: readonly string[]) => {
    passages = said.map((text, index) => ({
      id: index + 1,
      sourceId: index + 100,
      textHash: hashOf(text),
      text,
    }));
    version += 1;
  };
  return { texts, write };
}

/** Vectors over a server of embeddings, all in this process. */
export async function vectorsSubject(
  t: Test,
  {
    batchSize = 4,
    questionTimeoutMs = 20_000,
    nowMs = Date.now,
  }: { batchSize?: number; questionTimeoutMs?: number; nowMs?: () => number } = {},
) {
  const server = await startEmbeddingServer(64);
  t.teardown(() => server.close());
  const file = join(temporaryFolder(t), 'vectors.sqlite');
  const docs = listedTexts();
  const memory = listedTexts('memory');
  const open = async (model = 'words', baseUrl = server.url) => {
    const embedder = openAiEmbedder({ baseUrl, apiKey: 'sk-secret-123456', model });
    const store = await openVectorStore(file, model);
    t.teardown(() => store.close());
    const figures = new EmbeddingFigures(model);
    const parts = { store, embedder, texts: [docs.texts, memory.texts], figures };
    const process = { pid: 1, startTicks: '1' };
    const queue = new EmbeddingQueue({ ...parts, batchSize, nowMs, process, isAlive: () => true });
    return { store, figures, queue, vectors: new Vectors({ ...parts, questionTimeoutMs }) };
  };
  const asked = () => server.requests.flatMap(({ texts }) => texts);
  return { server, file, docs, memory, open, asked };
}

export const NEVER = new AbortController().signal;

/** What the API failed with. */
export async function failureOf(action: Promise<unknown>): Promise<ModelError> {
  const error: unknown = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ModelError) return error;
  throw error ?? new Error('nothing was thrown');
}
