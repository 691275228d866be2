import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../core/clock.ts';
import { FsError } from '../core/errors.ts';
import type { Problem } from '../core/graph-model.ts';
import { Projection } from '../graph/projection.ts';
import type { DocsProblem } from '../source/docs-problem.ts';
import { type DocsRootOptions, openDocsRoot, type DocsRoot } from '../source/docs-root.ts';
import { type DocumentText, readDocument } from '../source/document-text.ts';
import { scan } from '../source/scan.ts';
import type { DocumentRow } from '../store/documents.ts';
import type { Store } from '../store/store.ts';
import { EXTRACTOR_VERSION, extractDocument } from './extract/extract.ts';
import { stampOf } from './stamp.ts';

export interface IndexProgress {
  /** Documents dealt with so far, of all that are new or changed. */
  readonly done: number;
  readonly total: number;
}

export interface IndexOptions {
  readonly store: Store;
  /** The docs root, as the user named it. */
  readonly docs: string;
  /** Paths of the docs root that are no docs: the state folder, a mount point. */
  readonly exclude: NonNullable<DocsRootOptions['exclude']>;
  /** Larger documents are shown but not read. */
  readonly maxBytes: number;
  readonly clock: Clock;
  /** Called before the first document and after each batch was committed. */
  readonly onProgress?: (progress: IndexProgress) => void;
}

export interface IndexResult {
  /** Documents in the graph now. */
  readonly documents: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** Revision of the graph, the same as before where nothing changed. */
  readonly revision: number;
}

/** The first batches are small, so that something is there to see at once; later ones grow, for speed. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 4096;

/**
 * Brings the graph up to date with the docs folder: reads what is new or changed since the last time, takes back what
 * is gone. Each batch is one transaction, so a stop at any moment leaves a graph that is whole, if not complete.
 * @throws UserError where the docs folder or the store cannot be used
 */
export function updateIndex(options: IndexOptions): IndexResult {
  const scanProblems: DocsProblem[] = [];
  const report = (problem: DocsProblem) => scanProblems.push(problem);
  const root = openDocsRoot(options.docs, { exclude: options.exclude, report });
  try {
    return new IndexRun(options, root).run(scanProblems);
  } finally {
    root.close();
  }
}

type Update =
  | { readonly action: 'read'; readonly path: string; readonly row: DocumentRow | undefined }
  | { readonly action: 'remove'; readonly row: DocumentRow };

class IndexRun {
  readonly #options: IndexOptions;
  readonly #root: DocsRoot;
  readonly #projection: Projection;
  #added = 0;
  #changed = 0;
  #removed = 0;

  constructor(options: IndexOptions, root: DocsRoot) {
    this.#options = options;
    this.#root = root;
    this.#projection = new Projection(options.store);
  }

  run(scanProblems: readonly DocsProblem[]): IndexResult {
    const { store, onProgress } = this.#options;
    const updates = this.#plan();
    onProgress?.({ done: 0, total: updates.length });
    for (let done = 0, size = FIRST_BATCH; done < updates.length; size = Math.min(size * 4, LARGEST_BATCH)) {
      const batch = updates.slice(done, done + size);
      this.#carryOut(batch);
      done += batch.length;
      onProgress?.({ done, total: updates.length });
    }
    if (!isDeepStrictEqual(store.problems.ofScan(), sorted(scanProblems))) {
      store.transact(() => store.problems.replaceOfScan(scanProblems));
    }
    return {
      documents: store.documents.count(),
      added: this.#added,
      changed: this.#changed,
      removed: this.#removed,
      revision: store.revision(),
    };
  }

  /** Compares what is on disk with what was read before. */
  #plan(): Update[] {
    const known = new Map(this.#options.store.documents.all().map((row) => [row.path, row]));
    const updates: Update[] = [];
    for (const file of scan(this.#root, { maxBytes: this.#options.maxBytes })) {
      if (file.kind !== 'markdown') continue;
      const row = known.get(file.path);
      known.delete(file.path);
      if (row?.stamp === stampOf(file) && row.extractorVersion === EXTRACTOR_VERSION) continue;
      updates.push({ action: 'read', path: file.path, row });
    }
    return [...Array.from(known.values(), (row): Update => ({ action: 'remove', row })), ...updates];
  }

  #carryOut(updates: readonly Update[]): void {
    const { store, clock } = this.#options;
    store.transact(() => {
      for (const update of updates) {
        if (update.action === 'read') this.#read(update.path, update.row);
        else this.#forget(update.row);
      }
      const at = { revision: store.revision() + 1, nowMs: clock.nowMs() };
      if (!this.#projection.project(at)) return;
      store.setMeta('revision', String(at.revision));
      store.setMeta('built_at_ms', String(at.nowMs));
    });
  }

  #read(path: string, row: DocumentRow | undefined): void {
    const { store, clock } = this.#options;
    const text = this.#textOf(path);
    if (text === undefined) {
      if (row) this.#remove(row);
      return;
    }
    const stamp = stampOf(text);
    if (row?.sha256 === text.sha256 && row.extractorVersion === EXTRACTOR_VERSION) {
      store.documents.restamp(row.id, stamp);
      return;
    }
    const facts = extractDocument(path, text.text);
    const id = store.documents.put({
      path,
      stamp,
      sha256: text.sha256,
      extractorVersion: EXTRACTOR_VERSION,
      title: facts.title,
      indexedMs: clock.nowMs(),
    });
    store.problems.replaceOfDocument(path, [...text.problems, ...facts.problems]);
    this.#projection.contribute(id, path, facts);
    if (row) this.#changed += 1;
    else this.#added += 1;
  }

  /** Undefined, with the reason among the problems, for a file that cannot be read or is no text. */
  #textOf(path: string): DocumentText | undefined {
    const { store, maxBytes } = this.#options;
    try {
      const text = readDocument(this.#root, path, maxBytes);
      if (!text.isBinary) return text;
      store.problems.replaceOfDocument(path, text.problems);
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
      store.problems.replaceOfDocument(path, error.code === 'ENOENT' ? [] : [unreadable(error)]);
    }
    return undefined;
  }

  #forget(row: DocumentRow): void {
    this.#remove(row);
    this.#options.store.problems.replaceOfDocument(row.path, []);
  }

  #remove(row: DocumentRow): void {
    this.#projection.retract(row.id);
    this.#options.store.documents.remove(row.id);
    this.#removed += 1;
  }
}

function unreadable(error: FsError): Problem {
  return { line: 0, code: 'unreadable', message: `this document could not be read: ${error.why}` };
}

function sorted(problems: readonly DocsProblem[]): { path: string; line: number; code: string; message: string }[] {
  const order = (a: DocsProblem, b: DocsProblem) => (a.path < b.path || (a.path === b.path && a.code < b.code) ? -1 : 1);
  return problems.toSorted(order).map(({ path, line, code, message }) => ({ path, line, code, message }));
}
