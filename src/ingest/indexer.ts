import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../core/clock.ts';
import { type DocsSelection, isSearchedOnly } from '../core/docs-selection.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import type { DocsProblem } from '../source/docs-problem.ts';
import type { ScannedFile } from '../source/scan.ts';
import type { DocumentRow } from '../store/documents.ts';
import type { PlacedProblem } from '../store/problems.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { Store } from '../store/store.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import { EXTRACTOR_VERSION } from './extract/version.ts';
import { type IndexResult, IndexRun } from './index-run.ts';
import { takeJudgements } from './judged-rules.ts';
import { KeptAnswers } from './model-facts/kept-answers.ts';
import type { ReadOutcome, ReadRequest } from './read-document.ts';
import { readersFor } from './readers.ts';
import { noteSchema, readOtherwise } from './schema-stamps.ts';
import { takeNodes } from './search-nodes.ts';
import { SearchRun } from './search-run.ts';
import type { DocsWalk } from './seen-docs.ts';
import { stampOf } from './stamp.ts';

export interface IndexProgress {
  /** Documents dealt with so far, of all that are new or changed. */
  readonly done: number;
  readonly total: number;
}

export interface IndexOptions {
  readonly store: Store;
  /** Has what search keeps brought up to date, too: of documents and of other text. */
  readonly search?: SearchStore;
  readonly docs: DocsSelection;
  /** Folders inside the docs that are no docs: the state folder, a mount point. Absolute. */
  readonly excluded: readonly string[];
  /** Larger documents are shown but not read. */
  readonly maxBytes: number;
  /** Where answers of models are kept: what they say of documents is taken in. Default: rules alone read them. */
  readonly extractionsFile?: string | undefined;
  /** Where something changed, a path of the docs: nothing else is looked at. `` and default: all of it. */
  readonly paths?: readonly string[];
  readonly clock: Clock;
  /** The file with what was judged of rules of extraction; undefined where that counts for nothing. */
  readonly rulesFile?: string | undefined;
  /** Takes down what was looked at. Of the whole docs alone. */
  readonly walk?: DocsWalk | undefined;
  /** Once aborted, the update ends after the batch it is at, and the rest is left for the next time. */
  readonly signal?: AbortSignal;
  /** Called before the first document and after each batch was committed. */
  readonly onProgress?: (progress: IndexProgress) => void;
}

/** The first batches are small, so that something is there to see at once; later ones grow, for speed. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 1024;

/**
 * Brings the graph up to date with the docs folder: reads what is new or changed since the last time, takes back what
 * is gone. Each batch is one transaction, so a stop at any moment leaves a graph that is whole, if not complete.
 * @throws UserError where the docs folder or the store cannot be used
 */
export async function updateIndex(options: IndexOptions): Promise<IndexResult> {
  const { store, search, docs, excluded, maxBytes, extractionsFile, signal, onProgress } = options;
  const scanProblems: DocsProblem[] = [];
  const report = (problem: DocsProblem) => scanProblems.push(problem);
  const folders = new DocsFolders(docs, { excluded, report, scansModules: true });
  const kept = new KeptAnswers(extractionsFile, docs.schema);
  try {
    // As it is now: what is answered while documents are read is for the next time.
    const extractions = kept.revision();
    await takeJudgements(options);
    const run = new IndexRun(options);
    const searchRun = search === undefined ? undefined : new SearchRun(search);
    const { gone, requests, goneSources } = plan(options, folders, kept);
    const total = gone.length + requests.length;
    onProgress?.({ done: 0, total });
    if (gone.length > 0) run.commit([], gone);
    searchRun?.commit([], goneSources);
    const task = { docs, excluded, maxBytes, extractionsFile };
    const readers = readersFor(requests.length, folders, kept, task);
    try {
      // While one batch is written, the next is being read.
      const batches = batchesOf(requests);
      let next = batches.length > 0 ? readers.read(batches[0] ?? []) : undefined;
      for (let index = 0, done = gone.length; next !== undefined; index += 1) {
        const outcomes: readonly ReadOutcome[] = await next;
        const following = signal?.aborted ? undefined : batches[index + 1];
        next = following && readers.read(following);
        run.commit(outcomes, []);
        searchRun?.commit(outcomes, []);
        done += outcomes.length;
        onProgress?.({ done, total });
      }
    } finally {
      await readers.close();
    }
    if (!signal?.aborted && search !== undefined) takeNodes(store, search);
    if (!signal?.aborted && outermost(options.paths).includes('')) {
      noteSchema(store, docs);
      if ((store.meta('extractions') ?? '') !== extractions)
        store.transact(() => store.setMeta('extractions', extractions));
    }
    const problems = sorted([...problemsElsewhere(options), ...scanProblems]);
    if (!isDeepStrictEqual(store.problems.ofScan(), problems)) {
      store.transact(() => store.problems.replaceOfScan(problems));
    }
    return run.result();
  } finally {
    kept.close();
    folders.close();
  }
}

/** What is to be done so that index and search are as the disk is. */
interface Plan {
  readonly gone: readonly DocumentRow[];
  /** Paths of files that search knows and that are no more. */
  readonly goneSources: readonly string[];
  readonly requests: readonly ReadRequest[];
}

/** Compares what is on disk with what was read before. */
function plan(
  { store, search, docs, maxBytes, paths, walk }: IndexOptions,
  folders: DocsFolders,
  kept: KeptAnswers,
): Plan {
  const places = outermost(paths);
  const rows = places.flatMap((at) => (at === '' ? store.documents.all() : store.documents.within(at)));
  const known = new Map(rows.map((row) => [row.path, row]));
  const states = search === undefined ? [] : places.flatMap((at) => search.sources.states(at));
  const searched = new Map(states.map((state) => [state.path, state]));
  const isReadOtherwise = readOtherwise(store, docs);
  const isAnsweredOtherwise = kept.readOtherwise(store);
  const requests: ReadRequest[] = [];
  for (const file of filesAt(places, folders, { maxBytes, walk })) {
    const isDocument = file.kind === 'markdown' && !isSearchedOnly(docs, file.path);
    if (!isDocument && (file.kind === 'binary' || search === undefined)) continue;
    const stamp = stampOf(file);
    const row = isDocument ? known.get(file.path) : undefined;
    const state = searched.get(file.path);
    known.delete(file.path);
    searched.delete(file.path);
    const isStale = row !== undefined && (isReadOtherwise(row) || isAnsweredOtherwise(row));
    const isInGraph =
      !isDocument || (row?.stamp === stamp && row.extractorVersion === EXTRACTOR_VERSION && !isStale);
    const isOfVersion = state?.version === PASSAGES_VERSION;
    if (isInGraph && (search === undefined || (isOfVersion && state.stamp === stamp))) continue;
    const { sha256, extractorVersion } = row ?? {};
    requests.push({
      path: file.path,
      ...(sha256 !== undefined && extractorVersion !== undefined && !isStale
        ? { known: { sha256, extractorVersion } }
        : {}),
      ...(search === undefined ? {} : { search: { sha256: isOfVersion ? state.sha256 : undefined } }),
    });
  }
  return { gone: [...known.values()], goneSources: [...searched.keys()], requests };
}

/** Without those that lie below others. */
function outermost(paths: readonly string[] = ['']): string[] {
  const places: string[] = [];
  for (const path of paths.toSorted()) {
    if (!places.some((place) => isWithin(path, place))) places.push(path);
  }
  return places;
}

function isWithin(path: string, place: string): boolean {
  return place === '' || path === place || path.startsWith(`${place}/`);
}

function* filesAt(
  places: readonly string[],
  folders: DocsFolders,
  { maxBytes, walk }: Pick<IndexOptions, 'maxBytes' | 'walk'>,
): Generator<ScannedFile> {
  const onFolder = walk && { onFolder: (path: string) => walk.folder(path) };
  for (const at of places) {
    for (const file of folders.scan({ maxBytes, at, ...onFolder })) {
      walk?.file(file);
      yield file;
    }
  }
}

/** What was wrong where nobody looks now, and so still is. */
function problemsElsewhere({ store, paths }: IndexOptions): PlacedProblem[] {
  const places = outermost(paths);
  return store.problems.ofScan().filter(({ path }) => !places.some((place) => isWithin(path, place)));
}

function batchesOf(requests: readonly ReadRequest[]): ReadRequest[][] {
  const batches: ReadRequest[][] = [];
  for (let start = 0, size = FIRST_BATCH; start < requests.length; size = Math.min(size * 4, LARGEST_BATCH)) {
    batches.push(requests.slice(start, start + size));
    start += size;
  }
  return batches;
}

/** In the order and form in which the store gives them back, each once: a folder on the way is met again for each path. */
function sorted(problems: readonly PlacedProblem[]): PlacedProblem[] {
  const keyOf = ({ path, line, code, message }: PlacedProblem) => `${path}\0${line}\0${code}\0${message}`;
  const once = new Map(
    problems.map(({ path, line, code, message }) => [
      keyOf({ path, line, code, message }),
      { path, line, code, message },
    ]),
  );
  return [...once.values()].sort(
    (a, b) =>
      order(a.path, b.path) || a.line - b.line || order(a.code, b.code) || order(a.message, b.message),
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
