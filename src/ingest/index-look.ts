import type { DocsSelection } from '../core/docs-selection.ts';
import { EXIT, FsError, UserError } from '../core/errors.ts';
import { isHeld, whenLetGo } from '../disk/held-file.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import type { DocsProblem } from '../source/docs-problem.ts';
import { IncludeUse } from '../source/include-use.ts';
import type { PlacedProblem } from '../store/problems.ts';
import { outermost } from './docs-paths.ts';
import { type IndexPlan, planIndex } from './index-plan.ts';
import type { IndexRun } from './index-run.ts';
import type { IndexOptions } from './indexer.ts';
import type { KeptAnswers } from './model-facts/kept-answers.ts';
import { onDisk, versionOnDisk } from './on-disk.ts';
import { readAhead } from './read-batches.ts';
import type { ReadOutcome } from './read-document.ts';
import { readersFor } from './readers.ts';
import { takeScanProblems } from './scan-problems.ts';
import { SearchRun } from './search-run.ts';
import { isStampOf } from './stamp.ts';

/** This is waited for, since an ignore file that another program holds may hide anything. */
const LET_GO_WITHIN_MS = 2000;

/**
 * Compares docs and index once, and carries out what follows from that.
 * @param progress grows with what was found and done
 * @returns paths to be looked at again: another process wrote about them meanwhile, or would have if there had been anything to write
 */
export async function lookOnce(
  options: IndexOptions,
  run: IndexRun,
  kept: KeptAnswers,
  progress: { done: number; total: number },
): Promise<ReadonlySet<string>> {
  const look = new Look(options, run, kept, progress);
  try {
    return await look.carryOut();
  } finally {
    look.close();
  }
}

class Look {
  readonly #options: IndexOptions;
  readonly #run: IndexRun;
  readonly #searchRun: SearchRun | undefined;
  readonly #kept: KeptAnswers;
  readonly #progress: { done: number; total: number };
  readonly #folders: DocsFolders;
  readonly #scanProblems: DocsProblem[] = [];
  readonly #problemsBefore: readonly PlacedProblem[];
  readonly #again = new Set<string>();

  constructor(
    options: IndexOptions,
    run: IndexRun,
    kept: KeptAnswers,
    progress: { done: number; total: number },
  ) {
    const { store, search, docs, excluded } = options;
    this.#options = options;
    this.#run = run;
    this.#searchRun = search && new SearchRun(search);
    this.#kept = kept;
    this.#progress = progress;
    this.#problemsBefore = store.problems.ofScan();
    const report = (problem: DocsProblem) => this.#scanProblems.push(problem);
    this.#folders = new DocsFolders(docs, { excluded, report, scansModules: true });
  }

  async carryOut(): Promise<ReadonlySet<string>> {
    const { store, docs, paths } = this.#options;
    const use = new IncludeUse(docs);
    const plan = await onceLetGo(() => planIndex(this.#options, this.#folders, this.#kept, this.#again, use));
    this.#run.hold(plan.failed);
    // A file that fits a pattern may lie where the disk fails.
    this.#noteUnused(plan.failed.length === 0 ? use.problems() : []);
    this.#progress.total += plan.gone.length + plan.requests.length;
    this.#tellProgress();
    this.#takeBack(plan);
    await this.#read(plan);
    this.#lookAgainAt(takeScanProblems(store, outermost(paths), this.#scanProblems, this.#problemsBefore));
    return this.#again;
  }

  close(): void {
    this.#folders.close();
  }

  /** @param unused problems of patterns that fit none of the files that were looked at */
  #noteUnused(unused: readonly DocsProblem[]): void {
    const { paths } = this.#options;
    if (paths === undefined || paths.includes('')) this.#scanProblems.push(...unused);
    // Problems of all docs are only renewed by a look at all of them.
    else if (this.#problemsBefore.some((told) => fitsNow(told, unused))) this.#again.add('');
  }

  /** Removes what is gone from the disk. */
  #takeBack({ gone, unread, goneSources, documents, sources }: IndexPlan): void {
    const { store } = this.#options;
    if (gone.length > 0) this.#run.commit([], gone, documents);
    if (unread.length > 0)
      store.transact(() => {
        for (const path of unread) store.problems.replaceOfDocument(path, []);
      });
    this.#searchRun?.commit([], goneSources, sources);
    const paths = new Set([...gone.map(({ path }) => path), ...goneSources]);
    this.#lookAgainAt([...paths].filter((path) => isShown(this.#folders, path)));
    this.#progress.done += gone.length;
  }

  /** Reads what is new or changed, and commits it batch by batch. */
  async #read({ requests, documents, sources }: IndexPlan): Promise<void> {
    const { docs, excluded, maxBytes, extractionsFile, signal } = this.#options;
    const task = { docs, excluded, maxBytes, extractionsFile };
    const readers = readersFor(requests.length, this.#folders, this.#kept, task);
    try {
      for await (const outcomes of readAhead(readers, requests, signal)) {
        this.#run.commit(outcomes, [], documents);
        this.#searchRun?.commit(outcomes, [], sources);
        for (const outcome of outcomes) {
          if (outcome.outcome === 'unreadable' && outcome.failure) this.#scanProblems.push(outcome.failure);
          const isNew = !documents.has(outcome.path) && !sources.has(outcome.path);
          if (isNew && !isAsRead(docs, outcome)) this.#again.add(outcome.path);
        }
        this.#progress.done += outcomes.length;
        this.#tellProgress();
      }
    } finally {
      await readers.close();
    }
  }

  #lookAgainAt(paths: Iterable<string>): void {
    for (const path of paths) this.#again.add(path);
  }

  #tellProgress(): void {
    this.#options.onProgress?.({ ...this.#progress });
  }
}

/** @throws UserError if another program does not release an ignore file */
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

/** Whether a noted problem no longer applies. @param unused problems of patterns that fit none of the files that were looked at */
function fitsNow({ code, message }: PlacedProblem, unused: readonly DocsProblem[]): boolean {
  return code === 'include' && !unused.some((problem) => problem.message === message);
}

/** Whether a file that was gone is back: it may be the very same file, about which another process had nothing to write. */
function isShown(folders: DocsFolders, path: string): boolean {
  try {
    return folders.stat(path).kind === 'file';
  } catch (error) {
    // The whole folder of a module's files may be gone.
    if (error instanceof FsError || error instanceof UserError) return false;
    throw error;
  }
}

/** Whether a file still is as it was read. If the index did not have it, another process that finds it gone leaves no trace. */
function isAsRead(docs: DocsSelection, outcome: ReadOutcome): boolean {
  if (outcome.outcome === 'unreadable') return true;
  const version = versionOnDisk(onDisk(docs, outcome.path));
  return version !== undefined && isStampOf(outcome.stamp, version);
}
