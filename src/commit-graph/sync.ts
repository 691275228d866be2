import type { Clock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { groupBy } from '../core/group.ts';
import { type BlobContent, readBlobs } from '../git/blobs.ts';
import type { CommitInfo } from '../git/commits.ts';
import { GitFailure } from '../git/run-git.ts';
import {
  type DocsInTree,
  diffCommits,
  listStaged,
  listTree,
  type TreeChange,
  type TreeFile,
} from '../git/tree-files.ts';
import { EXTRACTOR_VERSION } from '../ingest/extract/version.ts';
import { IndexRun } from '../ingest/index-run.ts';
import type { ReadOutcome } from '../ingest/read-document.ts';
import { readOtherwise } from '../ingest/schema-stamps.ts';
import type { CommitStore } from '../store/commit-store.ts';
import type { CommitRow } from '../store/commit-tables.ts';
import type { DocumentRow } from '../store/documents.ts';
import { type DocumentChanges, summary } from './document-changes.ts';
import { sizeOf } from './graph-size.ts';
import { IndexCopies } from './index-copies.ts';
import { type BlobRequest, readBlobDocument } from './read-blobs.ts';
import { contentPart, readingOf } from './reading.ts';
import { type DocsSettings, decides, TreeView } from './tree-view.ts';

export interface CommitSyncOptions {
  readonly store: CommitStore;
  readonly docs: DocsInTree;
  readonly settings: DocsSettings;
  readonly clock: Clock;
  /** The index of the docs, which has already read most documents. */
  readonly indexFile?: string;
}

/** The files that the graph is to be brought to. */
interface Target {
  /** What to record of their commit; undefined for files that belong to no commit. */
  readonly info: CommitInfo | undefined;
  /** How these files differ from a commit; undefined if that commit no longer exists. */
  changesFrom(commit: string): readonly TreeChange[] | undefined;
  all(): TreeFile[];
}

/** The work that brings the graph to its target. */
interface Plan {
  readonly from: string | undefined;
  readonly revisionBefore: number;
  readonly requests: readonly BlobRequest[];
  readonly gone: readonly DocumentRow[];
  readonly view: TreeView;
  readonly files: { readonly all: readonly TreeFile[] } | { readonly changes: readonly TreeChange[] };
  readonly documents: DocumentChanges;
}

type PlannedChanges = Pick<Plan, 'requests' | 'gone' | 'view' | 'files' | 'documents'>;

/** Thrown if another process has moved the graph meanwhile. */
class Overtaken extends Error {}

const MAX_ATTEMPTS = 5;

/** Makes the graph of a commit store equal to what the documents of a commit say. */
export class CommitSync {
  readonly #options: CommitSyncOptions;
  /** A text that stands for how the docs are read. Commits that were recorded with another one are read again. */
  readonly reading: string;

  constructor(options: CommitSyncOptions) {
    this.#options = options;
    this.reading = readingOf(options.docs, options.settings);
  }

  /** The commit that the graph stands at; undefined if it stands at none. */
  position(): string | undefined {
    const { graph } = this.#options.store;
    const commit = graph.meta('commit');
    return commit === '' || graph.meta('reading') !== this.reading ? undefined : commit;
  }

  /** What was recorded of a commit, if it was. */
  recorded(commit: string): CommitRow | undefined {
    return this.#options.store.commits.get(commit, this.reading);
  }

  /** The documents that `bringTo` would read or remove. @throws UserError, GitFailure */
  changesTo(commit: string): DocumentChanges {
    return this.#plan(this.#filesOf({ commit, committedMs: 0, subject: '' })).documents;
  }

  /**
   * Brings the graph to a commit, from wherever it stands, and records the commit.
   * @param maxDocuments does nothing if more documents than this differ. Default: any number
   * @returns whether the graph was brought there
   * @throws UserError if the store cannot be used, or another process keeps moving it; GitFailure if the commit does not exist
   */
  bringTo(info: CommitInfo, maxDocuments = Number.POSITIVE_INFINITY): boolean {
    if (this.position() === info.commit && this.recorded(info.commit) !== undefined) return true;
    return this.#bringTo(this.#filesOf(info), maxDocuments);
  }

  /**
   * Brings the graph to what is staged. It then stands at no commit. To be called in a transaction that is rolled back.
   * @param changes how the staged files differ from where the graph stands
   * @throws UserError, GitFailure
   */
  bringToStaged(changes: readonly TreeChange[]): void {
    const { docs } = this.#options;
    const staged = { info: undefined, changesFrom: () => changes, all: () => listStaged(docs) };
    this.#bringTo(staged, Number.POSITIVE_INFINITY);
  }

  #filesOf(info: CommitInfo): Target {
    const { docs } = this.#options;
    const { commit } = info;
    return {
      info,
      changesFrom: (from) => (from === commit ? [] : diffOf(() => diffCommits(docs, from, commit))),
      all: () => listTree(docs, commit),
    };
  }

  #bringTo(target: Target, maxDocuments: number): boolean {
    for (let attempt = 1; ; attempt += 1) {
      const plan = this.#plan(target);
      if (plan.requests.length + plan.gone.length > maxDocuments) return false;
      try {
        this.#carryOut(plan, target.info);
        return true;
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
        if (attempt === MAX_ATTEMPTS) {
          throw new UserError('another process goes on bringing the graph to other commits; try again');
        }
      }
    }
  }

  #plan(target: Target): Plan {
    const { store } = this.#options;
    const from = this.position();
    const known = { from, revisionBefore: store.graph.revision() };
    const changes = from === undefined ? undefined : target.changesFrom(from);
    if (changes === undefined || changes.some(({ path }) => decides(path))) {
      return { ...known, ...this.#planWhole(target.all(), changes ?? []) };
    }
    return { ...known, ...this.#planChanges(changes) };
  }

  #planWhole(all: readonly TreeFile[], changes: readonly TreeChange[]): PlannedChanges {
    const { store, docs, settings } = this.#options;
    const view = new TreeView(
      docs,
      settings,
      all.filter(({ path }) => decides(path)),
    );
    const rows = new Map(store.graph.documents.all().map((row) => [row.path, row]));
    // What was taken from the index is the graph of no commit, and may have been read with another schema map.
    const isFirst = store.graph.meta('commit') === undefined;
    const isOtherwise = isFirst ? readOtherwise(store.graph, settings.selection) : () => false;
    const wanted: TreeFile[] = [];
    const requests: BlobRequest[] = [];
    for (const file of all) {
      if (!view.isDocument(file)) continue;
      wanted.push(file);
      const row = rows.get(file.path);
      rows.delete(file.path);
      if (this.#isCurrent(row, file)) continue;
      requests.push(this.#requestFor(file, row !== undefined && isOtherwise(row) ? undefined : row));
    }
    const gone = [...rows.values()];
    const documents = isFirst ? summary(wanted, [], []) : summary(requests, gone, changes);
    return { requests, gone, view, files: { all }, documents };
  }

  #planChanges(changes: readonly TreeChange[]): PlannedChanges {
    const { store, docs, settings } = this.#options;
    const ignoreFiles = store.files.thatIgnore().filter(({ path }) => decides(path));
    const view = new TreeView(docs, settings, ignoreFiles);
    const requests: BlobRequest[] = [];
    const gone: DocumentRow[] = [];
    for (const { path, file } of changes) {
      const row = store.graph.documents.get(path);
      if (file !== undefined && view.isDocument(file)) {
        if (!this.#isCurrent(row, file)) requests.push(this.#requestFor(file, row));
      } else if (row !== undefined) gone.push(row);
    }
    return { requests, gone, view, files: { changes }, documents: summary(requests, gone, changes) };
  }

  #isCurrent(row: DocumentRow | undefined, { object }: TreeFile): boolean {
    return row?.stamp === object && row.extractorVersion === EXTRACTOR_VERSION && this.#isReadAlike();
  }

  #requestFor({ path, object }: TreeFile, row: DocumentRow | undefined): BlobRequest {
    if (row === undefined || !this.#isReadAlike()) return { path, object };
    const { sha256, extractorVersion } = row;
    return { path, object, known: { sha256, extractorVersion } };
  }

  /** Whether the stored documents were read as they would be read now. */
  #isReadAlike(): boolean {
    const stored = this.#options.store.graph.meta('reading') ?? this.reading;
    return contentPart(stored) === contentPart(this.reading);
  }

  #carryOut(plan: Plan, info: CommitInfo | undefined): void {
    const { docs, settings, indexFile } = this.#options;
    const byObject = groupBy(plan.requests, ({ object }) => object);
    const copies = new IndexCopies(indexFile, settings.selection, plan.requests.length);
    let expected = plan.revisionBefore;
    let waiting: readonly ReadOutcome[] = [];
    let isFirst = true;
    try {
      for (const contents of readBlobs(docs.repository, byObject.keys(), settings.maxBytes)) {
        if (waiting.length > 0) {
          expected = this.#commit(plan, expected, isFirst, waiting, 'part');
          isFirst = false;
        }
        waiting = [...contents].flatMap(([object, content]) => {
          return (byObject.get(object) ?? []).map((request) => this.#read(request, content, copies));
        });
      }
    } finally {
      copies.close();
    }
    this.#commit(plan, expected, isFirst, waiting, info);
  }

  #read(request: BlobRequest, content: BlobContent, copies: IndexCopies): ReadOutcome {
    const copy = typeof content === 'string' ? undefined : copies.outcomeOf(request, content);
    return copy ?? readBlobDocument(request, content, this.#options.settings);
  }

  /**
   * Writes one part of the work in a transaction. Until the last part the graph stands at no commit, so that the next sync mends what an interruption leaves.
   * @param expected the revision of the graph if nobody else has moved it
   * @param done for the last part, the commit if there is one
   */
  #commit(
    plan: Plan,
    expected: number,
    isFirst: boolean,
    outcomes: readonly ReadOutcome[],
    done: CommitInfo | undefined | 'part',
  ): number {
    const { store, clock } = this.#options;
    const { graph, history } = store;
    return graph.transact(() => {
      const from = isFirst ? plan.from : undefined;
      if (graph.revision() !== expected || this.position() !== from) throw new Overtaken();
      new IndexRun({ store: graph, clock }).commit(outcomes, done === 'part' ? [] : plan.gone);
      const revision = graph.revision();
      if (revision > expected) history.prune(revision);
      graph.setMeta('commit', typeof done === 'object' ? done.commit : '');
      if (done === 'part') return revision;
      graph.setMeta('reading', this.reading);
      this.#putFiles(plan);
      if (done !== undefined) this.#record(done, revision);
      return revision;
    });
  }

  #putFiles({ view, files: planned }: Plan): void {
    const { files } = this.#options.store;
    const row = (file: TreeFile) => ({ ...file, isShown: view.shows(file) ? 1 : 0 });
    if ('all' in planned) {
      files.replaceAll(planned.all.map(row));
      return;
    }
    for (const { path, file } of planned.changes) {
      if (file === undefined) files.remove(path);
      else files.put(row(file));
    }
  }

  #record({ commit, committedMs, subject }: CommitInfo, revision: number): void {
    const { graph, commits } = this.#options.store;
    const { nodes, edges } = sizeOf(graph.meta('counts'));
    const documents = graph.documents.count();
    commits.put({ commit, reading: this.reading, revision, committedMs, subject, documents, nodes, edges });
  }
}

/** @returns undefined if the commit to compare with no longer exists, as when Git has removed it after a rebase */
function diffOf(compare: () => TreeChange[]): TreeChange[] | undefined {
  try {
    return compare();
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}
