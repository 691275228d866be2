/**
 * The query language:
 *
 *     query   = { [ "-" ] ( filter | phrase | word ) }
 *     filter  = name ":" ( phrase | word )          name = type | tag | in | after | before | related
 *     phrase  = '"' any characters but '"' '"'
 *
 * A plain question is one too: what cannot be read as written is text. A dash excludes only behind something that is looked for.
 */
import type { ParsedQuery, QueryProblem, RelatedTo } from '../../core/search.ts';

const MAX_DEPTH = 5;

const ITEM = /(?<dash>-)?(?:(?<name>[A-Za-z_-]+):)?(?:"(?<phrase>[^"]*)"|(?<word>[^\s"]+|"))/gu;

interface Item {
  readonly source: string;
  readonly column: number;
  readonly isExcluded: boolean;
  readonly name: string | undefined;
  readonly isPhrase: boolean;
  readonly value: string;
}

/** Never throws: `problems` says what was taken as text though it looks like more. */
export function parseQuery(query: string): ParsedQuery {
  const parts = new Parts();
  for (const item of itemsOf(query)) parts.take(item);
  return parts.parsed();
}

function* itemsOf(query: string): Generator<Item> {
  for (const match of query.matchAll(ITEM)) {
    const { dash, name, phrase, word } = match.groups ?? {};
    yield {
      source: match[0],
      column: match.index + 1,
      isExcluded: dash !== undefined,
      name: name?.toLowerCase(),
      isPhrase: phrase !== undefined,
      value: phrase ?? word ?? '',
    };
  }
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
    const { name, isExcluded, isPhrase, value, source, column } = item;
    if (name !== undefined && !isExcluded && value.trim() !== '') {
      const problem = this.#filter(name, value.trim());
      if (problem === undefined) return;
      this.#problems.push({ column, message: problem });
    } else if (name === undefined && isExcluded && this.#hasSomething() && value.trim() !== '') {
      this.#excluded.push(value.trim());
      return;
    } else if (name === undefined && isPhrase && !isExcluded) {
      if (value.trim() === '') return;
      this.#phrases.push(value.trim());
      this.#words.push(value.trim());
      return;
    } else if (value === '"') {
      this.#problems.push({ column, message: 'this quotation mark has no other' });
      return;
    }
    this.#words.push(source.replaceAll('"', ' ').trim());
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

  #hasSomething(): boolean {
    return (
      this.#words.length +
        this.#types.length +
        this.#tags.length +
        this.#scopes.length +
        this.#related.length >
      0
    );
  }

  /** Returns why it is no filter. */
  #filter(name: string, value: string): string | undefined {
    switch (name) {
      case 'type':
        this.#types.push(value.toLowerCase());
        return undefined;
      case 'tag':
        this.#tags.push(value.toLowerCase());
        return undefined;
      case 'in':
        this.#scopes.push(`/${value.replace(/^\/+|\/+$/g, '')}`);
        return undefined;
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
      default:
        return `there is no filter "${name}:"; there are type, tag, in, after, before and related`;
    }
  }

  #date(value: string, note: (startMs: number) => void): string | undefined {
    const startMs = startOf(value);
    if (startMs === undefined) return `"${value}" is no date; write 2026-01-31, 2026-01 or 2026`;
    note(startMs);
    return undefined;
  }

  #relatedTo(value: string): string | undefined {
    const [, name = '', depth = '1'] = /^(.*?)(?:~(\d+))?$/s.exec(value) ?? [];
    if (name === '' || Number(depth) < 1 || Number(depth) > MAX_DEPTH) {
      return `"${value}" is no node with a depth of 1 to ${MAX_DEPTH}; write related:Charge or related:Charge~2`;
    }
    this.#related.push({ name, depth: Number(depth) });
    return undefined;
  }
}

/** Midnight, UTC, at the start of a day, month or year; undefined where this is none. */
function startOf(value: string): number | undefined {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(value) ?? [];
  if (year === undefined) return undefined;
  const startMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  const isReal =
    !Number.isNaN(startMs) && new Date(startMs).toISOString().startsWith(`${year}-${month}-${day}`);
  return isReal ? startMs : undefined;
}
