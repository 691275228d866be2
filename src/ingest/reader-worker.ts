import { parentPort, workerData } from 'node:worker_threads';
import { openDocsRoot } from '../source/docs-root.ts';
import { excludeFolders } from './exclude.ts';
import { type ReadOutcome, type ReadRequest, readContribution } from './read-document.ts';

/** What a reading thread is started with. */
export interface ReaderTask {
  /** Absolute. */
  readonly docs: string;
  /** Folders inside the docs root that are no docs. Absolute. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
}

export interface ReadMessage {
  readonly id: number;
  readonly requests: readonly ReadRequest[];
}

export interface ReadReply {
  readonly id: number;
  readonly outcomes: readonly ReadOutcome[];
}

if (parentPort !== null) {
  const port = parentPort;
  const { docs, excluded, maxBytes }: ReaderTask = workerData;
  // What cannot be shown was reported by the walk that found these documents.
  const root = openDocsRoot(docs, { exclude: excludeFolders(docs, excluded), report: () => {} });
  port.on('message', ({ id, requests }: ReadMessage) => {
    const outcomes = requests.map((request) => readContribution(root, request, maxBytes));
    const reply: ReadReply = { id, outcomes };
    port.postMessage(reply);
  });
}
