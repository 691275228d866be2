import { NODE_TYPES } from '../core/graph-model.ts';
import { documentPathOf, foldConcept } from '../core/identity.ts';
import { encodeName } from '../core/names.ts';
import type { NodeTable, StoredNode } from '../store/nodes.ts';

/**
 * Settles the listed names of all nodes that would like one of these names. Where labels collide a concept keeps
 * the bare name, each document is listed as `Label (its/path.md)` and any other node as `Label (Type)`; documents that
 * collide among themselves all get their paths, so that no name depends on which of them came first.
 * Returns the nodes whose name changed, as they were.
 */
export function settleNames(nodes: NodeTable, baseNames: Iterable<string>): StoredNode[] {
  const renamed: StoredNode[] = [];
  for (const baseName of baseNames) {
    const rivals = nodes.byBaseName(baseName);
    const owner = ownerOf(rivals);
    for (const node of rivals) {
      const display = node === owner ? node.label : qualified(node);
      const name = encodeName(display);
      if (node.name === name) continue;
      nodes.rename(node.id, display, name, foldConcept(display));
      renamed.push(node);
    }
  }
  return renamed;
}

/** Who keeps the bare name: the only one, or the first by type that is no document. */
function ownerOf(rivals: readonly StoredNode[]): StoredNode | undefined {
  if (rivals.length === 1) return rivals[0];
  return rivals
    .filter(({ type }) => type !== 'Document')
    .toSorted((a, b) => NODE_TYPES.indexOf(a.type) - NODE_TYPES.indexOf(b.type))[0];
}

function qualified({ key, label, type }: StoredNode): string {
  return `${label} (${documentPathOf(key) ?? type})`;
}
