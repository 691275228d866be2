import { type DocsSelection, docsAsFound, placeOf } from '../../core/docs-selection.ts';
import { FsError, UserError } from '../../core/errors.ts';
import { passageTexts } from '../../ingest/passages/passage-texts.ts';
import { DocsFolders } from '../../source/docs-folders.ts';
import { readText } from '../../source/document-text.ts';
import { openSearchReader } from '../../store/search-reader.ts';
import { hexOf, type PassageTexts } from '../../vectors/passage-texts.ts';

export interface DocsTextsOptions {
  readonly searchFile: string;
  readonly docs: DocsSelection;
  /** As in {@link docsAsFound}. Default: the roots are looked for, which waits for a disk that does not answer. */
  readonly found?: ReadonlyMap<string, string>;
  /** Folders inside the docs that are not docs, as absolute paths. */
  readonly excluded: readonly string[];
  readonly maxBytes: number;
}

export interface DocsTexts extends PassageTexts {
  /** Reads from these places from now on. @param found as in {@link docsAsFound} */
  docsAt(found: ReadonlyMap<string, string>): void;
}

/**
 * The texts of the passages of the docs. They are read from the docs when they are needed, since search stores only their words. Nodes of the graph
 * are left out.
 */
export function docsTexts({ searchFile, docs, found, excluded, maxBytes }: DocsTextsOptions): DocsTexts {
  const store = openSearchReader(searchFile);
  const foldersOf = (selection: DocsSelection) => new DocsFolders(selection, { excluded });
  let folders = foldersOf(found === undefined ? docs : docsAsFound(docs, found));
  let moves = 0;

  function read(path: string): string | undefined {
    try {
      return readText(folders, path, maxBytes);
    } catch (error) {
      // It is gone, which search will soon notice, or its root is missing.
      if (error instanceof FsError || error instanceof UserError) return undefined;
      throw error;
    }
  }

  return {
    corpus: 'docs',
    version: () => `${store.dataVersion()}-${moves}`,
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
    docsAt(found) {
      folders.close();
      folders = foldersOf(docsAsFound(docs, found));
      moves += 1;
    },
    close() {
      store.close();
      folders.close();
    },
  };
}
