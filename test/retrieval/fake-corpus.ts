import type { Corpus, ListedSource, SourceState } from '../../src/retrieval/corpus.ts';
import type { FoundPassage } from '../../src/store/passages.ts';

/** What a test says of a source; the rest of it is as of a page without tags of 1970. */
export interface FakeSource extends Partial<Omit<ListedSource, 'id' | 'kind'>> {
  readonly kind: ListedSource['kind'];
  readonly path: string;
  readonly state?: SourceState;
  /** What it says; undefined where it cannot be read. */
  readonly text?: string | undefined;
  /** Of its only passage; none where there is no passage. */
  readonly passage?: Partial<FoundPassage> | undefined;
}

/** Sources of one passage each, which are counted from 1, as their passages are. */
export function fakeCorpus(name: Corpus['name'], given: readonly FakeSource[]) {
  const sources = given.map((source, index): ListedSource & FakeSource => ({
    ...{ title: source.path, type: '', shownType: '', tags: [], dateMs: 0, passage: {} },
    ...source,
    id: index + 1,
  }));
  const passages = sources.flatMap(({ id, passage }): FoundPassage[] => {
    if (passage === undefined) return [];
    const place = { line: 1, endLine: 1, headings: '', before: null, after: null };
    const terms = { titleTerms: '', headingTerms: '', bodyBag: '', bodyLength: 0 };
    return [{ ...place, ...terms, ...passage, id, sourceId: id }];
  });
  const textsRead: string[] = [];
  const at = (path: string) => sources.find((source) => source.path === path);
  const corpus: Corpus = {
    name,
    revision: () => '',
    still: (body) => body(),
    newestMs: () => 0,
    count: () => passages.length,
    frequency: () => 0,
    holding: () => new Int32Array(),
    named: () => new Int32Array(),
    termsWith: () => [],
    hasSuperseded: () => sources.some(({ isSuperseded }) => isSuperseded),
    sourceIds: () => Int32Array.of(0, ...sources.map(({ id }) => id)),
    sourcePlaces: () => new Int32Array(),
    isNode: (sourceId) => sources.some(({ id, kind }) => id === sourceId && kind === 'node'),
    places: () => new Int32Array(),
    read: (ids) => passages.filter(({ id }) => ids.includes(id)),
    passagesOf: (sourceId) => passages.filter((passage) => passage.sourceId === sourceId),
    passageCountOf: () => 1,
    sources: () => sources,
    source: (id) => sources.find((source) => source.id === id),
    sourceAt: at,
    state: ({ path }) => at(path)?.state ?? 'fresh',
    text(source) {
      textsRead.push(source.path);
      return at(source.path)?.text;
    },
  };
  return { corpus, passages, textsRead };
}
