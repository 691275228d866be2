import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { after, isPromiseLike } from '../core/awaitable.ts';
import type { Clock } from '../core/clock.ts';
import type { ReadSoFar } from '../core/first-reading.ts';
import { ownBytes } from '../core/own-bytes.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { ParsedQuery, SearchAnswer, SearchEngine, SearchHit, SearchOptions } from '../core/search.ts';
import { unreadText } from '../core/unread-sources.ts';
import { answerText } from '../retrieval/answer-text.ts';
import { misreadFilters } from '../retrieval/language/misread-filters.ts';
import { parseQuery } from '../retrieval/language/parse-query.ts';
import { nothingFound, type SimilarNames } from '../retrieval/nothing-found.ts';
import { printable } from '../text/printable.ts';
import { isOfOwner } from './private-paths.ts';

/** The content of `search/<query>` at one revision. */
export interface QueryPage {
  /** The same for the same bytes. */
  readonly key: string;
  readonly bytes: Uint8Array;
  /** When what it shows last changed: milliseconds since 1970. */
  readonly changedMs: number;
  readonly hits: number;
  /** Whether it shows something that only the owner may read. */
  readonly isPrivate: boolean;
}

export interface QueryPagesParts {
  readonly engine: Pick<SearchEngine, 'search' | 'revision'>;
  readonly similar: SimilarNames;
  readonly readSoFar: ReadSoFar;
  readonly clock: Clock;
  /** The time of a page whose content has no time: milliseconds since 1970. */
  readonly startedMs: number;
}

/** The same number as on the command line. */
export const HITS_SHOWN = 10;
const OPTIONS: SearchOptions = { limit: HITS_SHOWN };

/** An answer with its text takes up to 50 kB. */
const MAX_KEPT = 200;

/** A page with the answer that it shows. */
interface Shown {
  readonly text: string;
  readonly of: readonly SearchHit[];
}

interface KeptPage extends QueryPage {
  /** The answer that it shows. */
  readonly answer: SearchAnswer;
}

/**
 * The answers to queries as text. The engine is asked each time, since it caches answers and is the only one to know whether they still hold, even if
 * a file was removed a moment ago. The text of an answer is cached here.
 */
export class QueryPages {
  readonly #parts: QueryPagesParts;
  readonly #kept = new LRUCache<string, KeptPage>({ max: MAX_KEPT });
  /** Pages that are being made, by revision and query. Everybody who asks meanwhile waits for the same one. */
  readonly #promised = new Map<string, Promise<QueryPage>>();

  constructor(parts: QueryPagesParts) {
    this.#parts = parts;
  }

  page(query: string): Awaitable<QueryPage> {
    const promiseKey = `${this.#parts.engine.revision()}\n${query}`;
    const promised = this.#promised.get(promiseKey);
    if (promised !== undefined) return promised;
    const parsed = parseQuery(query);
    const page = after(this.#parts.engine.search(parsed, OPTIONS), (answer) => {
      const known = this.#kept.get(query);
      if (known?.answer === answer) return known;
      return after(this.#shown(query, parsed, answer), (shown) => this.#keep(query, answer, shown));
    });
    if (!isPromiseLike(page)) return page;
    const promise = Promise.resolve(page).finally(() => this.#promised.delete(promiseKey));
    this.#promised.set(promiseKey, promise);
    return promise;
  }

  #shown(query: string, parsed: ParsedQuery, { hits, unread, empty }: SearchAnswer): Awaitable<Shown> {
    if (hits.length > 0) {
      const notes = [
        ...(unread === undefined ? [] : [printable(unreadText(unread))]),
        ...misreadFilters(query, parsed),
      ];
      return { text: `${answerText(hits)}${notes.map((note) => `\n${note}\n`).join('')}`, of: hits };
    }
    const hints = { ...this.#parts, unread, empty };
    return after(nothingFound(query, parsed, hints, OPTIONS), ({ lines, beyond }) => ({
      text: `${lines.join('\n')}\n`,
      of: beyond,
    }));
  }

  #keep(query: string, answer: SearchAnswer, { text, of }: Shown): QueryPage {
    const { clock, startedMs } = this.#parts;
    const { hits, unread = [] } = answer;
    const before = this.#kept.peek(query);
    const bytes = ownBytes(text);
    const key = `search ${hash('sha256', bytes)}`;
    const nowMs = clock.nowMs();
    // It is not known since when the first answer holds, except that it cannot be older than the latest thing in it.
    const datesMs = hits.map(({ dateMs }) => dateMs).filter((ms) => ms <= nowMs);
    const firstMs = datesMs.length === 0 ? startedMs : Math.max(...datesMs);
    const changedMs = before === undefined ? firstMs : before.key === key ? before.changedMs : nowMs;
    const isPrivate = [...of.map(({ path }) => path), ...unread].some(isOfOwner);
    const page: KeptPage = { key, bytes, changedMs, hits: hits.length, isPrivate, answer };
    this.#kept.set(query, page);
    return page;
  }
}
