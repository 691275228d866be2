import { parentPort, workerData } from 'node:worker_threads';
import type { DocsSelection } from '../core/docs-selection.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import { standBack } from '../system/priority.ts';
import { KeptAnswers } from './model-facts/kept-answers.ts';
import { type ReadOutcome, type ReadRequest, readAllOnceLetGo } from './read-document.ts';

/** The data that a reading thread is started with. */
export interface ReaderTask {
  readonly docs: DocsSelection;
  /** Absolute paths of folders inside the docs that are no docs. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
  readonly extractionsFile: string | undefined;
}

interface ReaderRequest {
  readonly id: number;
  readonly requests: readonly ReadRequest[];
}

export type ReaderMessage = ReaderRequest | 'end';

export interface ReadReply {
  readonly id: number;
  readonly outcomes: readonly ReadOutcome[];
}

if (parentPort !== null) {
  const port = parentPort;
  standBack();
  const { docs, excluded, maxBytes, extractionsFile }: ReaderTask = workerData;
  // What cannot be shown was reported by the walk that found these documents.
  const folders = new DocsFolders(docs, { excluded });
  const kept = new KeptAnswers(extractionsFile, docs.schema);
  const answer = async ({ id, requests }: ReaderRequest): Promise<void> => {
    const outcomes = await readAllOnceLetGo(folders, docs, requests, maxBytes, kept);
    const reply: ReadReply = { id, outcomes };
    port.postMessage(reply);
  };
  port.on('message', (message: ReaderMessage) => {
    if (message !== 'end') {
      void answer(message);
      return;
    }
    folders.close();
    kept.close();
    port.close();
  });
}
