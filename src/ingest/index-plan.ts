import { type DocsSelection, isSearchedOnly } from '../core/docs-selection.ts';
import { isWithin } from '../core/paths.ts';
import type { DocsFolders } from '../source/docs-folders.ts';
import type { IncludeUse } from '../source/include-use.ts';
import type { ScannedFile, ScanOptions } from '../source/scan.ts';
import type { DocumentRow } from '../store/documents.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { Store } from '../store/store.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import { EXTRACTOR_VERSION } from './extract/version.ts';
import type { KeptAnswers } from './model-facts/kept-answers.ts';
import { isInOne, outermost } from './places.ts';
import { PlannedRows } from './planned-rows.ts';
import type { ReadRequest } from './read-document.ts';
import { readOtherwise } from './schema-stamps.ts';
import type { DocsWalk } from './seen-docs.ts';
import { stampOf } from './stamp.ts';

/** A file of the docs that is to be read. */
export interface PlannedRequest extends ReadRequest {
  /** When it was looked at. */
  readonly sizeBytes: number;
}

/** What is to be done so that index and search are as the disk is. */
interface IndexPlan {
  readonly gone: readonly DocumentRow[];
  /** Paths of which reading once told what is wrong, and that are no documents to be read any more. */
  readonly unread: readonly string[];
  /** Paths of files that search knows and that are no more. */
  readonly goneSources: readonly string[];
  /** Files and folders that the disk failed to show: what they said still counts. */
  readonly failed: readonly string[];
  readonly requests: readonly PlannedRequest[];
  /** What the index has of all these. */
  readonly documents: PlannedRows;
  /** What search has of them. */
  readonly sources: PlannedRows;
}

/** What is brought up to date, and with which docs. */
export interface IndexedDocs {
  readonly store: Store;
  /** Has what search keeps brought up to date, too: of documents and of other text. */
  readonly search?: SearchStore;
  readonly docs: DocsSelection;
  /** Larger documents are shown but not read. */
  readonly maxBytes: number;
  /** Where something changed, a path of the docs: nothing else is looked at. `` and default: all of it. */
  readonly paths?: readonly string[];
  /** Takes down what was looked at. Of the whole docs alone. */
  readonly walk?: DocsWalk | undefined;
}

/**
 * Compares what is on disk with what was read before.
 * @param overtaken takes the paths that another process writes about from now on
 * @param use takes the files that are there
 */
export function planIndex(
  { store, search, docs, maxBytes, paths, walk }: IndexedDocs,
  folders: DocsFolders,
  kept: KeptAnswers,
  overtaken: Set<string>,
  use: IncludeUse,
): IndexPlan {
  const places = outermost(paths);
  const rows = places.flatMap((at) => (at === '' ? store.documents.all() : store.documents.within(at)));
  const known = new Map(rows.map((row) => [row.path, row]));
  const states = search === undefined ? [] : places.flatMap((at) => search.sources.states(at));
  const searched = new Map(states.map((state) => [state.path, state]));
  const unread = new Set(
    store.problems.ofDocuments().filter((path) => places.some((place) => isWithin(path, place))),
  );
  const isReadOtherwise = readOtherwise(store, docs);
  const isAnsweredOtherwise = kept.readOtherwise(store);
  const requests: PlannedRequest[] = [];
  const [documents, sources] = [new PlannedRows(overtaken), new PlannedRows(overtaken)];
  const failed = new Set<string>();
  const onFailure = (path: string) => failed.add(path);
  for (const file of filesAt(places, folders, { maxBytes, walk, onFailure })) {
    use.file(file.path);
    const isDocument = file.kind === 'markdown' && !isSearchedOnly(docs, file.path);
    // What is too large the walk has told of.
    if (!isDocument && (file.kind === 'binary' || file.kind === 'oversize' || search === undefined)) continue;
    if (isDocument) unread.delete(file.path);
    const stamp = stampOf(file);
    const stored = known.get(file.path);
    const row = isDocument ? stored : undefined;
    const state = searched.get(file.path);
    known.delete(file.path);
    searched.delete(file.path);
    const isStale = row !== undefined && (isReadOtherwise(row) || isAnsweredOtherwise(row));
    const isInGraph =
      !isDocument || (row?.stamp === stamp && row.extractorVersion === EXTRACTOR_VERSION && !isStale);
    const isOfVersion = state?.version === PASSAGES_VERSION;
    if (isInGraph && (search === undefined || (isOfVersion && state.stamp === stamp))) continue;
    documents.note(file.path, stored);
    sources.note(file.path, state);
    const { sha256, extractorVersion } = row ?? {};
    requests.push({
      path: file.path,
      sizeBytes: file.sizeBytes,
      ...(sha256 !== undefined && extractorVersion !== undefined && !isStale
        ? { known: { sha256, extractorVersion } }
        : {}),
      ...(search === undefined ? {} : { search: { sha256: isOfVersion ? state.sha256 : undefined } }),
    });
  }
  for (const paths of [known, searched, unread])
    for (const path of paths.keys()) if (isInOne(path, failed)) paths.delete(path);
  for (const [path, row] of known) documents.note(path, row);
  for (const [path, state] of searched) sources.note(path, state);
  return {
    gone: [...known.values()],
    unread: [...unread],
    goneSources: [...searched.keys()],
    failed: [...failed],
    requests,
    documents,
    sources,
  };
}

function* filesAt(
  places: readonly string[],
  folders: DocsFolders,
  {
    maxBytes,
    walk,
    onFailure,
  }: Pick<IndexedDocs, 'maxBytes' | 'walk'> & Required<Pick<ScanOptions, 'onFailure'>>,
): Generator<ScannedFile> {
  const onFolder = walk && { onFolder: (path: string) => walk.folder(path) };
  for (const at of places) {
    for (const file of folders.scan({ maxBytes, at, onFailure, ...onFolder })) {
      walk?.file(file);
      yield file;
    }
  }
}
