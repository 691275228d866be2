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

/** What the thread is started with. */
export interface IngestTask {
  readonly docs: DocsSelection;
  readonly indexFile: string;
  readonly searchFile: string;
  /** Where answers of models are kept, if any were. Default: rules alone read the docs. */
  readonly extractionsFile?: string | undefined;
  /** Folders inside the docs that are no docs: the state folder, the mount point. Absolute. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
  readonly rulesFile?: string | undefined;
}

/** What the thread is asked, one at a time. */
export type IngestRequest =
  /** To read what lies at these paths of the docs, folders with all below them; `` for all there is. */
  | {
      readonly type: 'update';
      readonly paths: readonly string[];
      /** As in {@link docsAsFound}. */
      readonly found: ReadonlyMap<string, string>;
    }
  /** To read by another schema map what is asked for after this. */
  | { readonly type: 'read-by'; readonly schema: SchemaRules | undefined }
  | { readonly type: 'end' };

/** What the thread answers. */
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
