/** What search promises to all who ask: the command line, the mount, the context pipeline, tools. */
import type { Awaitable } from './resolver.ts';

/** The ways by which a passage is found. Each ranks on its own; the ranks are fused. */
export const RETRIEVERS = ['keyword', 'graph', 'vector', 'recency', 'literal'] as const;
export type RetrieverName = (typeof RETRIEVERS)[number];

export const HIT_KINDS = ['document', 'node', 'memory', 'history'] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/** What was asked, taken apart. */
export interface ParsedQuery {
  /** What is looked for in words: the query without its filters and exclusions. */
  readonly text: string;
  /** Must stand so in a hit, but for case and white space. */
  readonly phrases: readonly string[];
  readonly excluded: readonly string[];
  /** Kinds of hit or types of node, in lower case: any of them. */
  readonly types: readonly string[];
  /** All of them. */
  readonly tags: readonly string[];
  /** Paths of the mount: below any of them. */
  readonly scopes: readonly string[];
  /** First moment, inclusive. Milliseconds since 1970. */
  readonly afterMs: number | undefined;
  /** Last moment, exclusive. */
  readonly beforeMs: number | undefined;
  readonly related: readonly RelatedTo[];
  /** What looks like a filter and cannot be one. It was taken as text. */
  readonly problems: readonly QueryProblem[];
}

/** Nodes within so many edges of a node. */
export interface RelatedTo {
  readonly name: string;
  readonly depth: number;
}

export interface QueryProblem {
  /** 1-based, in characters. */
  readonly column: number;
  readonly message: string;
}

/** What a path may look like: a RegExp without flags that remember, or anything else that says so. */
export interface PathPattern {
  /** The pattern as it was written, and what it is read with: the same for patterns that match the same. */
  readonly source: string;
  readonly flags: string;
  test(path: string): boolean;
}

export interface SearchOptions {
  readonly limit: number;
  /** Besides the scopes of the query: a path of the mount, or several, of which one is enough. Default `/`. */
  readonly scope?: string | readonly string[];
  /** Finds memories that others supersede, too. Default false. */
  readonly superseded?: boolean;
  /** At most so many passages of one source; of more than that, what each of them says counts for more than that hits are of many sources. Default 3. */
  readonly passagesOfSource?: number;
  /** How many edges the graph is followed from what the question names, 0 to 5. Default: what serves best. */
  readonly depth?: number;
  /** Only paths of the mount that it matches. */
  readonly pathPattern?: PathPattern;
  /** Only passages that hold this, in any case. */
  readonly contains?: string;
  /** Whether hits say what they say, and in whole sentences, which are longer; without that they are there sooner. Default true. */
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
  /** In the mount, absolute: `/docs/charges/create-charge.md`. */
  readonly path: string;
  /** Where the passage begins: 1-based; 0 where the hit is no place in a text. */
  readonly line: number;
  /** Inclusive. */
  readonly endLine: number;
  readonly kind: HitKind;
  /** Type of a node, kind of a memory entry; else absent. */
  readonly type?: string;
  readonly title: string;
  /** The headings it stands under, outermost first. */
  readonly headings: readonly string[];
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /**
   * How much it says of what is asked, as part of what the one says that says most: from 0 to 1. The score is made of ranks, which hardly tell a good hit from
   * a bad one. Absent where it was found by something else than what it says.
   */
  readonly strength?: number;
  /** The rank in each retriever that found it, from 1. */
  readonly retrievers: Readonly<Partial<Record<RetrieverName, number>>>;
  /** The way that the graph brought it; empty where it did not. */
  readonly hops: readonly Hop[];
  /** When what it shows last changed: milliseconds since 1970. */
  readonly dateMs: number;
  /** Whether the file has changed since it was indexed. What is gone is no hit. */
  readonly stale: boolean;
  /** Whether it is memory that waits for a person to accept it. */
  readonly waits?: boolean;
  /** The part of its text that answers best, in one line or a few. */
  readonly snippet: string;
  /** The line in which the snippet begins. Absent where that is not known, or it is no place in a text. */
  readonly snippetLine?: number;
}

export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** Nodes that the question names, as listed in `graph/nodes`. */
  readonly named: readonly string[];
  /** Why vectors had no part in it where they were to: asked again, it may be another one though nothing changed. */
  readonly lack?: string;
  /** Paths of what may say what must stand in a hit, and cannot be read at this moment, so that nobody knows; at least one. */
  readonly unread?: readonly string[];
}

/** Search over docs, graph, memory and history. */
export interface SearchEngine {
  /** Never throws for what a question says. */
  search(query: ParsedQuery, options: SearchOptions): Awaitable<SearchAnswer>;
  /** The text of a passage that was found, as it is now; undefined where it is gone. Whole: lines `line` to `endLine`, or all that a node or an entry says. */
  textOf(hit: Pick<SearchHit, 'path' | 'kind' | 'line' | 'endLine'>): string | undefined;
  /** Stays the same as long as answers do. */
  revision(): string;
}
