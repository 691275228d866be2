import { HIT_KINDS, type HitKind, type ParsedQuery, type SearchOptions } from '../core/search.ts';
import type { Corpus, ListedSource, SearchedSource } from './corpus.ts';
import { Scope } from './scope.ts';

/** What the graph says about the sources that a filter lets through. */
export interface GraphFilters {
  /** Paths of the mount of nodes and documents within this many edges of a node; undefined if there is no such node. */
  around(name: string, depth: number): ReadonlySet<string> | undefined;
  /** Paths of the mount of documents that mention a node of a type, which is given in lower case. */
  speakingOf(type: string): ReadonlySet<string>;
}

/** Decides which sources a question may find at all. It is applied before anything is ranked, so even a filter that lets few through finds all of those. */
export class Filter {
  readonly #query: ParsedQuery;
  readonly #options: SearchOptions;
  readonly #scope: Scope;
  readonly #around: readonly (ReadonlySet<string> | undefined)[];
  readonly #speaking: ReadonlySet<string>;

  constructor(query: ParsedQuery, options: SearchOptions, graph: GraphFilters) {
    this.#query = query;
    this.#options = options;
    this.#scope = new Scope(query, options);
    this.#around = query.related.map(({ name, depth }) => graph.around(name, depth));
    // If documents are asked for by name, a type selects the documents that mention a node of that type.
    const types = this.#scope.names('document') ? query.types.filter((type) => !isKind(type)) : [];
    this.#speaking = new Set(types.flatMap((type) => [...graph.speakingOf(type)]));
  }

  /** Whether anything of a kind can pass. History is only searched if it is asked for. */
  reaches(kind: HitKind): boolean {
    const { types } = this.#query;
    const isAsked = types.includes(kind) || this.#scope.names(kind);
    return this.#scope.reaches(kind) && (kind !== 'history' || isAsked);
  }

  /** Whether the whole store passes. */
  isOpenFor(corpus: Corpus): boolean {
    const { types, tags, afterMs, beforeMs, related } = this.#query;
    const { superseded, pathPattern } = this.#options;
    if (types.length + tags.length + related.length > 0) return false;
    if (afterMs !== undefined || beforeMs !== undefined || pathPattern !== undefined) return false;
    if (corpus.name === 'docs') return this.#scope.holdsAll('document') && this.#scope.holdsAll('node');
    return this.#scope.holdsAll(corpus.name) && (superseded === true || !corpus.hasSuperseded());
  }

  /** Equal for filters that let the same through. */
  get key(): string {
    const { types, tags, scopes, afterMs, beforeMs, related } = this.#query;
    const { scope, superseded, pathPattern } = this.#options;
    const pattern = pathPattern && [pathPattern.source, pathPattern.flags];
    return JSON.stringify([types, tags, scopes, afterMs, beforeMs, related, scope, superseded, pattern]);
  }

  passes(source: ListedSource): boolean {
    const { tags, afterMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY } = this.#query;
    if (source.isSuperseded === true && this.#options.superseded !== true) return false;
    if (source.dateMs < afterMs || source.dateMs >= beforeMs) return false;
    if (!tags.every((tag) => source.tags.includes(tag)) || !this.#isOfType(source)) return false;
    if (!this.#scope.holdsAll(source.kind) && !this.#scope.holds(source.path)) return false;
    if (!this.#around.every((paths) => paths?.has(source.path))) return false;
    const { pathPattern } = this.#options;
    return pathPattern === undefined || pathPattern.test(source.path);
  }

  #isOfType(source: SearchedSource): boolean {
    const { types } = this.#query;
    if (types.length === 0) return true;
    const { kind, type } = source;
    if (types.some((wanted) => wanted === kind || wanted === type)) return true;
    return kind === 'document' && this.#speaking.has(source.path);
  }
}

function isKind(type: string): boolean {
  return HIT_KINDS.some((kind) => kind === type);
}

/** By passage id of a store: 1 if it may be found; undefined if all may. */
export function allowedIn(corpus: Corpus, filter: Filter): Uint8Array | undefined {
  if (filter.isOpenFor(corpus)) return undefined;
  const passing = new Set<number>();
  for (const source of corpus.sources()) if (filter.passes(source)) passing.add(source.id);
  return Uint8Array.from(corpus.sourceIds(), (id) => (passing.has(id) ? 1 : 0));
}
