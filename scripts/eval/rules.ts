/** Measures whether judgements of edges make confidence rank right edges before wrong ones: on edges that were not judged, and on other docs. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { conceptKey, endpointKey, eventKey } from '../../src/core/identity.ts';
import { type CountsByRule, learntConfidence, type RuleCounts } from '../../src/core/rule-counts.ts';
import { readingsOf } from '../../src/learning/readings-of.ts';
import type { Store } from '../../src/store/store.ts';
import { randomNumbers } from '../corpus.ts';

const labelSchema = z.object({
  corpus: z.string(),
  source: z.string(),
  edge: z.string(),
  target: z.string(),
});
export type EdgeLabel = z.infer<typeof labelSchema>;

/** An edge between two nodes whose relation a label states. */
export interface LabelledEdge {
  readonly isRight: boolean;
  readonly readings: readonly { readonly rule: string; readonly confidence: number }[];
}

export interface RuleFigures {
  readonly name: string;
  /** The share of the judgements that are wrong. */
  readonly wrongly: number;
  readonly edges: number;
  readonly right: number;
  /** The average precision by confidence of the edges that were not judged, without and with learning; means over runs. */
  readonly before: number;
  readonly after: number;
  /** In how many of the runs it rose, and in how many it fell. */
  readonly rose: number;
  readonly fell: number;
}

const RUNS = 40;
/** Edges with equal confidence are put in a random order, so many times. */
const ORDERS = 5;

export function edgeLabels(file: string): EdgeLabel[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => labelSchema.parse(JSON.parse(line)));
}

/**
 * The edges between nodes that a label relates: right if a label says the same, otherwise wrong. Edges that no label is about are left out, since labels are
 * not complete.
 */
export function labelledEdges(store: Store, labels: readonly EdgeLabel[]): LabelledEdge[] {
  const right = new Set(
    labels.map(({ source, edge, target }) => `${keyOf(source)} ${edge} ${keyOf(target)}`),
  );
  const pairs = new Set(labels.map(({ source, target }) => [keyOf(source), keyOf(target)].sort().join(' ')));
  return [...store.edges.all()].flatMap((edge) => {
    const ends = [edge.source, edge.target].map(folded);
    if (!pairs.has([...ends].sort().join(' '))) return [];
    const readings = readingsOf(store, { id: edge.sourceId }, { id: edge.targetId });
    const ofEdge = readings.filter(({ edge_type }) => edge_type === edge.type);
    return [{ isRight: right.has(`${ends[0]} ${edge.type} ${ends[1]}`), readings: ofEdge }];
  });
}

/** Simulates docs that mean something else than a rule reads: all edges of the rule with most right edges become wrong. */
export function misled(edges: readonly LabelledEdge[]): LabelledEdge[] {
  const counts = new Map<string, number>();
  for (const { isRight, readings } of edges) {
    for (const { rule } of isRight ? readings : []) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  const [[worst] = ['']] = [...counts].sort(([, a], [, b]) => b - a);
  return edges.map((edge) => {
    return edge.readings.some(({ rule }) => rule === worst) ? { ...edge, isRight: false } : edge;
  });
}

/** Half of the edges are judged, the others ranked. @param wrongly the share of judgements that are wrong */
export function heldOut(name: string, edges: readonly LabelledEdge[], wrongly: number): RuleFigures {
  return runs(
    name,
    edges,
    (random) => {
      const shuffled = shuffle(edges, random);
      const half = Math.floor(shuffled.length / 2);
      return { judged: shuffled.slice(0, half), ranked: shuffled.slice(half) };
    },
    wrongly,
  );
}

/** Edges of some docs are judged, those of others ranked. */
export function otherDocs(
  name: string,
  judged: readonly LabelledEdge[],
  ranked: readonly LabelledEdge[],
  wrongly: number,
): RuleFigures {
  return runs(
    name,
    ranked,
    (random) => ({ judged: shuffle(judged, random).slice(0, judged.length / 2), ranked }),
    wrongly,
  );
}

type Split = { readonly judged: readonly LabelledEdge[]; readonly ranked: readonly LabelledEdge[] };

function runs(
  name: string,
  edges: readonly LabelledEdge[],
  split: (random: () => number) => Split,
  wrongly: number,
): RuleFigures {
  const pairs = Array.from({ length: RUNS }, (_, run) => {
    const random = randomNumbers(run + 1);
    const { judged, ranked } = split(random);
    const counts = countsFrom(judged, wrongly, random);
    return [averagePrecision(ranked, {}, random), averagePrecision(ranked, counts, random)] as const;
  });
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    name,
    wrongly,
    edges: edges.length,
    right: edges.filter(({ isRight }) => isRight).length,
    before: mean(pairs.map(([before]) => before)),
    after: mean(pairs.map(([, after]) => after)),
    rose: pairs.filter(([before, after]) => after > before + 0.001).length,
    fell: pairs.filter(([before, after]) => after < before - 0.001).length,
  };
}

function countsFrom(judged: readonly LabelledEdge[], wrongly: number, random: () => number): CountsByRule {
  const counts: Record<string, RuleCounts> = {};
  for (const { isRight, readings } of judged) {
    const isConfirmed = random() < wrongly ? !isRight : isRight;
    for (const rule of new Set(readings.map(({ rule }) => rule))) {
      const { confirmed, rejected } = counts[rule] ?? { confirmed: 0, rejected: 0 };
      counts[rule] = {
        confirmed: confirmed + Number(isConfirmed),
        rejected: rejected + Number(!isConfirmed),
      };
    }
  }
  return counts;
}

function averagePrecision(
  edges: readonly LabelledEdge[],
  counts: CountsByRule,
  random: () => number,
): number {
  let sum = 0;
  for (let order = 0; order < ORDERS; order += 1) {
    const ranked = shuffle(edges, random)
      .map(({ isRight, readings }) => {
        const sure = readings.map(({ rule, confidence }) => learntConfidence(confidence, counts[rule]));
        return { isRight, confidence: Math.max(0, ...sure) };
      })
      .sort((a, b) => b.confidence - a.confidence);
    let right = 0;
    let precision = 0;
    ranked.forEach(({ isRight }, index) => {
      if (!isRight) return;
      right += 1;
      precision += right / (index + 1);
    });
    sum += right === 0 ? 1 : precision / right;
  }
  return sum / ORDERS;
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

const ENDPOINT = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(\S+)$/;

/** A node's identity without what labels and docs write differently: kinds of concepts, and names of parameters in paths. */
function keyOf(label: string): string {
  const [, method, path] = ENDPOINT.exec(label) ?? [];
  if (method !== undefined && path !== undefined) return folded(endpointKey(method, path));
  return folded(/^[a-z_]+(?:\.[a-z_]+)+$/.test(label) ? eventKey(label) : conceptKey(label));
}

function folded(key: string): string {
  if (!key.startsWith('endpoint:'))
    return key
      .replace(/^[a-z]+:/, '')
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '');
  return key.replace(/\{[^}]*\}|:[a-z_]+(?=\/|$)|<[^>]*>/gi, '{}');
}
