import { LRUCache } from 'lru-cache';
import type { FoundPassage } from '../store/passages.ts';
import type { Postings, SourceOrder } from '../store/postings.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceRow } from '../store/sources.ts';
import type { Corpus, ListedSource, SearchedSource, SourceState, Span } from './corpus.ts';

/** How many passage ids are cached, 4 bytes each. */
const MAX_REMEMBERED_POSTINGS = 1_000_000;
const MAX_REMEMBERED_FREQUENCIES = 20_000;
/** In bytes, roughly: most passages have a few hundred, so they are not counted by their number. */
const MAX_REMEMBERED_PASSAGE_BYTES = 12 << 20;
/** What a cached passage takes besides its texts. */
const PASSAGE_OVERHEAD_BYTES = 400;
/** Half a kilobyte each. */
const MAX_REMEMBERED_SOURCES = 4_000;

/** The passages of a store. Answers are cached until the store changes. */
export abstract class StoredCorpus implements Corpus {
  abstract readonly name: Corpus['name'];
  protected readonly store: SearchStore;
  readonly #holding = new LRUCache<string, Postings>({
    maxSize: MAX_REMEMBERED_POSTINGS,
    sizeCalculation: (postings) => postings.length + 1,
  });
  readonly #frequencies = new Map<string, number>();
  /** The same passages answer many questions, and reading them takes longer than ranking them. */
  readonly #passages = new LRUCache<number, FoundPassage>({
    maxSize: MAX_REMEMBERED_PASSAGE_BYTES,
    sizeCalculation: sizeOf,
  });
  readonly #sources = new LRUCache<number, SourceRow>({ max: MAX_REMEMBERED_SOURCES });
  #sourceIds: Int32Array | undefined;
  #sourceOrder: SourceOrder | undefined;
  #places: Int32Array | undefined;
  #passageCounts: Int32Array | undefined;
  #count: number | undefined;
  #revision: string | undefined;

  constructor(store: SearchStore) {
    this.store = store;
  }

  /** A text that stands for everything that answers depend on, as it is now. */
  protected abstract currentRevision(): string;
  abstract hasSuperseded(): boolean;
  abstract sources(): Iterable<ListedSource>;
  abstract source(id: number): SearchedSource | undefined;
  abstract sourceAt(path: string): SearchedSource | undefined;
  abstract state(source: Pick<SearchedSource, 'kind' | 'path'>): SourceState;
  abstract text(source: SearchedSource, span: Span): string | undefined;

  revision(): string {
    const revision = this.currentRevision();
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.forget();
    }
    return revision;
  }

  /** Drops all caches. They fill again with use. */
  forget(): void {
    this.#holding.clear();
    this.#frequencies.clear();
    this.#passages.clear();
    this.#sources.clear();
    this.#sourceIds = undefined;
    this.#sourceOrder = undefined;
    this.#places = undefined;
    this.#passageCounts = undefined;
    this.#count = undefined;
  }

  still(body: () => void): void {
    this.store.snapshot(body);
  }

  newestMs(): number {
    return this.store.sources.newestMs();
  }

  count(): number {
    this.#count ??= this.store.passages.count();
    return this.#count;
  }

  frequency(term: string): number {
    let frequency = this.#frequencies.get(term);
    if (frequency === undefined) {
      frequency = this.store.passages.frequency(term);
      if (this.#frequencies.size >= MAX_REMEMBERED_FREQUENCIES) this.#frequencies.clear();
      this.#frequencies.set(term, frequency);
    }
    return frequency;
  }

  holding(term: string): Postings {
    return this.#remembered(`b${term}`, () => this.store.postings.holding(term));
  }

  named(term: string): Postings {
    return this.#remembered(`n${term}`, () => this.store.postings.named(term));
  }

  termsWith(beginning: string, limit: number): { term: string; frequency: number }[] {
    return this.store.passages.termsWith(beginning, limit);
  }

  sourceIds(): Int32Array {
    this.#sourceIds ??= this.store.postings.sourceIds();
    return this.#sourceIds;
  }

  sourcePlaces(): Int32Array {
    return this.#order().places;
  }

  isNode(sourceId: number): boolean {
    const { places, fileCount } = this.#order();
    return (places[sourceId] ?? 0) >= fileCount;
  }

  places(): Int32Array {
    this.#places ??= placesWithin(this.sourceIds(), this.sourcePlaces());
    return this.#places;
  }

  read(ids: readonly number[]): FoundPassage[] {
    const found = new Map<number, FoundPassage>();
    const missing: number[] = [];
    for (const id of ids) {
      const known = this.#passages.get(id);
      if (known === undefined) missing.push(id);
      else found.set(id, known);
    }
    for (const passage of this.store.postings.read(missing)) {
      this.#passages.set(passage.id, passage);
      found.set(passage.id, passage);
    }
    const passages: FoundPassage[] = [];
    for (const id of ids) {
      const passage = found.get(id);
      if (passage !== undefined) passages.push(passage);
    }
    return passages;
  }

  /** The row of a source; undefined if there is none with this id. */
  protected row(id: number): SourceRow | undefined {
    const row = this.#sources.get(id) ?? this.store.sources.byId(id);
    if (row !== undefined) this.#sources.set(id, row);
    return row;
  }

  passagesOf(sourceId: number): FoundPassage[] {
    return this.store.passages.ofSource(sourceId);
  }

  passageCountOf(sourceId: number): number {
    this.#passageCounts ??= countBySource(this.sourceIds(), this.sourcePlaces().length);
    return this.#passageCounts[sourceId] ?? 0;
  }

  #order(): SourceOrder {
    this.#sourceOrder ??= this.store.postings.sourceOrder();
    return this.#sourceOrder;
  }

  #remembered(key: string, ask: () => Postings): Postings {
    let postings = this.#holding.get(key);
    if (postings === undefined) {
      postings = ask();
      this.#holding.set(key, postings);
    }
    return postings;
  }
}

function sizeOf({ headings, titleTerms, headingTerms, bodyBag }: FoundPassage): number {
  return PASSAGE_OVERHEAD_BYTES + headings.length + titleTerms.length + headingTerms.length + bodyBag.length;
}

/** @param length one more than the highest id of a source */
function countBySource(sourceIds: Int32Array, length: number): Int32Array {
  const counts = new Int32Array(length);
  for (const sourceId of sourceIds) counts[sourceId] = (counts[sourceId] ?? 0) + 1;
  return counts;
}

/** By passage id. Passages of one source are in the order of its text already, so counting them by source replaces sorting. */
function placesWithin(sourceIds: Int32Array, sourcePlaces: Int32Array): Int32Array {
  const next = new Int32Array(sourcePlaces.length + 1);
  for (const sourceId of sourceIds) {
    const following = (sourcePlaces[sourceId] ?? 0) + 1;
    next[following] = (next[following] ?? 0) + 1;
  }
  for (let place = 1; place < next.length; place += 1)
    next[place] = (next[place] ?? 0) + (next[place - 1] ?? 0);
  return sourceIds.map((sourceId) => {
    const at = sourcePlaces[sourceId] ?? 0;
    const place = next[at] ?? 0;
    next[at] = place + 1;
    return place;
  });
}
