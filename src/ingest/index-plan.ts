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
  /** The size at the time of the look. */
  readonly sizeBytes: number;
}

/** The work that makes index and search equal to the disk. */
export interface IndexPlan {
  readonly gone: readonly DocumentRow[];
  /** Paths with problems from an earlier reading that are no longer documents to be read. */
  readonly unread: readonly string[];
  /** Paths of files in search that no longer exist. */
  readonly goneSources: readonly string[];
  /** Files and folders that the disk failed to show. What they said still counts. */
  readonly failed: readonly string[];
  readonly requests: readonly PlannedRequest[];
  /** The rows of the index for all these. */
  readonly documents: PlannedRows;
  /** The rows of search for them. */
  readonly sources: PlannedRows;
}

/** What is brought up to date, and with which docs. */
export interface IndexedDocs {
  readonly store: Store;
  /** Also brings the data of search up to date, about documents and other text. */
  readonly search?: SearchStore;
  readonly docs: DocsSelection;
  /** Larger documents are shown but not read. */
  readonly maxBytes: number;
  /** Paths of the docs where something has changed; nothing else is looked at. Default: everything, which the empty path means, too. */
  readonly paths?: readonly string[];
  /** Records what was looked at. Only for a look at the whole docs. */
  readonly walk?: DocsWalk | undefined;
}

/**
 * Compares what is on disk with what was read before.
 * @param overtaken collects the paths that another process writes about from now on
 * @param use notes the files that exist
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
    // The walk has already reported files that are too large.
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

/** What index and search have at some places, by path, without the files that were seen on the disk. At the end, these are the files that are gone. */
interface NotSeen {
  readonly documents: Map<string, DocumentRow>;
  readonly sources: Map<string, SourceState>;
  /** Documents with problems from reading them. */
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

/** Takes what there is of a file that was seen on the disk. */
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

/** What the index has of a document, and whether other rules or answers apply to it now. */
type WantedByGraph = 'nothing' | { readonly row: DocumentRow | undefined; readonly isStale: boolean };
type WantedBySearch = 'nothing' | { readonly state: SourceState | undefined };

/** @returns undefined if both have the file in its present state */
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
