import type { SubPath } from '../../src/core/paths.ts';
import type { Resolver } from '../../src/core/resolver.ts';
import type { GraphQueries } from '../../src/graph/queries.ts';
import { answeredHere } from '../../src/graph/slow-questions.ts';
import { graphResolver } from '../../src/resolvers/graph.ts';

/** The subtree of a graph whose changes somebody follows. */
export interface FollowedGraph {
  readonly resolver: Resolver;
  /** Makes a change, and says of which paths that was told, in order. */
  toldOf(change: () => void): string[];
}

export function followedGraph(graph: GraphQueries): FollowedGraph {
  let graphChanged = () => {};
  const resolver = graphResolver({
    graph,
    slow: answeredHere(graph),
    subscribe: (listener) => {
      graphChanged = listener;
      return () => {};
    },
  });
  let told: SubPath[] = [];
  resolver.onChange?.((paths) => told.push(...paths));
  return {
    resolver,
    toldOf(change) {
      told = [];
      change();
      graphChanged();
      return told.toSorted();
    },
  };
}
