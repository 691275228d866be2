import { sum } from '../core/sum.ts';

/** @param counts as the projection keeps them: pairs of type and count, as JSON */
export function sizeOf(counts: string | undefined): { nodes: number; edges: number } {
  if (counts === undefined) return { nodes: 0, edges: 0 };
  const { nodes, edges }: Record<'nodes' | 'edges', [string, number][]> = JSON.parse(counts);
  const countsIn = (pairs: readonly [string, number][]) => pairs.map(([, count]) => count);
  return { nodes: sum(countsIn(nodes)), edges: sum(countsIn(edges)) };
}
