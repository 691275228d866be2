import type { Clock } from '../core/clock.ts';
import { Projection } from '../graph/projection.ts';
import type { DocumentRow } from '../store/documents.ts';
import type { Revision } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import { EXTRACTOR_VERSION } from './extract/version.ts';
import { type ModelFigures, NO_MODEL_FIGURES } from './model-facts/merge-answers.ts';
import type { PlannedRows } from './planned-rows.ts';
import type { ReadOutcome } from './read-document.ts';

export interface IndexResult {
  /** How many documents are in the graph now. */
  readonly documents: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  /** The revision of the graph; the same as before if nothing changed. */
  readonly revision: number;
  /** What became of the facts from a model about the documents that were read. */
  readonly modelFacts: ModelFigures;
  /** Paths of files that another program holds, and of what the disk fails to show. They are to be looked at again. */
  readonly held: readonly string[];
}

/** Writes batches to the store and the graph. */
export class IndexRun {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #projection: Projection;
  #added = 0;
  #changed = 0;
  #removed = 0;
  readonly #held: string[] = [];
  #modelFacts = NO_MODEL_FIGURES;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    this.#projection = new Projection(store);
  }

  /**
   * Writes a batch in one transaction. @param planned leaves out files that another process has written about since the plan; undefined if the caller has made
   * sure that none did
   */
  commit(outcomes: readonly ReadOutcome[], gone: readonly DocumentRow[], planned?: PlannedRows): void {
    const store = this.#store;
    store.transact(() => {
      const at = { revision: store.revision() + 1, nowMs: this.#clock.nowMs() };
      for (const row of gone) {
        if (planned?.isStill(row.path, store.documents.get(row.path)) === false) continue;
        this.#remove(row);
        store.problems.replaceOfDocument(row.path, []);
      }
      let isChanged = false;
      for (const outcome of outcomes) if (this.#take(outcome, at, planned)) isChanged = true;
      if (this.#projection.project(at)) isChanged = true;
      if (isChanged) store.setRevision(at);
    });
  }

  /** Notes paths that are to be looked at again. */
  hold(paths: readonly string[]): void {
    this.#held.push(...paths);
  }

  result(): IndexResult {
    return {
      documents: this.#store.documents.count(),
      added: this.#added,
      changed: this.#changed,
      removed: this.#removed,
      revision: this.#store.revision(),
      modelFacts: this.#modelFacts,
      held: this.#held,
    };
  }

  /** @returns whether the structure of the document changed */
  #take(outcome: ReadOutcome, at: Revision, planned: PlannedRows | undefined): boolean {
    const { documents, outlines, problems } = this.#store;
    const { path } = outcome;
    const row = documents.get(path);
    if (planned?.isStill(path, row) === false) return false;
    switch (outcome.outcome) {
      case 'unreadable':
        if (outcome.isHeld) this.#held.push(path);
        // What the document said still counts.
        if (row && outcome.isHeld) return false;
        if (row) this.#remove(row);
        problems.replaceOfDocument(path, outcome.problems);
        return false;
      case 'same':
        if (row !== undefined && row.stamp !== outcome.stamp) documents.restamp(row.id, outcome.stamp);
        return false;
      case 'read': {
        const { stamp, sha256, contribution } = outcome;
        const { title } = contribution;
        const extractorVersion = EXTRACTOR_VERSION;
        const id = documents.put({
          path,
          stamp,
          sha256,
          extractorVersion,
          schemaStamp: outcome.schemaStamp,
          extractionStamp: outcome.extractionStamp,
          title,
          indexedMs: at.nowMs,
        });
        problems.replaceOfDocument(path, contribution.problems);
        this.#projection.contribute(id, path, contribution);
        if (row) this.#changed += 1;
        else this.#added += 1;
        this.#count(outcome.modelFigures);
        return outlines.put(id, outcome.outline, at);
      }
    }
  }

  #count({ found, confirmed, dropped }: ModelFigures): void {
    const before = this.#modelFacts;
    this.#modelFacts = {
      found: before.found + found,
      confirmed: before.confirmed + confirmed,
      dropped: before.dropped + dropped,
    };
  }

  #remove(row: DocumentRow): void {
    this.#projection.retract(row.id);
    this.#store.documents.remove(row.id);
    this.#removed += 1;
  }
}
