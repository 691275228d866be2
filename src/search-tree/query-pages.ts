import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { after, isPromiseLike } from '../core/awaitable.ts';
import type { Clock } from '../core/clock.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { SearchEngine, SearchHit } from '../core/search.ts';
import { answerText } from '../retrieval/answer-text.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import { nothingFound, type SimilarNames } from '../retrieval/nothing-found.ts';
import { isOfOwner } from './private-paths.ts';

/** What `search/<query>` shows at one revision. */
export interface QueryPage {
  /** The same for the same bytes. */
  readonly key: string;
  readonly bytes: Uint8Array;
  /** When what it shows last changed: milliseconds since 1970. */
  readonly changedMs: number;
  readonly hits: number;
  /** Whether it shows what is its owner's alone. */
  readonly isPrivate: boolean;
}

export interface QueryPagesParts {
  readonly engine: Pick<SearchEngine, 'search'>;
  readonly similar: SimilarNames;
  /** Stays the same as long as answers do. */
  readonly revision: () => string;
  readonly clock: Clock;
  /** The time of a page that shows nothing with a time: milliseconds since 1970. */
  readonly startedMs: number;
}

/** As many as the command line shows. */
export const HITS_SHOWN = 10;

const MAX_KEPT_BYTES = 16 << 20;
const PAGE_OVERHEAD_BYTES = 500;

interface KeptPage extends QueryPage {
  readonly revision: string;
}

/** The answers to queries as text, made when somebody asks and kept as long as they are right. */
export class QueryPages {
  readonly #parts: QueryPagesParts;
  readonly #kept = new LRUCache<string, KeptPage>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ bytes }, query) => bytes.length + query.length * 2 + PAGE_OVERHEAD_BYTES,
  });
  /** Those that are being made: all who ask meanwhile wait for the same. */
  readonly #promised = new Map<string, Promise<QueryPage>>();

  constructor(parts: QueryPagesParts) {
    this.#parts = parts;
  }

  page(query: string): Awaitable<QueryPage> {
    const revision = this.#parts.revision();
    const known = this.#kept.get(query);
    if (known?.revision === revision) return known;
    const promiseKey = `${revision} ${query}`;
    const promised = this.#promised.get(promiseKey);
    if (promised !== undefined) return promised;
    const made = after(this.#answer(query), (answer) => this.#keep(query, revision, answer));
    if (!isPromiseLike(made)) return made;
    const promise = Promise.resolve(made).finally(() => this.#promised.delete(promiseKey));
    this.#promised.set(promiseKey, promise);
    return promise;
  }

  #answer(query: string): Awaitable<{ readonly hits: readonly SearchHit[]; readonly text: string }> {
    const { engine } = this.#parts;
    const parsed = parseQuery(query);
    const options = { limit: HITS_SHOWN };
    return after(engine.search(parsed, options), ({ hits }) => {
      if (hits.length > 0) return { hits, text: answerText(hits) };
      return after(nothingFound(query, parsed, this.#parts, options), (lines) => ({
        hits,
        text: `${lines.join('\n')}\n`,
      }));
    });
  }

  #keep(
    query: string,
    revision: string,
    { hits, text }: { readonly hits: readonly SearchHit[]; readonly text: string },
  ): QueryPage {
    const { clock, startedMs } = this.#parts;
    const before = this.#kept.peek(query);
    const bytes = Buffer.from(text);
    const key = `search ${hash('sha256', bytes)}`;
    const nowMs = clock.nowMs();
    // Since when the first answer is so nobody knows, other than that it is since the latest of what it shows.
    const datesMs = hits.map(({ dateMs }) => dateMs).filter((ms) => ms <= nowMs);
    const firstMs = datesMs.length === 0 ? startedMs : Math.max(...datesMs);
    const changedMs = before === undefined ? firstMs : before.key === key ? before.changedMs : nowMs;
    const isPrivate = hits.some(({ path }) => isOfOwner(path));
    const page: KeptPage = { key, bytes, changedMs, hits: hits.length, isPrivate, revision };
    this.#kept.set(query, page);
    return page;
  }
}
