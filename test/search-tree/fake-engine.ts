import type {
  ParsedQuery,
  SearchAnswer,
  SearchEngine,
  SearchHit,
  SearchOptions,
} from '../../src/core/search.ts';

/** An engine over texts by path: what holds most of the words comes first. Counts how often it has to look. */
export class FakeEngine implements SearchEngine {
  readonly texts = new Map<string, string>();
  asked = 0;
  #revision = 0;
  readonly #answers = new Map<string, SearchAnswer>();

  put(path: string, text: string | undefined): void {
    if (text === undefined) this.texts.delete(path);
    else this.texts.set(path, text);
    this.#revision += 1;
    this.#answers.clear();
  }

  search(query: ParsedQuery, options: SearchOptions): SearchAnswer {
    const key = JSON.stringify([query, options]);
    const answer = this.#answers.get(key) ?? this.#look(query, options);
    this.#answers.set(key, answer);
    return answer;
  }

  #look({ text, scopes }: ParsedQuery, { limit }: SearchOptions): SearchAnswer {
    this.asked += 1;
    const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
    const hits = [...this.texts].flatMap(([path, content]) => {
      const score = words.filter((word) => content.includes(word)).length;
      const isInScope = scopes.length === 0 || scopes.some((scope) => path.startsWith(scope));
      return score === 0 || !isInScope ? [] : [fakeHit(path, score, content)];
    });
    hits.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
    return { hits: hits.slice(0, limit), named: [] };
  }

  textOf({ path }: Pick<SearchHit, 'path'>): string | undefined {
    return this.texts.get(path);
  }

  revision(): string {
    return `r${this.#revision}`;
  }
}

export function fakeHit(path: string, score: number, snippet: string): SearchHit {
  const [, top] = path.split('/');
  return {
    path,
    line: 3,
    endLine: 9,
    kind: top === 'context' ? 'memory' : top === 'graph' ? 'node' : 'document',
    title: 'Title',
    headings: ['Title', 'Part'],
    score,
    retrievers: { keyword: 1, graph: 3 },
    hops: [],
    dateMs: Date.UTC(2026, 0, 5),
    stale: false,
    snippet,
  };
}
