import { hash } from 'node:crypto';
import { after } from '../core/awaitable.ts';
import type { Page } from '../core/generated-tree.ts';
import { msToNs } from '../core/node-info.ts';
import type { Awaitable } from '../core/resolver.ts';
import type { GraphQueries } from '../graph/queries.ts';
import type { SlowQuestions, Text } from '../graph/slow-questions.ts';

/** For how many pairs of nodes the result is kept: the latest ones. */
const MAX_KEPT = 200;

interface Found {
  /** The revision of the graph for which it was looked for. */
  readonly revision: number;
  /** Undefined if there is no path. */
  readonly page: Page | undefined;
}

/** Shortest paths as pages. Finding out whether there is a path means finding it, so even its existence is a promise. */
export class PathPages {
  readonly #graph: Pick<GraphQueries, 'revision' | 'builtAtMs'>;
  readonly #slow: Pick<SlowQuestions, 'pathText'>;
  readonly #found = new Map<string, Found>();

  constructor(graph: Pick<GraphQueries, 'revision' | 'builtAtMs'>, slow: Pick<SlowQuestions, 'pathText'>) {
    this.#graph = graph;
    this.#slow = slow;
  }

  /** Undefined if there is no path between the two nodes. */
  page(fromId: number, toId: number): Awaitable<Page | undefined> {
    const key = `${fromId} ${toId}`;
    const revision = this.#graph.revision();
    const known = this.#found.get(key);
    if (known?.revision === revision) return known.page;
    return after(this.#slow.pathText(fromId, toId), (text) => {
      const page = text === undefined ? undefined : this.#pageOf(text, known?.page);
      this.#keep(key, { revision, page });
      return page;
    });
  }

  #keep(key: string, found: Found): void {
    this.#found.delete(key);
    this.#found.set(key, found);
    const [oldest] = this.#found.keys();
    if (this.#found.size > MAX_KEPT && oldest !== undefined) this.#found.delete(oldest);
  }

  /** A path that is the same as before keeps its time. */
  #pageOf(text: Text, before: Page | undefined): Page {
    const pageKey = `path ${hash('sha1', text)}`;
    if (before?.pageKey === pageKey) return before;
    return { kind: 'file', modifiedNs: msToNs(this.#graph.builtAtMs() ?? 0), pageKey, render: () => text };
  }
}
