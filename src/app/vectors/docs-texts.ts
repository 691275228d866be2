import { type DocsSelection, placeOf } from '../../core/docs-selection.ts';
import { FsError } from '../../core/errors.ts';
import { passageTexts } from '../../ingest/passages/passage-texts.ts';
import { DocsFolders } from '../../source/docs-folders.ts';
import { readDocument } from '../../source/document-text.ts';
import { openSearchReader } from '../../store/search-reader.ts';
import { hexOf, type PassageTexts } from '../../vectors/passage-texts.ts';

export interface DocsTextsOptions {
  readonly searchFile: string;
  readonly docs: DocsSelection;
  /** Folders inside the docs that are no docs. Absolute. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
}

/** What the passages of the docs say, read from the docs when it is wanted: search keeps their words only. Nodes of the graph are left out. */
export function docsTexts({ searchFile, docs, excluded, maxBytes }: DocsTextsOptions): PassageTexts {
  const store = openSearchReader(searchFile);
  const folders = new DocsFolders(docs, { excluded, skipsMissing: true });

  function read(path: string): string | undefined {
    try {
      return readDocument(folders, path, maxBytes).text;
    } catch (error) {
      // It is gone, and search will soon know.
      if (error instanceof FsError) return undefined;
      throw error;
    }
  }

  return {
    corpus: 'docs',
    version: () => String(store.dataVersion()),
    passagesAfter(id, limit) {
      let passages = store.passages.hashedAfter(id, limit);
      for (;;) {
        const last = passages.at(-1);
        const ofFiles = passages.filter(({ sourceId }) => store.sources.byId(sourceId)?.kind !== 'node');
        if (ofFiles.length > 0 || last === undefined) return ofFiles;
        passages = store.passages.hashedAfter(last.id, limit);
      }
    },
    withText: (textHash) => store.passages.withText(textHash),
    textsOf(sourceId) {
      const source = store.sources.byId(sourceId);
      const text = source === undefined || source.kind === 'node' ? undefined : read(source.path);
      if (source === undefined || text === undefined) return new Map();
      return passageTexts(placeOf(docs, source.path)?.path ?? source.path, text, hexOf);
    },
    close() {
      store.close();
      folders.close();
    },
  };
}
