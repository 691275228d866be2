import { inSlices } from '../core/slices.ts';
import { WITHIN_HISTORY } from '../core/tree-points.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceRow } from '../store/sources.ts';
import type { SearchedSource, SourceState, Span } from './corpus.ts';
import { StoredCorpus } from './stored-corpus.ts';

/** The history as search needs it. Names are those of its files. */
export interface HistoryFiles {
  /** Takes in a part of what happened since the last call. @returns whether nothing is left */
  catchUp(): boolean;
  /** Changes when something is taken in. */
  takenIn(): number;
  has(name: string): boolean;
  /** 1-based and inclusive; undefined if the file is gone. */
  lines(name: string, line: number, endLine: number): string | undefined;
}

/** The history. It is only searched if it is asked for, and then in its state of that moment. */
export class HistoryCorpus extends StoredCorpus {
  readonly name = 'history';
  readonly #files: HistoryFiles;

  /** @param store of the history alone */
  constructor(store: SearchStore, files: HistoryFiles) {
    super(store);
    this.#files = files;
  }

  readonly settle = inSlices(() => this.#files.catchUp());

  protected currentRevision(): string {
    return `${this.store.dataVersion()}.${this.#files.takenIn()}`;
  }

  hasSuperseded(): boolean {
    return false;
  }

  *sources(): Generator<SearchedSource> {
    for (const row of this.store.sources.all()) yield sourceOf(row);
  }

  source(id: number): SearchedSource | undefined {
    const row = this.row(id);
    return row && sourceOf(row);
  }

  sourceAt(path: string): SearchedSource | undefined {
    if (!path.startsWith(WITHIN_HISTORY)) return undefined;
    const row = this.store.sources.file(path.slice(WITHIN_HISTORY.length));
    return row && sourceOf(row);
  }

  state({ path }: Pick<SearchedSource, 'path'>): SourceState {
    return this.#files.has(path.slice(WITHIN_HISTORY.length)) ? 'fresh' : 'gone';
  }

  text({ path }: SearchedSource, { line, endLine }: Span): string | undefined {
    return this.#files.lines(path.slice(WITHIN_HISTORY.length), line, endLine);
  }
}

function sourceOf({ id, path, title, type, dateMs }: SourceRow): SearchedSource {
  return {
    id,
    kind: 'history',
    path: `${WITHIN_HISTORY}${path}`,
    title,
    type,
    shownType: type,
    tags: [],
    dateMs,
  };
}
