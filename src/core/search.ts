/** What search promises to all its users: the command line, the mount, the context pipeline, tools. */
import type { Awaitable } from './resolver.ts';

/** The ways to find a passage. Each makes a ranking of its own, and the rankings are fused. */
export const RETRIEVERS = ['keyword', 'graph', 'vector', 'recency', 'literal'] as const;
export type RetrieverName = (typeof RETRIEVERS)[number];

export const HIT_KINDS = ['document', 'node', 'memory', 'history'] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/** A question, taken apart. */
export interface ParsedQuery {
  /** The words to look for: the query without its filters and exclusions. */
  readonly text: string;
  /** Texts that a hit has to contain, apart from case and white space. */
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
  /** Kinds of hit or types of node, in lower case. A hit has to be of one of them. */
  readonly types: readonly string[];
  /** A hit has to have all of them. */
  readonly tags: readonly string[];
  /** Paths of the mount. A hit has to lie below one of them. */
  readonly scopes: readonly string[];
  /** The first moment that counts, in milliseconds since 1970. */
  readonly afterMs: number | undefined;
  /** The first moment that no longer counts. */
  readonly beforeMs: number | undefined;
  readonly related: readonly RelatedTo[];
  /** Parts that look like filters and cannot be any. They were taken as text. */
  readonly problems: readonly QueryProblem[];
}

/** A filter for nodes within so many edges of a node. */
export interface RelatedTo {
  readonly name: string;
  readonly depth: number;
}

export interface QueryProblem {
  /** 1-based, in characters. */
  readonly column: number;
  readonly message: string;
}

/** A test of paths: a RegExp without the flags that keep a position (`g`, `y`), or anything of that shape. */
export interface PathPattern {
  /** The pattern as it was written, which together with the flags stands for what it matches. */
  readonly source: string;
  readonly flags: string;
  test(path: string): boolean;
}

export interface SearchOptions {
  readonly limit: number;
  /** Paths of the mount, in addition to the scopes of the query. A hit has to lie below one of them. Default `/`. */
  readonly scope?: string | readonly string[];
  /** Whether to find memories that others supersede as well. Default false. */
  readonly superseded?: boolean;
  /** How many passages of one source there may be at most. Above the default, the passages' own merit counts for more than variety of sources. Default 3. */
  readonly passagesOfSource?: number;
  /** How many edges to follow in the graph from what the question names, 0 to 5. Default: what serves best. */
  readonly depth?: number;
  /** Keeps only hits at paths of the mount that it matches. */
  readonly pathPattern?: PathPattern;
  /** Keeps only passages that contain this text, in upper or lower case. */
  readonly contains?: string;
  /** Whether hits come with snippets, or with snippets in whole sentences, which are longer. Without any, hits are there sooner. Default true. */
  readonly snippets?: boolean | 'sentences';
  readonly signal?: AbortSignal;
}

/** One step on the way from what the question names to a hit. */
export interface Hop {
  /** Labels of nodes. */
  readonly from: string;
  readonly edgeType: string;
  readonly to: string;
  /** `charges/create-charge.md:31`, relative to the docs root. */
  readonly evidence?: string;
}

/** A passage, a node or an entry that answers. */
export interface SearchHit {
  /** Absolute path in the mount: `/docs/charges/create-charge.md`. */
  readonly path: string;
  /** 1-based line where the passage begins; 0 if the hit is no place in a text. */
  readonly line: number;
  /** The last line of the passage. */
  readonly endLine: number;
  readonly kind: HitKind;
  /** The type of a node, or the kind of a memory entry; absent for other hits. */
  readonly type?: string;
  readonly title: string;
  /** The headings that the passage stands under, outermost first. */
  readonly headings: readonly string[];
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /**
   * How much it says about the question, from 0 to 1, where 1 is the hit that says most. The score cannot tell that: it is made of ranks, and those of good
   * and bad hits hardly differ. Absent for a hit that was found by something else than its text.
   */
  readonly strength?: number;
  /** The rank in each retriever that found it, from 1. */
  readonly retrievers: Readonly<Partial<Record<RetrieverName, number>>>;
  /** The path through the graph by which it was found; empty if it was found otherwise. */
  readonly hops: readonly Hop[];
  /** When what it shows last changed: milliseconds since 1970. */
  readonly dateMs: number;
  /** Whether the file has changed since it was indexed. A file that is gone is no hit. */
  readonly stale: boolean;
  /** Whether it is a memory that waits for a person to accept it. */
  readonly waits?: boolean;
  /** The part of its text that answers best, in one line or a few. */
  readonly snippet: string;
  /** The line where the snippet begins. Absent if that is not known, or the hit is no place in a text. */
  readonly snippetLine?: number;
}

export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** Nodes that the question names, as listed in `graph/nodes`. */
  readonly named: readonly string[];
  /** Why vectors had no part in the answer though they are configured. The same question may then get another answer later, though nothing changed. */
  readonly lack?: string;
  /** Paths that cannot be read at this moment, and might contain what a hit has to contain. At least one, if present. */
  readonly unread?: readonly string[];
  /** If there are no hits: what each filter asks for that nothing has, in one sentence each. At least one, if present. */
  readonly empty?: readonly string[];
}

/** Search over docs, graph, memory and history. */
export interface SearchEngine {
  /** Never throws for what a question says. */
  search(query: ParsedQuery, options: SearchOptions): Awaitable<SearchAnswer>;
  /** The whole text of a hit as it is now: lines `line` to `endLine`, or everything that a node or an entry says. Undefined if it is gone. */
  textOf(hit: Pick<SearchHit, 'path' | 'kind' | 'line' | 'endLine'>): string | undefined;
  /** Stays the same for as long as answers do. */
  revision(): string;
}
