/**
 * The query language. docs/search.md has its grammar and says what each part means. A plain question is a query, too: what cannot be read as it is
 * written is text.
 */

import type { ParsedQuery, QueryProblem, RelatedTo } from '../../core/search.ts';
import { nearest } from '../../text/near.ts';
import { SEARCHED_FOLDERS, searchedPath } from '../scope.ts';
import { MAX_RELATED_DEPTH, relatedTo, scopeOf, startOf } from './filter-values.ts';
import { charactersIn, type Item, itemsOf } from './items.ts';

const FILTER_NAMES = ['type', 'tag', 'in', 'after', 'before', 'related'] as const;

const QUOTE = /["“”]/;
const QUOTES = new RegExp(QUOTE, 'g');
const LOOSE_QUOTE = 'this quotation mark does not go round whole words with another';

/** Never throws: `problems` says what was taken as text although it looks like more. */
export function parseQuery(query: string): ParsedQuery {
  const parts = new Parts();
  for (const item of itemsOf(query)) parts.take(item);
  return parts.parsed();
}

class Parts {
  readonly #words: string[] = [];
  readonly #phrases: string[] = [];
  readonly #excluded: string[] = [];
  readonly #types: string[] = [];
  readonly #tags: string[] = [];
  readonly #scopes: string[] = [];
  readonly #related: RelatedTo[] = [];
  readonly #problems: QueryProblem[] = [];
  #afterMs: number | undefined;
  #beforeMs: number | undefined;

  take(item: Item): void {
    const value = item.value.trim();
    if (item.name !== undefined) this.#takeNamed(item, item.name, value);
    else if (item.isExcluded) this.#takeExcluded(item, value);
    else if (item.isPhrase) this.#takePhrase(value);
    else this.#takeWord(item);
  }

  parsed(): ParsedQuery {
    return {
      text: this.#words.join(' '),
      phrases: this.#phrases,
      excluded: this.#excluded,
      types: this.#types,
      tags: this.#tags,
      scopes: this.#scopes,
      afterMs: this.#afterMs,
      beforeMs: this.#beforeMs,
      related: this.#related,
      problems: this.#problems,
    };
  }

  #takeNamed(item: Item, name: string, value: string): void {
    const problem = item.isExcluded
      ? 'a filter cannot be excluded; only words and phrases can'
      : this.#filter(name, value);
    if (problem !== undefined) this.#takeText(item, problem);
  }

  /** A dash excludes something only if the query looks for something already. */
  #takeExcluded(item: Item, value: string): void {
    if (value === '' || !this.#looksForSomething()) {
      this.#takeText(item, 'a dash excludes only behind something that is looked for');
    } else this.#excluded.push(item.isPhrase ? value : value.replace(QUOTES, ''));
  }

  #takePhrase(value: string): void {
    if (value === '') return;
    this.#phrases.push(value);
    this.#words.push(value);
  }

  #takeWord(item: Item): void {
    const [, name = ''] = /^(\p{L}+):$/u.exec(item.value) ?? [];
    if (isFilter(name.toLowerCase()))
      this.#takeText(item, `"${item.value}" has no value; write it without a space behind`);
    else if (QUOTE.test(item.source)) this.#takeText(atQuote(item), LOOSE_QUOTE);
    else this.#addText(item.source);
  }

  #takeText({ source, column }: Item, problem: string): void {
    this.#problems.push({ column, message: problem });
    this.#addText(source);
  }

  #addText(source: string): void {
    const text = source.replace(QUOTES, ' ').trim();
    if (text !== '') this.#words.push(text);
  }

  #looksForSomething(): boolean {
    const lists = [this.#words, this.#types, this.#tags, this.#scopes, this.#related];
    const hasDate = this.#afterMs !== undefined || this.#beforeMs !== undefined;
    return hasDate || lists.some((list) => list.length > 0);
  }

  /** Returns why it is not a filter. */
  #filter(name: string, value: string): string | undefined {
    if (!isFilter(name)) {
      const near = nearest(name, FILTER_NAMES);
      const meant = near === undefined ? `there are ${FILTER_NAMES.join(', ')}` : `did you mean ${near}:?`;
      return `there is no filter "${name}:"; ${meant}`;
    }
    if (value === '') return `"${name}:" has no value`;
    switch (name) {
      case 'type':
        this.#types.push(value.toLowerCase());
        return undefined;
      case 'tag':
        this.#tags.push(value.toLowerCase());
        return undefined;
      case 'in':
        return this.#scope(value);
      case 'after':
        return this.#date(value, (startMs) => {
          this.#afterMs = Math.max(this.#afterMs ?? Number.NEGATIVE_INFINITY, startMs);
        });
      case 'before':
        return this.#date(value, (startMs) => {
          this.#beforeMs = Math.min(this.#beforeMs ?? Number.POSITIVE_INFINITY, startMs);
        });
      case 'related':
        return this.#relatedTo(value);
    }
  }

  #scope(value: string): string | undefined {
    const scope = scopeOf(value);
    if (scope === undefined) return `"${value}" is not a path of the tree; write in:/docs/charges`;
    const searched = searchedPath(scope);
    if (searched === undefined)
      return `nothing in "${value}" is searched; there are ${SEARCHED_FOLDERS.join(', ')}`;
    this.#scopes.push(searched);
    return undefined;
  }

  #date(value: string, note: (startMs: number) => void): string | undefined {
    const startMs = startOf(value);
    if (startMs === undefined) return `"${value}" is not a date; write 2026-01-31, 2026-01 or 2026`;
    note(startMs);
    return undefined;
  }

  #relatedTo(value: string): string | undefined {
    const related = relatedTo(value);
    if (related === undefined) {
      return `"${value}" is not a node with a depth of 1 to ${MAX_RELATED_DEPTH}; write related:Charge or related:Charge~2`;
    }
    this.#related.push(related);
    return undefined;
  }
}

/** The item at the place of its first quotation mark. */
function atQuote(item: Item): Item {
  const before = item.source.slice(0, item.source.search(QUOTE));
  return { ...item, column: item.column + charactersIn(before) };
}

/** Whether there is a filter with this name, which is given in lower case. */
export function isFilter(name: string): name is (typeof FILTER_NAMES)[number] {
  return FILTER_NAMES.some((filter) => filter === name);
}
