import { inSlices } from '../core/slices.ts';
import { WITHIN_MEMORY } from '../core/tree-points.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceRow } from '../store/sources.ts';
import type { ListedSource, SearchedSource, SourceState, Span } from './corpus.ts';
import { StoredCorpus } from './stored-corpus.ts';

/** Memory as search needs it. Places are texts such as `fact/refunds`. */
export interface RememberedEntries {
  /** Takes in a part of the changes. @returns whether nothing is left */
  catchUp(): boolean;
  /** Changes when something is taken in, and only then: memory itself may be further ahead. */
  takenIn(): string;
  isRemembered(place: string): boolean;
  superseded(): ReadonlySet<string>;
  /** Undefined if there is no such entry, or it is not text. */
  content(place: string): string | undefined;
}

/** The entries of memory. */
export class MemoryCorpus extends StoredCorpus {
  readonly name = 'memory';
  readonly #entries: RememberedEntries;

  /** @param store of entries alone */
  constructor(store: SearchStore, entries: RememberedEntries) {
    super(store);
    this.#entries = entries;
  }

  readonly settle = inSlices(() => this.#entries.catchUp());

  /** Takes in all changes first if they are few, so that they are part of the answer. */
  protected currentRevision(): string {
    this.#entries.catchUp();
    return `${this.store.dataVersion()}.${this.#entries.takenIn()}`;
  }

  hasSuperseded(): boolean {
    return this.#entries.superseded().size > 0;
  }

  *sources(): Generator<ListedSource> {
    const superseded = this.#entries.superseded();
    for (const row of this.store.sources.all())
      yield { ...sourceOf(row), isSuperseded: superseded.has(row.path) };
  }

  source(id: number): SearchedSource | undefined {
    const row = this.row(id);
    return row && sourceOf(row);
  }

  sourceAt(path: string): SearchedSource | undefined {
    if (!path.startsWith(WITHIN_MEMORY)) return undefined;
    const row = this.store.sources.file(path.slice(WITHIN_MEMORY.length));
    return row && sourceOf(row);
  }

  state({ path }: Pick<SearchedSource, 'path'>): SourceState {
    return this.#entries.isRemembered(path.slice(WITHIN_MEMORY.length)) ? 'fresh' : 'gone';
  }

  text({ path }: SearchedSource, { line, endLine }: Span): string | undefined {
    const lines = this.#entries.content(path.slice(WITHIN_MEMORY.length))?.split('\n');
    return lines?.slice(Math.max(0, line - 1), endLine).join('\n');
  }
}

function sourceOf({ id, path, title, type, tags, dateMs }: SourceRow): SearchedSource {
  return {
    id,
    kind: 'memory',
    path: `${WITHIN_MEMORY}${path}`,
    title,
    type,
    shownType: type,
    tags: tags === '' ? [] : tags.trim().split('\n'),
    dateMs,
  };
}
