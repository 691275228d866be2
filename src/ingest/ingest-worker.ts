import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../core/clock.ts';
import { type DocsSelection, docsAsFound } from '../core/docs-selection.ts';
import { codeOfFailure, type ErrnoCode, reasonOf } from '../core/errors.ts';
import type { SchemaRules } from '../core/schema-rules.ts';
import { openStore } from '../store/store.ts';
import { standBack } from '../system/priority.ts';
import { HeldSearch } from './held-search.ts';
import type { IndexResult } from './index-run.ts';
import { type IndexProgress, updateIndex } from './indexer.ts';

/** The data that the thread is started with. */
export interface IngestTask {
  readonly docs: DocsSelection;
  readonly indexFile: string;
  readonly searchFile: string;
  /** The file with answers of models, if there are any. Default: documents are read by rules alone. */
  readonly extractionsFile?: string | undefined;
  /** Absolute paths of folders inside the docs that are no docs, such as the state folder or the mount point. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
  readonly rulesFile?: string | undefined;
}

/** A request to the thread. Requests are handled one at a time. */
export type IngestRequest =
  /** Read what lies at these paths of the docs, and everything below folders; the empty path means everything. */
  | {
      readonly type: 'update';
      readonly paths: readonly string[];
      /** As in {@link docsAsFound}. */
      readonly found: ReadonlyMap<string, string>;
    }
  /** Use another schema map for all later requests. */
  | { readonly type: 'read-by'; readonly schema: SchemaRules | undefined }
  | { readonly type: 'end' };

/** A reply of the thread. */
export type IngestReply =
  | { readonly type: 'progress'; readonly progress: IndexProgress }
  | {
      readonly type: 'indexed';
      readonly result: IndexResult;
      /** How long it took to find what is new or changed, before the first document was read. */
      readonly lookMs: number;
    }
  | { readonly type: 'failed'; readonly code: ErrnoCode; readonly reason: string };

function run(port: MessagePort, task: IngestTask): void {
  const tell = (reply: IngestReply) => port.postMessage(reply);
  const store = openStore(task.indexFile);
  const search = new HeldSearch(task.searchFile);
  const ending = new AbortController();
  let updated: Promise<void> = Promise.resolve();
  let { docs } = task;

  async function update(docs: DocsSelection, paths: readonly string[]): Promise<void> {
    const startMs = performance.now();
    let lookMs: number | undefined;
    try {
      const result = await search.fill((search) =>
        updateIndex({
          ...task,
          docs,
          store,
          search,
          paths,
          clock: systemClock,
          signal: ending.signal,
          onProgress: (progress) => {
            lookMs ??= performance.now() - startMs;
            tell({ type: 'progress', progress });
          },
        }),
      );
      tell({ type: 'indexed', result, lookMs: lookMs ?? performance.now() - startMs });
    } catch (error) {
      tell({ type: 'failed', code: codeOfFailure(error), reason: reasonOf(error) });
    }
  }

  port.on('message', (request: IngestRequest) => {
    if (request.type === 'read-by') {
      docs = { ...docs, schema: request.schema };
      return;
    }
    if (request.type === 'update') {
      const asAsked = docsAsFound(docs, request.found);
      updated = updated.then(() => update(asAsked, request.paths));
      return;
    }
    ending.abort();
    void updated.finally(() => {
      store.close();
      search.close();
      port.close();
    });
  });
}

if (parentPort !== null) {
  standBack();
  run(parentPort, workerData);
}
