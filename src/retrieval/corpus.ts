import type { Awaitable } from '../core/resolver.ts';
import type { HitKind } from '../core/search.ts';
import type { FoundPassage } from '../store/passages.ts';
import type { Postings } from '../store/postings.ts';

/** What a passage is of: a document, a node, an entry. */
export interface SearchedSource {
  readonly id: number;
  readonly kind: HitKind;
  /** In the mount, absolute. */
  readonly path: string;
  readonly title: string;
  /** In lower case: of a node its type, of a memory its kind, of a document what its front matter gives; else empty. */
  readonly type: string;
  /** The same as it is shown: `APIObject`. */
  readonly shownType: string;
  /** In lower case. */
  readonly tags: readonly string[];
  /** When it happened, where it says so itself; else when it last changed. Milliseconds since 1970. */
  readonly dateMs: number;
}

/** A source as a filter sees it. */
export interface ListedSource extends SearchedSource {
  /** Of a memory: whether another one supersedes it. */
  readonly isSuperseded?: boolean;
}

/** `stale`: it has changed since it was indexed, or nobody can say. */
export type SourceState = 'fresh' | 'stale' | 'gone';

/** Lines of a text, 1-based and inclusive. */
export interface Span {
  readonly line: number;
  readonly endLine: number;
}

/** Passages of one store. Answers may differ as soon as `revision` does. */
export interface Corpus {
  readonly name: 'docs' | 'memory' | 'history';
  revision(): string;
  /** Answers all that the body asks from one unmoving state, which spares the store a look at its file each time. */
  still(body: () => void): void;
  /** Takes in all that changed, in steps between which others are served. Called before a question that reaches it. */
  settle?(): Awaitable<void>;
  /** The latest change of anything in it: milliseconds since 1970, 0 where there is nothing. */
  newestMs(): number;
  count(): number;
  /** In how many passages a term stands. */
  frequency(term: string): number;
  holding(term: string): Postings;
  /** Passages in whose title or headings it stands. */
  named(term: string): Postings;
  /** Terms that begin so, the most frequent first. */
  termsWith(
    beginning: string,
    limit: number,
  ): readonly { readonly term: string; readonly frequency: number }[];
  /** Whether any entry is superseded by another. */
  hasSuperseded(): boolean;
  /** By passage: the id of its source; 0 for none. */
  sourceIds(): Int32Array;
  /** By source: its place in the order of paths, which tells nothing of when each came to be, as ids do. */
  sourcePlaces(): Int32Array;
  /** Whether a source that is there is a node of the graph. It takes no look at the source. */
  isNode(sourceId: number): boolean;
  /** By passage: its place in the order of sources, and in that of the text. */
  places(): Int32Array;
  read(ids: readonly number[]): readonly FoundPassage[];
  passagesOf(sourceId: number): readonly FoundPassage[];
  /** How many passages a source has. */
  passageCountOf(sourceId: number): number;
  /** All of them, for filters. */
  sources(): Iterable<ListedSource>;
  source(id: number): SearchedSource | undefined;
  /** The source at a path of the mount. */
  sourceAt(path: string): SearchedSource | undefined;
  /** As of this moment, whatever was indexed. */
  state(source: SearchedSource): SourceState;
  /**
   * The lines as they are now, undefined where the source is gone. All that it says, for one without lines.
   * @throws FsError where it cannot be read at this moment
   */
  text(source: SearchedSource, span: Span): string | undefined;
}
