import { inSlices } from '../core/slices.ts';
import { WITHIN_MEMORY } from '../core/tree-points.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceRow } from '../store/sources.ts';
import type { SearchedSource, SourceState, Span } from './corpus.ts';
import { StoredCorpus } from './stored-corpus.ts';

/** Memory, as search asks it. Places are texts such as `fact/refunds`. */
export interface RememberedEntries {
  /** Takes in a part of what changed. @returns whether nothing is left */
  catchUp(): boolean;
  /** Changes with what was taken in, and not before: by then there may be more. */
  takenIn(): string;
  stateOf(place: string): 'remembered' | 'superseded' | 'gone';
  superseded(): ReadonlySet<string>;
  /** Undefined where there is no such entry, or it is no text. */
  content(place: string): string | undefined;
}

/** What is remembered. */
export class MemoryCorpus extends StoredCorpus {
  readonly name = 'memory';
  readonly #entries: RememberedEntries;

  /** @param store of entries alone */
  constructor(store: SearchStore, entries: RememberedEntries) {
    super(store);
    this.#entries = entries;
  }

  readonly settle = inSlices(() => this.#entries.catchUp());

  /** What is answered by it is by all that changed, if that is little. */
  protected currentRevision(): string {
    this.#entries.catchUp();
    return `${this.store.dataVersion()}.${this.#entries.takenIn()}`;
  }

  hasSuperseded(): boolean {
    return this.#entries.superseded().size > 0;
  }

  *sources(): Generator<SearchedSource> {
    const superseded = this.#entries.superseded();
    for (const row of this.store.sources.all()) yield sourceOf(row, superseded.has(row.path));
  }

  source(id: number): SearchedSource | undefined {
    return this.#sourceOf(this.store.sources.byId(id));
  }

  sourceAt(path: string): SearchedSource | undefined {
    return path.startsWith(WITHIN_MEMORY)
      ? this.#sourceOf(this.store.sources.file(path.slice(WITHIN_MEMORY.length)))
      : undefined;
  }

  state({ path }: SearchedSource): SourceState {
    return this.#entries.stateOf(path.slice(WITHIN_MEMORY.length)) === 'gone' ? 'gone' : 'fresh';
  }

  text({ path }: SearchedSource, { line, endLine }: Span): string | undefined {
    const lines = this.#entries.content(path.slice(WITHIN_MEMORY.length))?.split('\n');
    return lines?.slice(Math.max(0, line - 1), endLine).join('\n');
  }

  #sourceOf(row: SourceRow | undefined): SearchedSource | undefined {
    return row && sourceOf(row, this.#entries.stateOf(row.path) === 'superseded');
  }
}

function sourceOf({ id, path, title, type, tags, dateMs }: SourceRow, isSuperseded: boolean): SearchedSource {
  return {
    id,
    kind: 'memory',
    path: `${WITHIN_MEMORY}${path}`,
    title,
    type,
    shownType: type,
    tags: tags === '' ? [] : tags.trim().split('\n'),
    dateMs,
    isSuperseded,
  };
}
