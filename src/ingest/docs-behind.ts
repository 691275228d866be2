import { FsError } from '../core/errors.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import { readDocument } from '../source/document-text.ts';
import { IncludeUse } from '../source/include-use.ts';
import { EXTRACTOR_VERSION } from './extract/version.ts';
import type { ReadingOptions } from './index-key.ts';
import { type IndexedDocs, planIndex } from './index-plan.ts';
import { KeptAnswers } from './model-facts/kept-answers.ts';
import type { ReadRequest } from './read-document.ts';

/** How many files of the docs differ from an index. */
export interface DocsBehind {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * What an update would find, without making one. It is for an index that cannot be written to. A file that was touched or copied, and still has the same
 * content, is no change.
 * @throws UserError if the docs cannot be read
 */
export function docsBehind(options: Required<IndexedDocs> & ReadingOptions): DocsBehind {
  const { docs, excluded, maxBytes, extractionsFile, store } = options;
  const kept = new KeptAnswers(extractionsFile, docs.schema);
  const folders = new DocsFolders(docs, { excluded, scansModules: true });
  try {
    const plan = planIndex(options, folders, kept, new Set(), new IncludeUse(docs));
    let [added, changed] = [0, 0];
    for (const request of plan.requests) {
      const { path } = request;
      const isKnown = store.documents.get(path) !== undefined || request.search?.sha256 !== undefined;
      const sha256 = digestOf(folders, path, maxBytes);
      // A file that cannot be read, and never could be, has not changed.
      if (isKnown ? isAsRead(request, sha256, store) : sha256 === undefined) continue;
      if (isKnown) changed += 1;
      else added += 1;
    }
    const removed = new Set([...plan.gone.map(({ path }) => path), ...plan.goneSources]).size;
    return { added, changed, removed };
  } finally {
    folders.close();
    kept.close();
  }
}

function isAsRead(
  { path, known, search }: ReadRequest,
  sha256: string | undefined,
  { documents }: IndexedDocs['store'],
): boolean {
  if (search !== undefined && search.sha256 !== sha256) return false;
  // If other rules apply to a document now, its present rows say nothing.
  if (known === undefined) return documents.get(path) === undefined;
  return known.sha256 === sha256 && known.extractorVersion === EXTRACTOR_VERSION;
}

function digestOf(folders: DocsFolders, path: string, maxBytes: number): string | undefined {
  try {
    return readDocument(folders, path, maxBytes).sha256;
  } catch (error) {
    if (error instanceof FsError) return undefined;
    throw error;
  }
}
