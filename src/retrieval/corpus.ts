import type { Awaitable } from '../core/resolver.ts';
import type { HitKind } from '../core/search.ts';
import type { FoundPassage } from '../store/passages.ts';
import type { Postings } from '../store/postings.ts';

/** What a passage belongs to: a document, a node or an entry. */
export interface SearchedSource {
  readonly id: number;
  readonly kind: HitKind;
  /** The path in the mount, absolute. */
  readonly path: string;
  readonly title: string;
  /** In lower case: the type of a node, the kind of a memory, the type in the front matter of a document; else empty. */
  readonly type: string;
  /** The same as it is shown: `APIObject`. */
  readonly shownType: string;
  /** In lower case. */
  readonly tags: readonly string[];
  /** When it happened, if the source says so itself; else when it last changed. Milliseconds since 1970. */
  readonly dateMs: number;
}

/** A source with what filters need to know. */
export interface ListedSource extends SearchedSource {
  /** For a memory: whether another one supersedes it. */
  readonly isSuperseded?: boolean;
}

/** `stale`: it has changed since it was indexed, or that cannot be told. */
export type SourceState = 'fresh' | 'stale' | 'gone';

/** A range of lines of a text, 1-based and inclusive. */
export interface Span {
  readonly line: number;
  readonly endLine: number;
}

/** The passages of one store. Answers may differ as soon as `revision` does. */
export interface Corpus {
  readonly name: 'docs' | 'memory' | 'history';
  revision(): string;
  /** Answers all calls from the body in one unchanging state, which saves the store from checking its file each time. */
  still(body: () => void): void;
  /** Takes in all changes, in steps between which other requests are served. To be called before a question that includes this corpus. */
  settle?(): Awaitable<void>;
  /** When anything in it last changed: milliseconds since 1970, 0 if it is empty. */
  newestMs(): number;
  count(): number;
  /** In how many passages a term occurs. */
  frequency(term: string): number;
  holding(term: string): Postings;
  /** Passages whose title or headings contain a term. */
  named(term: string): Postings;
  /** Terms with this beginning, most frequent first. */
  termsWith(
    beginning: string,
    limit: number,
  ): readonly { readonly term: string; readonly frequency: number }[];
  /** Whether any entry is superseded by another one. */
  hasSuperseded(): boolean;
  /** By passage id: the id of its source, or 0 if there is no such passage. */
  sourceIds(): Int32Array;
  /** By source id: its position in the order of paths. Unlike ids, that does not depend on when a source was added. */
  sourcePlaces(): Int32Array;
  /** Whether an existing source is a node of the graph. The source is not read for that. */
  isNode(sourceId: number): boolean;
  /** By passage id: its position in the order of sources, and in that of the text. */
  places(): Int32Array;
  read(ids: readonly number[]): readonly FoundPassage[];
  passagesOf(sourceId: number): readonly FoundPassage[];
  /** How many passages a source has. */
  passageCountOf(sourceId: number): number;
  /** All sources, for filters. */
  sources(): Iterable<ListedSource>;
  source(id: number): SearchedSource | undefined;
  /** The source at a path of the mount. */
  sourceAt(path: string): SearchedSource | undefined;
  /** The state at this moment, independent of what was indexed. */
  state(source: Pick<SearchedSource, 'kind' | 'path'>): SourceState;
  /**
   * The lines as they are now; undefined if the source is gone. For a source without lines, its whole text.
   * @throws FsError if it cannot be read at this moment
   */
  text(source: SearchedSource, span: Span): string | undefined;
}
