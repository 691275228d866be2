import type { SearchStore } from '../store/search-store.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import type { SourceText } from './passages/source-text.ts';
import type { ReadOutcome } from './read-document.ts';
import { versionOf } from './stamp.ts';

/** Carries batches into what search knows. */
export class SearchRun {
  readonly #store: SearchStore;

  constructor(store: SearchStore) {
    this.#store = store;
  }

  /** One transaction. @param gone paths of files that are no more, or are not shown any more */
  commit(outcomes: readonly ReadOutcome[], gone: readonly string[]): void {
    if (gone.length === 0 && outcomes.length === 0) return;
    const { sources } = this.#store;
    this.#store.transact(() => {
      for (const path of gone) sources.removeFile(path);
      for (const outcome of outcomes) this.#take(outcome);
    });
  }

  #take(outcome: ReadOutcome): void {
    const { sources } = this.#store;
    const { path } = outcome;
    if (outcome.outcome === 'unreadable') {
      sources.removeFile(path);
      return;
    }
    const { stamp, sha256, source } = outcome;
    if (source === undefined) sources.restamp(path, stamp, modifiedMsOf(stamp));
    else this.#put(path, stamp, sha256, source);
  }

  #put(path: string, stamp: string, sha256: string, source: SourceText): void {
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
    if (sources.file(path) === undefined) passages.add(sources.add(row), source.passages);
    else passages.replace(sources.put(row), source.passages);
  }
}

function modifiedMsOf(stamp: string): number {
  return Number(versionOf(stamp).modifiedNs / 1_000_000n);
}
