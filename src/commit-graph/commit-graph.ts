import { UserError } from '../core/errors.ts';
import { sum } from '../core/sum.ts';
import { absentObject } from '../git/blobs.ts';
import {
  type CommitInfo,
  commitInfos,
  commitsBetween,
  commitsSince,
  findCommit,
  mergeBase,
  nameOfHead,
} from '../git/commits.ts';
import { GitFailure } from '../git/run-git.ts';
import type { TreeChange } from '../git/tree-files.ts';
import type { CommitRow } from '../store/commit-tables.ts';
import { countsOf, type DiffCounts, diffRevisions, type GraphDiff } from './diff.ts';
import { infoOf } from './docs-in-git.ts';
import type { DocumentChanges } from './document-changes.ts';
import { PastGraph } from './past-graph.ts';
import { CommitSync, type CommitSyncOptions } from './sync.ts';

/** If no more than this many commits lie between the last synced one and the present one, each of them is recorded. */
const MAX_RECORDED_ON_THE_WAY = 50;

export interface SyncResult {
  /** The commit that the graph stood at; undefined if it stood at none. */
  readonly from: string | undefined;
  readonly commit: CommitInfo;
  /** Commits that are recorded now and were not before, oldest first. */
  readonly recorded: readonly string[];
  readonly documents: DocumentChanges;
  /** What the graph has gained and lost since `from`; without a `from`, all of it counts as gained. */
  readonly graph: DiffCounts;
}

/** A commit that was recorded. */
export interface RecordedCommit extends CommitRow {
  /** Whether it was recorded by the present way of reading documents. If not, it is read again when it is asked for. */
  readonly isCurrent: boolean;
}

/** Ends a transaction that is rolled back on purpose. */
class TakenBack extends Error {}

/** The graph of the docs at any commit of their repository. */
export class CommitGraph {
  readonly #options: CommitSyncOptions;
  readonly #sync: CommitSync;

  constructor(options: CommitSyncOptions) {
    this.#options = options;
    this.#sync = new CommitSync(options);
  }

  /** A text that stands for how the docs are read. */
  get reading(): string {
    return this.#sync.reading;
  }

  /** The commit that a revision means now. @throws UserError if there is none; GitFailure if the repository has lost it */
  commitOf(revision: string): string {
    const { repository } = this.#options.docs;
    const commit = findCommit(repository, revision);
    if (commit !== undefined) return commit;
    if (revision === 'HEAD') {
      const lost = nameOfHead(repository);
      if (lost !== undefined) throw absentObject(repository, lost);
      throw new UserError('there is no commit yet: commit the docs first');
    }
    const shallow = repository.isShallow ? '; this clone is shallow: git fetch --unshallow gets all' : '';
    throw new UserError(`${revision}: git knows no such commit${shallow}`);
  }

  /** The commit that the graph stands at; undefined if it stands at none. */
  position(): string | undefined {
    return this.#sync.position();
  }

  /**
   * Brings the graph to a commit and records it. Also records the commits that lead to it by first parents from where the graph stood, or with `since` all
   * commits after that one. Without `since`, a commit on the way is left out if the clone does not have its documents.
   * @throws UserError, GitFailure
   */
  bringTo(commit: string, since?: string): SyncResult {
    const { store, docs } = this.#options;
    if (since !== undefined) this.#sync.bringTo(infoOf(docs, since));
    const from = this.#sync.position();
    const revisionBefore = store.graph.revision();
    const way =
      since === undefined ? this.#wayTo(commit, from) : commitsSince(docs.repository, since, commit);
    const documents = this.#sync.changesTo(commit);
    const between = way.filter((one) => one !== commit && !this.isRecorded(one));
    const isNew = !this.isRecorded(commit);
    const onTheWay = commitInfos(docs.repository, between)
      .filter((one) => this.#bringOver(one, since !== undefined))
      .map((one) => one.commit);
    const recorded = isNew ? [...onTheWay, commit] : onTheWay;
    const info = infoOf(docs, commit);
    this.#sync.bringTo(info);
    const graph = from === undefined ? this.#allGained() : this.#countsSince(revisionBefore);
    return { from, commit: info, recorded, documents, graph };
  }

  /**
   * Brings the graph to a commit and records that one alone, if no more than so many documents differ.
   * @returns whether it did
   * @throws UserError, GitFailure
   */
  bringToIfNear(info: CommitInfo, maxDocuments: number): boolean {
    return this.#sync.bringTo(info, maxDocuments);
  }

  /** The result that `bringTo` would have. Changes nothing. @throws UserError, GitFailure */
  tryOut(commit: string, since?: string): SyncResult {
    return this.#takenBack(() => this.bringTo(commit, since));
  }

  /**
   * Calls `body` while the graph is as the next commit would make it. All of that is rolled back.
   * @param changes how the staged files differ from where the graph stands
   * @throws UserError, GitFailure
   */
  whileStaged<T>(changes: readonly TreeChange[], body: () => T): T {
    return this.#takenBack(() => {
      this.#sync.bringToStaged(changes);
      return body();
    });
  }

  /** The recorded commits, latest first. */
  log(): RecordedCommit[] {
    const latest = new Map<string, RecordedCommit>();
    for (const row of this.#options.store.commits.all()) {
      const isCurrent = row.reading === this.#sync.reading;
      if (isCurrent || !latest.has(row.commit)) latest.set(row.commit, { ...row, isCurrent });
    }
    return [...latest.values()];
  }

  /** The graph at a commit. A commit that was not recorded is recorded now, and the graph goes back to where it stood. @throws UserError, GitFailure */
  at(commit: string): PastGraph {
    return new PastGraph(this.#options.store.history, this.revisionOf(commit));
  }

  /** The revision of the graph that belongs to a commit, as in `at`. @throws UserError, GitFailure */
  revisionOf(commit: string): number {
    const recorded = this.#sync.recorded(commit);
    if (recorded !== undefined) return recorded.revision;
    const { docs } = this.#options;
    const position = this.#sync.position();
    this.#sync.bringTo(infoOf(docs, commit));
    // Git removes commits that nothing leads to any more. In that case the graph stays where it is.
    if (position !== undefined && findCommit(docs.repository, position) !== undefined) {
      this.#sync.bringTo(infoOf(docs, position));
    }
    const revision = this.#sync.recorded(commit)?.revision;
    if (revision === undefined) throw new Error(`${commit} was not recorded`);
    return revision;
  }

  /** Whether the graph of a commit is known without reading anything. */
  isRecorded(commit: string): boolean {
    return this.#sync.recorded(commit) !== undefined;
  }

  /** How the graphs of two commits differ, as changes from the first to the second. @throws UserError, GitFailure */
  diff(from: string, to: string): GraphDiff {
    const { store } = this.#options;
    const [before, after] = [this.revisionOf(from), this.revisionOf(to)];
    return store.graph.snapshot(() => diffRevisions(store.history, before, after));
  }

  /**
   * The two commits of a range: `A..B`, `A...B` (from where they parted), or `A` for everything since. An end that is left out is `HEAD`.
   * @throws UserError if one of them does not exist
   */
  range(text: string): { from: string; to: string } {
    const match = /^(.*?)(\.{2,3})(.*)$/.exec(text);
    if (match === null) return { from: this.commitOf(text), to: this.commitOf('HEAD') };
    const [, first = '', dots, second = ''] = match;
    const from = this.commitOf(first || 'HEAD');
    const to = this.commitOf(second || 'HEAD');
    if (dots === '..') return { from, to };
    const base = mergeBase(this.#options.docs.repository, from, to);
    if (base === undefined) throw new UserError(`${text}: these two have no history in common`);
    return { from: base, to };
  }

  /** @returns whether the commit is recorded now */
  #bringOver(info: CommitInfo, isAskedFor: boolean): boolean {
    try {
      return this.#sync.bringTo(info);
    } catch (error) {
      if (isAskedFor || !(error instanceof GitFailure)) throw error;
      return false;
    }
  }

  #takenBack<T>(body: () => T): T {
    const results: T[] = [];
    try {
      this.#options.store.graph.transact(() => {
        results.push(body());
        throw new TakenBack();
      });
    } catch (error) {
      if (!(error instanceof TakenBack)) throw error;
    }
    for (const result of results) return result;
    throw new Error('what was to be taken back gave no result');
  }

  #wayTo(commit: string, from: string | undefined): string[] {
    if (from === undefined || from === commit) return [];
    return commitsBetween(this.#options.docs.repository, from, commit, MAX_RECORDED_ON_THE_WAY) ?? [];
  }

  #countsSince(revision: number): DiffCounts {
    const { store } = this.#options;
    return store.graph.snapshot(() =>
      countsOf(diffRevisions(store.history, revision, store.graph.revision())),
    );
  }

  #allGained(): DiffCounts {
    const { graph } = this.#options.store;
    const total = (counts: ReadonlyMap<string, number>) => sum(counts.values());
    const gained = (count: number) => ({ gained: count, lost: 0, changed: 0 });
    return {
      nodes: gained(total(graph.nodes.countsByType())),
      edges: gained(total(graph.edges.countsByType())),
    };
  }
}
