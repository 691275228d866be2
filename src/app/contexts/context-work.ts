import { type CompositionSources, type ContextRequest, composer } from '../../context/composition.ts';
import type { ContextManifest } from '../../context/manifest.ts';
import { type SummarySources, summaryOf } from '../../context/summaries.ts';
import type { TokenCounter } from '../../context/tokens.ts';
import { type DocsSelection, docsAsFound, documentAt } from '../../core/docs-selection.ts';
import { FsError, UserError } from '../../core/errors.ts';
import type { Awaitable } from '../../core/resolver.ts';
import { graphQueries } from '../../graph/queries.ts';
import type { ContextSettings } from '../../settings/context.ts';
import { DocsFolders } from '../../source/docs-folders.ts';
import { readText } from '../../source/document-text.ts';
import { openStore } from '../../store/store.ts';

/** What contexts are made from, as plain data that can be sent to a thread. */
export interface ContextTask {
  readonly indexFile: string;
  readonly docs: DocsSelection;
  /** Folders inside the docs that are not docs, as absolute paths. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
  readonly settings: ContextSettings;
}

/** Where the docs roots are, as in {@link docsAsFound}; undefined to look for them, which waits for a disk that does not answer. */
export type FoundDocs = ReadonlyMap<string, string> | undefined;

/** The slow work for contexts and summaries. */
export interface ContextWork {
  compose(request: ContextRequest, found: FoundDocs): Awaitable<ContextManifest>;
  /** @param path of a document or folder in the docs, without `.md`; '' is everything. Undefined if there is none */
  summary(path: string, found: FoundDocs): Awaitable<string | Uint8Array | undefined>;
}

export interface OpenContextWork {
  readonly work: ContextWork;
  close(): void;
}

/** @throws UserError if the index cannot be opened */
export function openContextWork(
  { indexFile, docs, excluded, maxBytes, settings }: ContextTask,
  counter: TokenCounter,
): OpenContextWork {
  const store = openStore(indexFile, { readOnly: true });
  const graph = graphQueries(store);

  /** Opened for one answer, since roots may appear and disappear between two. */
  function withTexts<T>(
    found: FoundDocs,
    use: (textOf: (path: string) => readonly string[] | undefined) => T,
  ): T {
    const selection = found === undefined ? docs : docsAsFound(docs, found);
    const folders = new DocsFolders(selection, { excluded });
    const known = new Map<string, readonly string[] | undefined>();
    try {
      return use((path) => {
        if (!known.has(path)) known.set(path, linesOf(folders, path, maxBytes));
        return known.get(path);
      });
    } finally {
      folders.close();
    }
  }

  // The composer caches what it learns of the graph from one answer to the next. The texts are those of the answer that is being made.
  let lines: (path: string) => readonly string[] | undefined = () => undefined;
  const sources: CompositionSources = {
    documentText: (path, line, endLine) =>
      lines(documentAt(path) ?? '')
        ?.slice(Math.max(0, line - 1), endLine)
        .join('\n'),
    graph,
    counter,
    settings,
  };
  const compose = composer(sources);
  return {
    work: {
      compose: (request, found) =>
        withTexts(found, (textOf) => {
          lines = textOf;
          return compose(request);
        }),
      summary: (path, found) =>
        withTexts(found, (textOf) => {
          const docsSources: SummarySources = {
            // Documents of modules are in the same graph without being docs: their paths begin with a slash.
            documentsWithin: (folder) =>
              folder === ''
                ? store.documents.all().filter(({ path }) => !path.startsWith('/'))
                : store.documents.within(folder),
            document: (path) => store.documents.get(path),
            textOf: (path) => textOf(path)?.join('\n'),
          };
          return summaryOf(path, docsSources);
        }),
    },
    close: () => store.close(),
  };
}

/** Undefined if it is gone, or its root is missing. */
function linesOf(folders: DocsFolders, path: string, maxBytes: number): readonly string[] | undefined {
  try {
    return readText(folders, path, maxBytes).split('\n');
  } catch (error) {
    if (error instanceof FsError || error instanceof UserError) return undefined;
    throw error;
  }
}
