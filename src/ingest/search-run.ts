import { nsToMs } from '../core/node-info.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceRow } from '../store/sources.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import type { SourceText } from './passages/source-text.ts';
import type { PlannedRows } from './planned-rows.ts';
import type { ReadOutcome } from './read-document.ts';
import { versionOf } from './stamp.ts';

interface Read {
  readonly path: string;
  readonly stamp: string;
  readonly sha256: string;
  readonly source: SourceText;
}

/** Writes batches to the search store. */
export class SearchRun {
  readonly #store: SearchStore;

  constructor(store: SearchStore) {
    this.#store = store;
  }

  /**
   * Writes a batch in one transaction, without files that another process has written about since the plan.
   * @param gone paths of files that no longer exist, or are no longer shown
   */
  commit(outcomes: readonly ReadOutcome[], gone: readonly string[], planned: PlannedRows): void {
    if (gone.length === 0 && outcomes.length === 0) return;
    const { sources } = this.#store;
    this.#store.transact(() => {
      for (const path of gone) if (planned.isStill(path, sources.file(path))) sources.removeFile(path);
      for (const outcome of outcomes) this.#take(outcome, planned);
    });
  }

  #take(outcome: ReadOutcome, planned: PlannedRows): void {
    const { sources } = this.#store;
    const { path } = outcome;
    const known = sources.file(path);
    if (!planned.isStill(path, known)) return;
    if (outcome.outcome === 'unreadable') {
      if (outcome.isHeld) return;
      sources.removeFile(path);
      return;
    }
    const { stamp, sha256, source } = outcome;
    if (source !== undefined) this.#put({ path, stamp, sha256, source }, known);
    else if (known?.stamp !== stamp) sources.restamp(path, stamp, modifiedMsOf(stamp));
  }

  #put({ path, stamp, sha256, source }: Read, known: SourceRow | undefined): void {
    const { sources, passages } = this.#store;
    const modifiedMs = modifiedMsOf(stamp);
    const { kind, title, type, tags, dateMs = modifiedMs } = source;
    const row = {
      kind,
      path,
      stamp,
      sha256,
      version: PASSAGES_VERSION,
      title,
      type,
      tags: tags.length === 0 ? '' : `\n${tags.join('\n')}\n`,
      modifiedMs,
      dateMs,
    };
    if (known === undefined) passages.add(sources.add(row), source.passages);
    else passages.replace(sources.put(row), source.passages);
  }
}

function modifiedMsOf(stamp: string): number {
  return nsToMs(versionOf(stamp).modifiedNs);
}
