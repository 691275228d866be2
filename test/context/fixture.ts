import { type CompositionSources, composer } from '../../src/context/composition.ts';
import { type ConstructorParts, contextConstructor } from '../../src/context/constructor.ts';
import type { FactSource } from '../../src/context/fact-graph.ts';
import { loadTokenCounter } from '../../src/context/tokens.ts';
import type { GraphNode } from '../../src/core/graph-model.ts';
import type { HitKind, SearchEngine, SearchHit } from '../../src/core/search.ts';
import { parseQuery } from '../../src/retrieval/language/parse-query.ts';
import { DEFAULT_CONTEXT_SETTINGS } from '../../src/settings/context.ts';
import type { StoredEdge } from '../../src/store/edges.ts';
import { termsOf } from '../../src/words/tokens.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;
export const BUILT_MS = Date.parse('2026-11-20T15:00:00Z');

export interface FakeSource {
  readonly text: string;
  readonly dateMs?: number;
  readonly title?: string;
}

/** Documents and entries by their path in the mount; each paragraph is a passage, and is worth the terms of the question that it holds. */
export function fakeEngine(
  sources: Readonly<Record<string, FakeSource>>,
  named: readonly string[] = [],
): SearchEngine {
  const linesOf = (path: string) => sources[path]?.text.split('\n');
  return {
    revision: () => '7',
    textOf: ({ path, line, endLine }) =>
      linesOf(path)
        ?.slice(line - 1, endLine)
        .join('\n'),
    search(query, { limit, scope = '/' }) {
      const scopes = [scope].flat();
      const terms = new Set(termsOf(query.text));
      const hits = Object.entries(sources).flatMap(([path, source]) =>
        passagesOf(source.text).flatMap(({ line, endLine, text }): SearchHit[] => {
          const score = new Set(termsOf(text).filter((term) => terms.has(term))).size;
          const isIn = [...scopes, ...query.scopes].every((below) => path.startsWith(below));
          return score === 0 || !isIn ? [] : [hitAt(path, source, line, endLine, score)];
        }),
      );
      const ranked = hits.sort((a, b) => b.score - a.score).slice(0, limit);
      return {
        hits: ranked.map((hit, index) => ({ ...hit, retrievers: { keyword: index + 1 } })),
        named,
      };
    },
  };
}

function hitAt(path: string, source: FakeSource, line: number, endLine: number, score: number): SearchHit {
  return {
    path,
    line,
    endLine,
    kind: kindOf(path),
    title: source.title ?? path,
    headings: [],
    score,
    retrievers: {},
    hops: [],
    dateMs: source.dateMs ?? BUILT_MS,
    stale: false,
    snippet: '',
  };
}

function kindOf(path: string): HitKind {
  return path.startsWith('/context/memory/') ? 'memory' : 'document';
}

function passagesOf(text: string): { line: number; endLine: number; text: string }[] {
  const lines = text.split('\n');
  const passages: { line: number; endLine: number; text: string }[] = [];
  let start: number | undefined;
  for (let index = 0; index <= lines.length; index += 1) {
    const isBlank = (lines[index] ?? '').trim() === '';
    if (!isBlank) start ??= index;
    else if (start !== undefined) {
      passages.push({ line: start + 1, endLine: index, text: lines.slice(start, index).join('\n') });
      start = undefined;
    }
  }
  return passages;
}

/** `from`, type, `to`, weight, place. */
export type FakeEdge = readonly [string, string, string, number?, string?];

export function fakeGraph(edges: readonly FakeEdge[]): FactSource & { builtAtMs(): number } {
  const labels = [...new Set(edges.flatMap(([from, , to]) => [from, to]))];
  const stored = edges.map((edge) => storedEdge(edge, labels));
  const node = (label: string) => {
    const id = labels.indexOf(label);
    if (id < 0) return undefined;
    const degree = stored.filter(({ sourceId, targetId }) => sourceId === id || targetId === id).length;
    return {
      ...graphNode(label),
      id,
      degree,
      name: label,
      display: label,
      baseName: label,
      foldedName: label,
      changedMs: 0,
      revision: 1,
      listedMs: 0,
    };
  };
  return {
    revision: () => 1,
    builtAtMs: () => BUILT_MS,
    node,
    nodeById: (id) => node(labels[id] ?? ''),
    outgoing: ({ id }) => stored.filter(({ sourceId }) => sourceId === id),
    incoming: ({ id }) => stored.filter(({ targetId }) => targetId === id),
  };
}

function keyOf(label: string): string {
  return label.endsWith('.md') ? `document:${label}` : `concept:${label.toLowerCase()}`;
}

function graphNode(label: string): Omit<GraphNode, 'degree' | 'name' | 'display' | 'changedMs'> {
  return {
    key: keyOf(label),
    type: 'APIObject',
    label,
    description: '',
    weight: 1,
    confidence: 0.9,
    sources: [],
    properties: {},
  };
}

function storedEdge(
  [from, type, to, weight = 1, evidence = 'a.md:1']: FakeEdge,
  labels: readonly string[],
): StoredEdge {
  return {
    source: keyOf(from),
    target: keyOf(to),
    sourceId: labels.indexOf(from),
    targetId: labels.indexOf(to),
    sourceDisplay: from,
    targetDisplay: to,
    type: type as StoredEdge['type'],
    weight,
    confidence: 0.8,
    description: '',
    properties: {},
    evidence: [evidence],
  };
}

interface Subject extends Omit<CompositionSources, 'documentText'>, Pick<ConstructorParts, 'entryAt'> {
  readonly engine: SearchEngine;
}

/** @param changes of what is usual */
export async function constructorOver(changes: Partial<Subject> = {}) {
  const subject: Subject = {
    engine: fakeEngine({}),
    graph: fakeGraph([]),
    entryAt: () => undefined,
    counter: await loadTokenCounter(),
    settings: DEFAULT_CONTEXT_SETTINGS,
    ...changes,
  };
  const { engine } = subject;
  return contextConstructor({
    ...subject,
    parse: parseQuery,
    revision: engine.revision,
    readSoFar: () => undefined,
    compose: composer({
      ...subject,
      documentText: (path, line, endLine) => engine.textOf({ path, kind: 'document', line, endLine }),
    }),
  });
}

/** The object model of a billing API, as its docs state it. */
export const BILLING: readonly FakeEdge[] = [
  ['Subscription', 'generates', 'Invoice', 5, 'subscriptions.md:3'],
  ['Subscription', 'generates', 'Charge', 1, 'charges.md:9'],
  ['Subscription', 'triggers', 'subscription.created', 1, 'subscriptions.md:8'],
  ['Invoice', 'generates', 'Charge', 3, 'invoices.md:5'],
  ['Invoice', 'references', 'Webhook', 4, 'invoices.md:7'],
  ['Charge', 'triggers', 'charge.succeeded', 2, 'charges.md:4'],
  ['Charge', 'triggers', 'charge.failed', 2, 'charges.md:5'],
  ['Charge', 'requires', 'Customer', 2, 'charges.md:2'],
  ['Charge', 'references', 'Webhook', 2, 'charges.md:4'],
  ['charge.failed', 'references', 'Webhook', 2, 'charges.md:5'],
  ['Charges.md', 'contains', 'Charge', 1, 'charges.md:1'],
];

export const SEED_QUESTION = 'How does a subscription renewal create a charge and trigger a webhook?';
