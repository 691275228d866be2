import { findNode } from '../graph/lookup.ts';
import { inOrder } from '../graph/queries.ts';
import { nodeText, viewOf } from '../graph/view.ts';
import type { Relation } from '../store/edges.ts';
import type { GraphHistory, PastEdge, PastNode } from '../store/graph-history.ts';

/** The graph as it was at a revision. */
export class PastGraph {
  readonly #history: GraphHistory;
  readonly #revision: number;

  constructor(history: GraphHistory, revision: number) {
    this.#history = history;
    this.#revision = revision;
  }

  /** Finds a node as the present graph does: by its listed name, its identity, or a name that differs only in case and punctuation. */
  node(name: string): PastNode | undefined {
    const history = this.#history;
    const revision = this.#revision;
    return findNode(
      {
        byName: (name) => history.nodesOfName(name, revision)[0],
        byKey: (key) => history.nodeOfKey(key, revision),
        byFoldedName: (folded) => history.nodesOfFoldedName(folded, revision),
      },
      name,
    );
  }

  nodeById(id: number): PastNode | undefined {
    return this.#history.node(id, this.#revision);
  }

  edge(id: Pick<PastEdge, 'sourceId' | 'targetId' | 'type'>): PastEdge | undefined {
    return this.#history.edge(id, this.#revision);
  }

  /** The page that `graph/nodes/<name>` showed. */
  pageOf(node: PastNode): string {
    const relations = this.#history
      .edgesOfNode(node.id, this.#revision)
      .flatMap((edge) => this.#relation(node.id, edge) ?? []);
    return nodeText(viewOf(shown(node), inOrder(relations)));
  }

  #relation(id: number, edge: PastEdge): Relation | undefined {
    const { sourceId, targetId, type, weight, confidence, evidence } = edge;
    const direction = sourceId === id ? 'out' : 'in';
    const other = this.nodeById(direction === 'out' ? targetId : sourceId);
    return (
      other && { direction, type, weight, confidence, evidence: JSON.parse(evidence), display: other.display }
    );
  }
}

function shown({ sources, properties, ...node }: PastNode) {
  return { ...node, sources: JSON.parse(sources), properties: JSON.parse(properties) };
}
