import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import type { GraphQueries } from '../graph/queries.ts';

export const EDGE_TYPES = z
  .array(z.string().min(1).max(200))
  .max(50)
  .optional()
  .describe('only edges of these types, such as triggers');

/** The types of edges in the graph with these names, in any case and with `-` for `_`. @throws UserError for a type that the graph does not have */
export function edgeTypesNamed(
  names: readonly string[],
  graph: Pick<GraphQueries, 'stats'>,
): readonly string[] {
  const known = Object.keys(graph.stats().edgesByType);
  return names.map((name) => {
    const type = known.find((one) => one.toLowerCase() === name.toLowerCase().replaceAll('-', '_'));
    if (type !== undefined) return type;
    throw new UserError(`there is no edge type "${name}"; the types are ${known.join(', ')}`);
  });
}
