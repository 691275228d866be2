import { parentPort, workerData } from 'node:worker_threads';
import type { DocsSelection } from '../core/docs-selection.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import { standBack } from '../system/priority.ts';
import { KeptAnswers } from './model-facts/kept-answers.ts';
import { type ReadOutcome, type ReadRequest, readContribution } from './read-document.ts';

/** What a reading thread is started with. */
export interface ReaderTask {
  readonly docs: DocsSelection;
  /** Folders inside the docs that are no docs. Absolute. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
  readonly extractionsFile: string | undefined;
}

export type ReaderMessage = { readonly id: number; readonly requests: readonly ReadRequest[] } | 'end';

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
  port.on('message', (message: ReaderMessage) => {
    if (message === 'end') {
      folders.close();
      kept.close();
      port.close();
      return;
    }
    const { id, requests } = message;
    const outcomes = requests.map((request) => readContribution(folders, docs, request, maxBytes, kept));
    const reply: ReadReply = { id, outcomes };
    port.postMessage(reply);
  });
}
