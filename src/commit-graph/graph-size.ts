import { sum } from '../core/sum.ts';

/** @param counts pairs of type and count, as JSON, in the form in which the projection keeps them */
export function sizeOf(counts: string | undefined): { nodes: number; edges: number } {
  if (counts === undefined) return { nodes: 0, edges: 0 };
  const { nodes, edges }: Record<'nodes' | 'edges', [string, number][]> = JSON.parse(counts);
  const countsIn = (pairs: readonly [string, number][]) => pairs.map(([, count]) => count);
  return { nodes: sum(countsIn(nodes)), edges: sum(countsIn(edges)) };
}
