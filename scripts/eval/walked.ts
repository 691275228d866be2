/** Measures on simulated sessions how many of the paths that are walked on purpose are proposed, and how many that are walked by chance. */
import type { GraphQueries } from '../../src/graph/queries.ts';
import { type WalkedPath, walkedPaths } from '../../src/learning/compile-paths.ts';
import type { Walk } from '../../src/learning/walks.ts';
import type { StoredNode } from '../../src/store/nodes.ts';
import { randomNumbers } from '../corpus.ts';

export interface WalkFigures {
  readonly name: string;
  /** Paths that were walked on purpose in three sessions or more. */
  readonly meant: number;
  /** How many of them were proposed, as they are or as a whole within a longer one. */
  readonly found: number;
  readonly proposed: number;
  /** Proposals that neither contain nor are part of anything that was walked on purpose, however often. */
  readonly byChance: number;
}

const RUNS = 10;
const WAYS = 10;
const STEPS_BY_CHANCE = 8;
/** The share of walks on purpose that are given up half way. */
const GIVEN_UP = 0.2;
const MIN_SESSIONS = 3;

/** Simulates paths that are each walked in one to six sessions, with random looks at other nodes before and after. */
export function walkedOnPurpose(name: string, graph: GraphQueries): WalkFigures {
  return figures(name, graph, (random, nodes) => {
    const ways = Array.from({ length: WAYS }, () => wayFrom(pick(nodes, random), graph, random)).filter(
      (way) => way.length >= MIN_SESSIONS,
    );
    const done = new Map<string, number>();
    const walks = ways.flatMap((way, index) =>
      Array.from({ length: 1 + Math.floor(random() * 6) }, (_, session): Walk => {
        const isWhole = random() >= GIVEN_UP;
        const part = isWhole ? way : way.slice(0, Math.ceil(way.length / 2));
        if (isWhole) done.set(textOf(way), (done.get(textOf(way)) ?? 0) + 1);
        const around = () => chanceWalk(pick(nodes, random), STEPS_BY_CHANCE, graph, random);
        const visited = [...around(), ...part, ...around()].map(({ name }) => name);
        return { occasion: `${index} ${session}`, kind: 'visited', nodes: visited };
      }),
    );
    const meant = [...done].flatMap(([way, sessions]) => (sessions >= MIN_SESSIONS ? [way] : []));
    return { walks, meant, ways: ways.map(textOf) };
  });
}

/** Simulates walks without a purpose: at each step all neighbours are equally likely. */
export function walkedByChance(
  name: string,
  graph: GraphQueries,
  sessions: number,
  steps: number,
): WalkFigures {
  return figures(name, graph, (random, nodes) => {
    const walks = Array.from({ length: sessions }, (_, session): Walk => {
      const visited = chanceWalk(pick(nodes, random), steps, graph, random).map(({ name }) => name);
      return { occasion: String(session), kind: 'visited', nodes: visited };
    });
    return { walks, meant: [], ways: [] };
  });
}

interface MadeUp {
  readonly walks: readonly Walk[];
  /** All paths that are walked on purpose, and those that were walked in three sessions. */
  readonly ways: readonly string[];
  readonly meant: readonly string[];
}

function figures(
  name: string,
  graph: GraphQueries,
  makeUp: (random: () => number, nodes: readonly StoredNode[]) => MadeUp,
): WalkFigures {
  const nodes = graph.nodes().filter(({ type, degree }) => type !== 'Document' && degree > 1);
  const sum = { meant: 0, found: 0, proposed: 0, byChance: 0 };
  for (let run = 1; run <= RUNS; run += 1) {
    const { walks, ways, meant } = makeUp(randomNumbers(run), nodes);
    const proposed = walkedPaths(walks, graph).map(({ nodes }: WalkedPath) => textOf(nodes));
    sum.meant += meant.length;
    sum.found += meant.filter((way) => proposed.some((one) => one.includes(way))).length;
    sum.proposed += proposed.length;
    sum.byChance += proposed.filter(
      (one) => !ways.some((way) => one.includes(way) || way.includes(one)),
    ).length;
  }
  return { name, ...sum };
}

/** A path of two to four steps forward. */
function wayFrom(start: StoredNode, graph: GraphQueries, random: () => number): StoredNode[] {
  const way = [start];
  const length = 3 + Math.floor(random() * 3);
  while (way.length < length) {
    const last = way.at(-1) ?? start;
    const next = neighboursOf(last, graph, 'out').filter((node) => !way.some(({ id }) => id === node.id));
    if (next.length === 0) break;
    way.push(pick(next, random));
  }
  return way;
}

function chanceWalk(
  start: StoredNode,
  steps: number,
  graph: GraphQueries,
  random: () => number,
): StoredNode[] {
  const walk = [start];
  for (let step = 0; step < steps; step += 1) {
    const near = neighboursOf(walk.at(-1) ?? start, graph, 'both');
    if (near.length > 0) walk.push(pick(near, random));
  }
  return walk;
}

function neighboursOf(node: StoredNode, graph: GraphQueries, direction: 'out' | 'both'): StoredNode[] {
  const ids = graph.neighbours(node, { direction }).map((edge) => {
    return edge.sourceId === node.id ? edge.targetId : edge.sourceId;
  });
  const nodes = [...new Set(ids)].flatMap((id) => graph.nodeById(id) ?? []);
  return nodes.filter(({ type }) => type !== 'Document');
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}

function textOf(nodes: readonly StoredNode[]): string {
  return `\n${nodes.map(({ key }) => key).join('\n')}\n`;
}
