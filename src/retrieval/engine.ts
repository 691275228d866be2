/** Search over docs, graph, memory and history. Long because what each retriever needs of a question, and the cache of answers, meet here. */
import { LRUCache } from 'lru-cache';
import { after, isPromiseLike } from '../core/awaitable.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { ParsedQuery, SearchAnswer, SearchEngine, SearchHit, SearchOptions } from '../core/search.ts';
import type { NearPassage, VectorSearch } from '../core/vector-search.ts';
import type { SearchSettings } from '../settings/search.ts';
import type { Thesaurus } from '../words/thesaurus.ts';
import type { Allowed } from './candidates.ts';
import { conceptsOf, type Vocabulary } from './concepts.ts';
import type { Corpus } from './corpus.ts';
import { emptyFilters } from './empty-filters.ts';
import { allowedIn, Filter } from './filter.ts';
import { fusedHits } from './fused-hits.ts';
import type { GraphView } from './graph-view.ts';
import { readableText } from './hits.ts';
import { isListing, listed } from './listing.ts';
import { type FoundTexts, LITERAL_HITS, type LiteralSearch, literalHits, literalUnread } from './literal.ts';
import type { RankedPassage, Ranking } from './ranking.ts';
import { type Asked, type Rankings, rankingsFor } from './rankings.ts';
import { respellingIn } from './respelling.ts';
import { Verifier } from './verifier.ts';

/** The parts of the engine that are used. An evaluation switches some off to find out what they contribute. */
export interface Switches {
  readonly thesaurus: boolean;
  readonly feedback: boolean;
  readonly graph: boolean;
  readonly vector: boolean;
}

export interface SearchParts {
  readonly corpora: readonly Corpus[];
  readonly graph: GraphView;
  readonly thesaurus: Thesaurus | undefined;
  readonly settings: SearchSettings;
  readonly switches?: Partial<Switches>;
  /** Undefined if no embeddings are configured. */
  readonly vectors?: VectorSearch | undefined;
  /** Exact search, for questions for which nothing is found otherwise: hits of the retriever `literal`. */
  readonly literal: LiteralSearch;
}

export interface SearchFigures {
  readonly questions: number;
  /** How many of them were answered from the cache. */
  readonly remembered: number;
}

export interface OpenSearch extends SearchEngine {
  figures(): SearchFigures;
  /** Steps that make the first questions as quick as later ones. Each takes some ten milliseconds, and has to be called once, in this order. */
  warmUps(): Generator<Awaitable<unknown>>;
}

const ALL_ON: Switches = { thesaurus: true, feedback: true, graph: true, vector: true };
const MAX_NEAR = 100;
/** How many of the nearest are looked at if a filter leaves only some of them. */
const MAX_NEAR_FILTERED = 1000;
const MAX_REMEMBERED = 200;
const MAX_MASKS = 16;
const WARM_QUESTIONS = 6;
const WARM_HITS = 10;

export function openSearch(parts: SearchParts): OpenSearch {
  const engine = new Engine(parts);
  return {
    search: (query, options) => engine.search(query, options),
    textOf: (hit) => engine.textOf(hit),
    revision: () => engine.revision(),
    figures: () => engine.figures(),
    warmUps: () => engine.warmUps(),
  };
}

class Engine implements SearchEngine {
  readonly #parts: SearchParts;
  readonly #switches: Switches;
  readonly #answers = new LRUCache<string, SearchAnswer>({ max: MAX_REMEMBERED });
  /** Which passages filters let through, by store and filter. */
  readonly #masks = new LRUCache<string, { readonly mask: Uint8Array | undefined }>({ max: MAX_MASKS });
  #questions = 0;
  #remembered = 0;
  #revision = '';

  constructor(parts: SearchParts) {
    this.#parts = parts;
    this.#switches = { ...ALL_ON, ...parts.switches };
  }

  revision(): string {
    const { corpora, vectors } = this.#parts;
    const revision = [...corpora, ...(vectors === undefined ? [] : [vectors])]
      .map((part) => part.revision())
      .join(' ');
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#answers.clear();
      this.#masks.clear();
    }
    return revision;
  }

  figures(): SearchFigures {
    return { questions: this.#questions, remembered: this.#remembered };
  }

  *warmUps(): Generator<Awaitable<unknown>> {
    const corpora = this.#parts.corpora.filter(({ name }) => name !== 'history');
    yield this.revision();
    for (const corpus of corpora) {
      yield corpus.sourceIds();
      yield corpus.places();
    }
    for (let step = 1; step <= WARM_QUESTIONS; step += 1) {
      yield this.#tryOut(corpora, step / (WARM_QUESTIONS + 1));
    }
  }

  /** Answers a question made of what a source is about, to warm up. @param share the position of the source, as a share of all */
  #tryOut(corpora: readonly Corpus[], share: number): Awaitable<unknown> {
    this.#parts.graph.refresh();
    this.revision();
    return this.#still(() => {
      const titles = corpora.flatMap((corpus) => {
        const sourceIds = corpus.sourceIds();
        return corpus.source(sourceIds[Math.floor(share * sourceIds.length)] ?? 0)?.title ?? [];
      });
      const asked = this.#asked(questionOf(titles.join(' ')), { limit: WARM_HITS });
      return titles.length === 0 ? undefined : this.#answer(asked, this.#ranked(asked));
    });
  }

  search(query: ParsedQuery, options: SearchOptions): Awaitable<SearchAnswer> {
    this.#parts.graph.refresh();
    const isOfHistory = new Filter(query, options, this.#parts.graph).reaches('history');
    // The history is seldom asked for, and only looked through if it is.
    const reached = this.#parts.corpora.filter(({ name }) => name !== 'history' || isOfHistory);
    const settled = reached.reduce<Awaitable<void>>(
      (before, corpus) => after(before, () => corpus.settle?.()),
      undefined,
    );
    return after(settled, () => this.#find(query, options));
  }

  #find(query: ParsedQuery, options: SearchOptions): Awaitable<SearchAnswer> {
    this.#parts.graph.refresh();
    this.revision();
    this.#questions += 1;
    const key = keyOfQuestion(query, options);
    const known = this.#answers.get(key);
    if (known?.hits.every((hit) => this.#isAsShown(hit))) {
      this.#remembered += 1;
      return known;
    }
    const revision = this.#revision;
    const remember = (answer: SearchAnswer): SearchAnswer => {
      if (this.#revision === revision && answer.unread === undefined) this.#answers.set(key, answer);
      return answer;
    };
    const { asked, ranked } = this.#still(() => {
      const asked = this.#asked(query, options);
      return { asked, ranked: isListing(query) ? this.#listing(asked) : this.#ranked(asked) };
    });
    const {
      vectors,
      settings: { weights },
    } = this.#parts;
    if (vectors === undefined || !this.#switches.vector || weights.vector === 0 || query.text === '') {
      return after(
        this.#still(() => this.#answer(asked, ranked)),
        remember,
      );
    }
    const isFiltered = asked.corpora.some((corpus) => asked.allowed(corpus) !== undefined);
    const limit = isFiltered ? MAX_NEAR_FILTERED : MAX_NEAR;
    return vectors.nearest(query.text, limit, options.signal).then(({ passages, lack }) => {
      const answer = this.#still(() => {
        const rankings = [...ranked.rankings, this.#vectorRanking(asked, passages)];
        return this.#answer(asked, { ...ranked, rankings });
      });
      // If vectors were late, they may be there the next time.
      return lack === undefined ? after(answer, remember) : after(answer, (one) => ({ ...one, lack }));
    });
  }

  textOf({
    path,
    kind,
    line,
    endLine,
  }: Pick<SearchHit, 'path' | 'kind' | 'line' | 'endLine'>): string | undefined {
    for (const corpus of this.#parts.corpora) {
      const source = corpus.sourceAt(path);
      if (source?.kind === kind) return readableText(corpus, source, { line, endLine });
    }
    return undefined;
  }

  #still<T>(body: () => T): T {
    let result: { readonly value: T } | undefined;
    const run = this.#parts.corpora.reduceRight(
      (inner, corpus) => () => corpus.still(inner),
      () => {
        result = { value: body() };
      },
    );
    run();
    if (result === undefined) throw new Error('nothing was answered');
    return result.value;
  }

  #isAsShown({ path, kind, stale }: SearchHit): boolean {
    return this.#parts.corpora.some(
      (corpus) =>
        corpus.sourceAt(path)?.kind === kind && corpus.state({ path, kind }) === (stale ? 'stale' : 'fresh'),
    );
  }

  #asked(query: ParsedQuery, options: SearchOptions): Asked {
    const filter = new Filter(query, options, this.#parts.graph);
    const verifier = new Verifier(query, options);
    const corpora = this.#parts.corpora.filter(({ name }) =>
      name === 'docs' ? filter.reaches('document') || filter.reaches('node') : filter.reaches(name),
    );
    const allowedBy = new Map<Corpus, Uint8Array | undefined>();
    const allowed: Allowed = (corpus) => {
      if (!allowedBy.has(corpus))
        allowedBy.set(corpus, verifier.narrow(corpus, this.#passing(corpus, filter)));
      return allowedBy.get(corpus);
    };
    const vocabulary = vocabularyOf(corpora);
    const thesaurus = this.#switches.thesaurus ? this.#parts.thesaurus : undefined;
    const isWord = (word: string) => (this.#parts.thesaurus?.related(word).size ?? 0) > 0;
    const respelling = respellingIn(corpora, isWord);
    const conceptsIn = (text: string) => conceptsOf(text, vocabulary, thesaurus, respelling);
    const concepts = conceptsIn(query.text);
    return { query, options, corpora, vocabulary, allowed, concepts, conceptsOf: conceptsIn };
  }

  #passing(corpus: Corpus, filter: Filter): Uint8Array | undefined {
    const key = `${corpus.name} ${filter.key}`;
    const known = this.#masks.get(key) ?? { mask: allowedIn(corpus, filter) };
    this.#masks.set(key, known);
    return known.mask;
  }

  #ranked(asked: Asked): Rankings {
    const { settings, graph } = this.#parts;
    return rankingsFor(asked, {
      weights: settings.weights,
      feedback: this.#switches.feedback,
      graph: this.#switches.graph ? graph : undefined,
    });
  }

  #listing({ query, options, corpora }: Asked): Rankings {
    const filter = new Filter(query, options, this.#parts.graph);
    const passages = listed(corpora, filter, options.limit);
    return { rankings: [{ retriever: 'recency', weight: 1, passages }], bestOfParts: [] };
  }

  #vectorRanking({ corpora, allowed }: Asked, near: readonly NearPassage[]): Ranking {
    const wanted = near.flatMap(({ corpus: name, passageId }) => {
      const corpus = corpora.find((corpus) => corpus.name === name);
      const mask = corpus && allowed(corpus);
      return corpus === undefined || (mask !== undefined && mask[passageId] !== 1)
        ? []
        : [{ corpus, passageId }];
    });
    const passages = wanted.slice(0, MAX_NEAR).flatMap(({ corpus, passageId }): RankedPassage[] => {
      const [passage] = corpus.read([passageId]);
      return passage === undefined ? [] : [{ corpus, passage, hops: [] }];
    });
    return { retriever: 'vector', weight: this.#parts.settings.weights.vector, passages };
  }

  #answer(asked: Asked, rankings: Rankings): Awaitable<SearchAnswer> {
    const { query, options } = asked;
    const named = this.#parts.graph.named(query.text).map(({ name }) => name);
    const verifier = new Verifier(query, options);
    const { hits, unread } = fusedHits(asked, rankings, this.#parts.settings.k, verifier);
    const answerOf = (hits: readonly SearchHit[], unread: readonly string[]): SearchAnswer => ({
      hits,
      named,
      ...(unread.length > 0 ? { unread } : {}),
      ...(hits.length > 0 ? {} : this.#emptyFilters(query)),
    });
    const text = query.text === '' ? '' : (options.contains ?? query.text);
    // The text that a hit must contain may be in passages that were not read.
    const isEnough = options.contains === undefined ? hits.length > 0 : hits.length >= options.limit;
    if (isEnough || text.trim() === '') return answerOf(hits, unread);
    return after(this.#literal(asked, text, verifier), (found) =>
      answerOf(withOthers(hits, found.hits, options.limit), [...new Set([...unread, ...found.unread])]),
    );
  }

  #emptyFilters(query: ParsedQuery): Pick<SearchAnswer, 'empty'> {
    const { corpora, graph } = this.#parts;
    const kept = corpora.filter(({ name }) => name !== 'history');
    const empty = emptyFilters(query, kept, graph);
    return empty.length > 0 ? { empty } : {};
  }

  #literal(
    { query, options, corpora }: Asked,
    text: string,
    verifier: Verifier,
  ): Awaitable<Required<Pick<SearchAnswer, 'hits' | 'unread'>>> {
    const filter = new Filter(query, options, this.#parts.graph);
    const kinds = (['document', 'memory'] as const).filter((kind) => filter.reaches(kind));
    const found = this.#parts.literal(text, LITERAL_HITS, kinds);
    return after(isPromiseLike(found) ? this.#asOfNow(found) : found, ({ hits, unread }) => ({
      hits: literalHits(hits, { corpora, filter, verifier, limit: options.limit }),
      // Phrases consist of whole words, and the index knows which pages contain those.
      unread: query.phrases.length > 0 ? [] : literalUnread(unread, { corpora, filter }),
    }));
  }

  /** What another thread has found, with what was indexed meanwhile. */
  async #asOfNow(found: PromiseLike<FoundTexts>): Promise<FoundTexts> {
    const texts = await found;
    this.revision();
    return texts;
  }
}

/** Adds hits after the existing ones: none with a better score than the last of those, and none that is there already. */
function withOthers(
  hits: readonly SearchHit[],
  found: readonly SearchHit[],
  limit: number,
): readonly SearchHit[] {
  const there = new Set(hits.map(({ path }) => path));
  const lowest = hits.at(-1)?.score ?? 1;
  const others = found
    .filter(({ path }) => !there.has(path))
    .map((hit) => ({ ...hit, score: Math.min(hit.score, lowest) }));
  return [...hits, ...others].slice(0, limit);
}

function questionOf(text: string): ParsedQuery {
  const none = { phrases: [], excluded: [], types: [], tags: [], scopes: [], related: [], problems: [] };
  return { ...none, text, afterMs: undefined, beforeMs: undefined };
}

function keyOfQuestion(query: ParsedQuery, { signal: _, pathPattern, ...options }: SearchOptions): string {
  return JSON.stringify([query, options, pathPattern?.source, pathPattern?.flags]);
}

function vocabularyOf(corpora: readonly Corpus[]): Vocabulary {
  return {
    count: () => corpora.reduce((sum, corpus) => sum + corpus.count(), 0),
    frequency: (term) => corpora.reduce((sum, corpus) => sum + corpus.frequency(term), 0),
  };
}
