import type { Clock } from '../core/clock.ts';
import type { DocsSelection } from '../core/docs-selection.ts';
import { EXIT, FsError, UserError } from '../core/errors.ts';
import { isHeld, whenLetGo } from '../core/held-file.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import type { DocsProblem } from '../source/docs-problem.ts';
import { IncludeUse } from '../source/include-use.ts';
import type { PlacedProblem } from '../store/problems.ts';
import { type IndexedDocs, planIndex } from './index-plan.ts';
import { type IndexResult, IndexRun } from './index-run.ts';
import { takeJudgements } from './judged-rules.ts';
import { KeptAnswers } from './model-facts/kept-answers.ts';
import { onDisk, versionOnDisk } from './on-disk.ts';
import { outermost } from './places.ts';
import { readAhead } from './read-batches.ts';
import type { ReadOutcome } from './read-document.ts';
import { readersFor } from './readers.ts';
import { takeScanProblems } from './scan-problems.ts';
import { noteSchema } from './schema-stamps.ts';
import { takeNodes } from './search-nodes.ts';
import { SearchRun } from './search-run.ts';
import { isStampOf } from './stamp.ts';

export interface IndexProgress {
  /** Documents dealt with so far, of all that are new or changed. */
  readonly done: number;
  readonly total: number;
}

export interface IndexOptions extends IndexedDocs {
  /** Folders inside the docs that are no docs: the state folder, a mount point. Absolute. */
  readonly excluded: readonly string[];
  /** Where answers of models are kept: what they say of documents is taken in. Default: rules alone read them. */
  readonly extractionsFile?: string | undefined;
  readonly clock: Clock;
  /** The file with what was judged of rules of extraction; undefined where that counts for nothing. */
  readonly rulesFile?: string | undefined;
  /** Once aborted, the update ends after the batch it is at, and the rest is left for the next time. */
  readonly signal?: AbortSignal;
  /** Called before the first document and after each batch was committed. */
  readonly onProgress?: (progress: IndexProgress) => void;
}

/** So many paths are looked at one by one; instead of more, all that was looked at before is looked at again. */
const MAX_PATHS = 1000;
const MAX_LOOKS = 10;
/** An ignore file that another program holds may hide anything. */
const LET_GO_WITHIN_MS = 2000;

/**
 * Brings the graph up to date with the docs folder: reads what is new or changed since the last time, takes back what
 * is gone. Each batch is one transaction, so a stop at any moment leaves a graph that is whole, if not complete. Other processes may do the same
 * meanwhile: no reading takes the place of a later one.
 * @throws UserError where the docs folder or the store cannot be used, or others go on changing both
 */
export async function updateIndex(options: IndexOptions): Promise<IndexResult> {
  const { store, search, docs, extractionsFile, paths: asked = [''], signal } = options;
  const kept = new KeptAnswers(extractionsFile, docs.schema);
  try {
    // As it is now: what is answered while documents are read is for the next time.
    const extractions = kept.revision();
    await takeJudgements(options);
    const run = new IndexRun(options);
    const progress = { done: 0, total: 0 };
    let again = await look(options, run, kept, progress);
    for (let looks = 1; again.size > 0 && !signal?.aborted; looks += 1) {
      if (looks === MAX_LOOKS)
        throw new UserError('other programs go on changing the docs while they are read; try again');
      const paths = again.size > MAX_PATHS ? asked : [...again];
      again = await look({ ...options, paths, walk: undefined }, run, kept, progress);
    }
    if (!signal?.aborted && search !== undefined) takeNodes(store, search);
    if (!signal?.aborted && outermost(asked).includes('')) {
      noteSchema(store, docs);
      if ((store.meta('extractions') ?? '') !== extractions)
        store.transact(() => store.setMeta('extractions', extractions));
    }
    return run.result();
  } finally {
    kept.close();
  }
}

/**
 * Compares docs and index once, and carries out what follows.
 * @returns paths to be looked at once more: another process wrote about them meanwhile, or would have, had there been anything to write
 */
async function look(
  options: IndexOptions,
  run: IndexRun,
  kept: KeptAnswers,
  progress: { done: number; total: number },
): Promise<ReadonlySet<string>> {
  const { store, search, docs, excluded, maxBytes, extractionsFile, signal, onProgress } = options;
  const scanProblems: DocsProblem[] = [];
  const report = (problem: DocsProblem) => scanProblems.push(problem);
  const problemsBefore = store.problems.ofScan();
  const folders = new DocsFolders(docs, { excluded, report, scansModules: true });
  const again = new Set<string>();
  try {
    const searchRun = search === undefined ? undefined : new SearchRun(search);
    const use = new IncludeUse(docs);
    const planned = await onceLetGo(() => planIndex(options, folders, kept, again, use));
    const { gone, unread, failed, requests, goneSources, documents, sources } = planned;
    run.hold(failed);
    // What fits a pattern may lie where the disk fails.
    const unused = failed.length === 0 ? use.problems() : [];
    if (options.paths === undefined || options.paths.includes('')) scanProblems.push(...unused);
    // What is told of all docs is told anew by a look at all of them.
    else if (problemsBefore.some((told) => fitsNow(told, unused))) again.add('');
    progress.total += gone.length + requests.length;
    onProgress?.({ ...progress });
    if (gone.length > 0) run.commit([], gone, documents);
    if (unread.length > 0)
      store.transact(() => {
        for (const path of unread) store.problems.replaceOfDocument(path, []);
      });
    searchRun?.commit([], goneSources, sources);
    for (const path of new Set([...gone.map(({ path }) => path), ...goneSources])) {
      if (isShown(folders, path)) again.add(path);
    }
    progress.done += gone.length;
    const task = { docs, excluded, maxBytes, extractionsFile };
    const readers = readersFor(requests.length, folders, kept, task);
    try {
      for await (const outcomes of readAhead(readers, requests, signal)) {
        run.commit(outcomes, [], documents);
        searchRun?.commit(outcomes, [], sources);
        for (const outcome of outcomes) {
          if (outcome.outcome === 'unreadable' && outcome.failure) scanProblems.push(outcome.failure);
          const isNew = !documents.has(outcome.path) && !sources.has(outcome.path);
          if (isNew && !isAsRead(docs, outcome)) again.add(outcome.path);
        }
        progress.done += outcomes.length;
        onProgress?.({ ...progress });
      }
    } finally {
      await readers.close();
    }
    const differing = takeScanProblems(store, outermost(options.paths), scanProblems, problemsBefore);
    for (const path of differing) again.add(path);
    return again;
  } finally {
    folders.close();
  }
}

/** @throws UserError where another program does not let go of an ignore file */
async function onceLetGo<T>(plan: () => T): Promise<T> {
  try {
    return await whenLetGo(plan, {}, LET_GO_WITHIN_MS);
  } catch (error) {
    if (!(error instanceof FsError && isHeld(error))) throw error;
    throw new UserError(`${error.path}: ${error.why}; try again once it is closed`, EXIT.failed, {
      cause: error,
    });
  }
}

/** @param unused what is told of the patterns that fit none of the files that were looked at */
function fitsNow({ code, message }: PlacedProblem, unused: readonly DocsProblem[]): boolean {
  return code === 'include' && !unused.some((problem) => problem.message === message);
}

/** Whether a file that was gone is there again: it may be the very same, of which another process had nothing to write. */
function isShown(folders: DocsFolders, path: string): boolean {
  try {
    return folders.stat(path).kind === 'file';
  } catch (error) {
    // The folder that is kept of a module may be gone as a whole.
    if (error instanceof FsError || error instanceof UserError) return false;
    throw error;
  }
}

/** Whether a file is still there as it was read: one that the index did not have leaves no trace where another process finds it gone. */
function isAsRead(docs: DocsSelection, outcome: ReadOutcome): boolean {
  if (outcome.outcome === 'unreadable') return true;
  const version = versionOnDisk(onDisk(docs, outcome.path));
  return version !== undefined && isStampOf(outcome.stamp, version);
}
