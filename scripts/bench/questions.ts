import { graphQueries } from '../../src/graph/queries.ts';
import { openStore } from '../../src/store/store.ts';
import { randomNumbers } from '../corpus.ts';
import { printTable } from './table.ts';

const ROUNDS = 1000;
/** In one of so many rounds, a node with the most edges is asked for. */
const HUB_EVERY = 20;
const HUBS = 50;
const MAX_NODES = 500;

/** Measures questions about the graph in the process that asks, as the daemon does. @param indexFile of a graph that nobody changes meanwhile */
export function questions(indexFile: string): void {
  const store = openStore(indexFile, { readOnly: true });
  try {
    const graph = graphQueries(store);
    const nodes = graph.nodes();
    const hubs = nodes.toSorted((a, b) => b.degree - a.degree).slice(0, HUBS);
    const random = randomNumbers(1);
    const pick = (round: number): string => {
      const among = round % HUB_EVERY === 0 ? hubs : nodes;
      return among[Math.floor(random() * among.length)]?.name ?? '';
    };
    const known = (name: string) => {
      const node = graph.node(name);
      if (node === undefined) throw new Error(`there is no node ${name}`);
      return node;
    };
    const asked: Record<string, (name: string, other: string) => unknown> = {
      'node by name': (name) => graph.node(name),
      neighbours: (name) => graph.neighbours(known(name)),
      'subgraph of depth 2, 500 nodes at most': (name) => graph.subgraph(known(name), 2, MAX_NODES),
      'path to another': (name, other) => graph.path(known(name), known(other)),
    };
    const { totalNodes, totalEdges } = graph.stats();
    const rows = Object.entries(asked).map(([what, ask]) => {
      const times = Array.from({ length: ROUNDS }, (_, round) => {
        const names = [pick(round), pick(round + 1)] as const;
        const startMs = performance.now();
        ask(...names);
        return performance.now() - startMs;
      }).sort((a, b) => a - b);
      const at = (share: number) => (times[Math.ceil(ROUNDS * share) - 1] ?? 0).toFixed(2);
      return [what, at(0.5), at(0.99), at(1), '≤ 10'];
    });
    printTable(
      `${ROUNDS} questions each of ${totalNodes.toLocaleString('en')} nodes and ${totalEdges.toLocaleString('en')} edges, one in ${HUB_EVERY} of a hub`,
      ['ms', 'p50', 'p99', 'longest', 'aim (p99)'],
      rows,
    );
  } finally {
    store.close();
  }
}
