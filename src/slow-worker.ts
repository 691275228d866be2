import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { DocsSelection } from './core/docs-selection.ts';
import { reasonOf } from './core/errors.ts';
import type { Awaitable, Hit, Query } from './core/resolver.ts';
import { graphQueries } from './graph/queries.ts';
import { answeredHere, type SlowQuestions } from './graph/slow-questions.ts';
import { searchText } from './retrieval/text-search.ts';
import { DocsFolders } from './source/docs-folders.ts';
import { openStore } from './store/store.ts';

/** What the thread is started with. */
export interface SlowTask {
  readonly indexFile: string;
  readonly docs: DocsSelection;
  /** Folders inside the docs that are no docs. Absolute. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
}

/** All that takes long: of the graph, and of the docs. */
export interface SlowWork extends SlowQuestions {
  /** Finds text in the docs as they are on disk. */
  searchDocs(query: Query): Awaitable<readonly Hit[]>;
}

/** A question, and where to answer it; or the end. */
export type SlowRequest =
  | { readonly question: keyof SlowWork; readonly parameters: readonly unknown[]; readonly port: MessagePort }
  | 'end';

/** What it was, or why there is no answer. */
export type SlowReply<Answer> = { readonly answer: Answer } | { readonly failure: string };

function run(port: MessagePort, { indexFile, docs, excluded, maxBytes }: SlowTask): void {
  const store = openStore(indexFile, { readOnly: true });
  const work: SlowWork = {
    ...answeredHere(graphQueries(store)),
    searchDocs(query) {
      const folders = new DocsFolders(docs, { excluded, skipsMissing: true });
      try {
        return searchText(folders, query, maxBytes);
      } finally {
        folders.close();
      }
    },
  };
  port.on('message', (request: SlowRequest) => {
    if (request === 'end') {
      store.close();
      port.close();
      return;
    }
    const { question, parameters, port: replyTo } = request;
    try {
      reply(replyTo, Reflect.apply(work[question], work, parameters));
    } catch (error) {
      const failed: SlowReply<never> = { failure: reasonOf(error) };
      replyTo.postMessage(failed);
    }
    replyTo.close();
  });
}

/** Texts are handed over, not copied, and not read again by the thread that serves. */
function reply(port: MessagePort, answer: unknown): void {
  const bytes = typeof answer === 'string' ? new TextEncoder().encode(answer) : undefined;
  const told: SlowReply<unknown> = { answer: bytes ?? answer };
  port.postMessage(told, bytes === undefined ? [] : [bytes.buffer]);
}

if (parentPort !== null) run(parentPort, workerData);
