import { type DocsSelection, isSearchedOnly } from '../core/docs-selection.ts';
import { isWithin } from '../core/paths.ts';
import type { DocsFolders } from '../source/docs-folders.ts';
import type { IncludeUse } from '../source/include-use.ts';
import type { ScannedFile, ScanOptions } from '../source/scan.ts';
import type { DocumentRow } from '../store/documents.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceState } from '../store/sources.ts';
import type { Store } from '../store/store.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import { isInOne, outermost } from './docs-paths.ts';
import { EXTRACTOR_VERSION } from './extract/version.ts';
import type { KeptAnswers } from './model-facts/kept-answers.ts';
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
export interface IndexPlan {
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
  const isReadOtherwise = readOtherwise(store, docs);
  const isAnsweredOtherwise = kept.readOtherwise(store);
  const missed = notSeenYet(store, search, places);
  const [documents, sources] = [new PlannedRows(overtaken), new PlannedRows(overtaken)];
  const requests: PlannedRequest[] = [];
  const failed = new Set<string>();
  const onFailure = (path: string) => failed.add(path);
  for (const file of filesAt(places, folders, { maxBytes, walk, onFailure })) {
    use.file(file.path);
    const isDocument = file.kind === 'markdown' && !isSearchedOnly(docs, file.path);
    // What is too large the walk has told of.
    if (!isDocument && (file.kind === 'binary' || file.kind === 'oversize' || search === undefined)) continue;
    const { row, state } = takeSeen(missed, file.path, isDocument);
    const isStale = row !== undefined && (isReadOtherwise(row) || isAnsweredOtherwise(row));
    const request = requestFor(
      file,
      isDocument ? { row, isStale } : 'nothing',
      search === undefined ? 'nothing' : { state },
    );
    if (request === undefined) continue;
    documents.note(file.path, row);
    sources.note(file.path, state);
    requests.push(request);
  }
  keepFailed(missed, failed);
  for (const [path, row] of missed.documents) documents.note(path, row);
  for (const [path, state] of missed.sources) sources.note(path, state);
  return {
    gone: [...missed.documents.values()],
    unread: [...missed.unread],
    goneSources: [...missed.sources.keys()],
    failed: [...failed],
    requests,
    documents,
    sources,
  };
}

/** What index and search have of places, by path, without the files that were seen on the disk: in the end, of those that are gone. */
interface NotSeen {
  readonly documents: Map<string, DocumentRow>;
  readonly sources: Map<string, SourceState>;
  /** Documents of which reading told what is wrong. */
  readonly unread: Set<string>;
}

function notSeenYet(store: Store, search: SearchStore | undefined, places: readonly string[]): NotSeen {
  const rows = places.flatMap((at) => (at === '' ? store.documents.all() : store.documents.within(at)));
  const states = search === undefined ? [] : places.flatMap((at) => search.sources.states(at));
  const wrong = store.problems.ofDocuments();
  return {
    documents: new Map(rows.map((row) => [row.path, row])),
    sources: new Map(states.map((state) => [state.path, state])),
    unread: new Set(wrong.filter((path) => places.some((place) => isWithin(path, place)))),
  };
}

/** What there was of a file that is on the disk. */
function takeSeen(
  { documents, sources, unread }: NotSeen,
  path: string,
  isDocument: boolean,
): { readonly row: DocumentRow | undefined; readonly state: SourceState | undefined } {
  const [row, state] = [documents.get(path), sources.get(path)];
  documents.delete(path);
  sources.delete(path);
  if (isDocument) unread.delete(path);
  return { row, state };
}

/** What lies where the disk fails is not gone. */
function keepFailed({ documents, sources, unread }: NotSeen, failed: ReadonlySet<string>): void {
  for (const paths of [documents, sources, unread])
    for (const path of paths.keys()) if (isInOne(path, failed)) paths.delete(path);
}

/** What the index has of a document, and whether other rules or answers would read it otherwise. */
type WantedByGraph = 'nothing' | { readonly row: DocumentRow | undefined; readonly isStale: boolean };
type WantedBySearch = 'nothing' | { readonly state: SourceState | undefined };

/** @returns undefined where both have the file as it is */
function requestFor(
  file: ScannedFile,
  graph: WantedByGraph,
  search: WantedBySearch,
): PlannedRequest | undefined {
  const stamp = stampOf(file);
  const row = graph === 'nothing' || graph.isStale ? undefined : graph.row;
  const state = search !== 'nothing' && search.state?.version === PASSAGES_VERSION ? search.state : undefined;
  const isInGraph =
    graph === 'nothing' || (row?.stamp === stamp && row.extractorVersion === EXTRACTOR_VERSION);
  const isInSearch = search === 'nothing' || state?.stamp === stamp;
  if (isInGraph && isInSearch) return undefined;
  return {
    path: file.path,
    sizeBytes: file.sizeBytes,
    ...(row && { known: { sha256: row.sha256, extractorVersion: row.extractorVersion } }),
    ...(search !== 'nothing' && { search: { sha256: state?.sha256 } }),
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
