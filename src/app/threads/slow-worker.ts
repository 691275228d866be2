import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type DocsSelection, docsAsFound } from '../../core/docs-selection.ts';
import type { Awaitable, Query } from '../../core/resolver.ts';
import { graphQueries } from '../../graph/queries.ts';
import { answeredHere, type SlowQuestions } from '../../graph/slow-questions.ts';
import type { FoundTexts } from '../../retrieval/literal.ts';
import { type SearchedTexts, searchText } from '../../retrieval/text-search.ts';
import type { LintChoices } from '../../settings/lint.ts';
import { DocsFolders } from '../../source/docs-folders.ts';
import { openStore } from '../../store/store.ts';
import { lintText } from '../lint-docs.ts';
import { answerQuestions } from './question-thread.ts';

/** What the thread is started with. */
export interface SlowTask {
  readonly indexFile: string;
  readonly docs: DocsSelection;
  /** Folders inside the docs that are not docs, as absolute paths. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
  readonly lint: LintChoices;
  /** The folder of the project's own templates. */
  readonly templates?: string | undefined;
}

/** All slow questions about the graph and the docs. */
export interface SlowWork extends SlowQuestions {
  /**
   * Finds text in docs and modules as they are on disk. @param found as in {@link docsAsFound}, since other questions must not wait for a disk that
   * does not answer
   */
  searchTexts(query: Query, where: SearchedTexts, found: ReadonlyMap<string, string>): Awaitable<FoundTexts>;
  /** The content of `.kgraphfs/lint.jsonl`. @param found as in {@link docsAsFound} */
  lintText(found: ReadonlyMap<string, string>): Awaitable<string | Uint8Array>;
}

function run(port: MessagePort, { indexFile, docs, excluded, maxBytes, lint, templates }: SlowTask): void {
  const store = openStore(indexFile, { readOnly: true });
  const work: SlowWork = {
    ...answeredHere(graphQueries(store)),
    lintText: (found) =>
      lintText({ store, selection: docsAsFound(docs, found), excluded, choices: lint, templates }),
    searchTexts(query, where, found) {
      const folders = new DocsFolders(docsAsFound(docs, found), { excluded });
      try {
        return searchText(folders, query, maxBytes, where);
      } finally {
        folders.close();
      }
    },
  };
  answerQuestions(port, work, () => store.close());
}

if (parentPort !== null) run(parentPort, workerData);
