import { compareNodeTypes } from '../core/graph-model.ts';
import { documentPathOf, foldConcept } from '../core/identity.ts';
import { encodeName } from '../core/names.ts';
import type { DerivedNode, NameRival, NodeNames, NodeTable } from '../store/nodes.ts';

/** A node that gets new names; `node.name` is its former name, empty for a new node. */
export interface Naming extends NodeNames {
  readonly node: NameRival;
}

/**
 * Settles the listed names of all nodes that would have the same name. If labels collide, a concept keeps the bare name, each document is listed as
 * `Label (its/path.md)`, and any other node as `Label (Type)`. If documents collide with each other, all of them get their paths, so that no name
 * depends on which of them came first.
 * @param fresh nodes that would have it too and are not in the table yet
 * @param written nodes of the table whose label or type may have changed since their name was settled
 * @returns nodes that get another name
 */
export function settleNames(
  nodes: NodeTable,
  baseName: string,
  fresh: readonly DerivedNode[],
  written: ReadonlySet<number>,
): Naming[] {
  const known = nodes.rivals(baseName);
  const rivals = [...known, ...fresh.map((node) => ({ ...node, name: '' }))];
  const owner = ownerOf(rivals);
  return rivals.flatMap((node) => {
    const isSettled = node.name !== '' && !written.has(node.id);
    if (isSettled && (node.name === baseName) === (node === owner)) return [];
    const display = node === owner ? node.label : qualified(node);
    const name = encodeName(display);
    return node.name === name ? [] : [{ node, display, name, foldedName: foldConcept(display) }];
  });
}

/** The node that keeps the bare name: the only one, or the first by type, then key, that is not a document. */
function ownerOf(rivals: readonly NameRival[]): NameRival | undefined {
  if (rivals.length === 1) return rivals[0];
  return rivals
    .filter(({ type }) => type !== 'Document')
    .toSorted((a, b) => compareNodeTypes(a.type, b.type) || (a.key < b.key ? -1 : 1))[0];
}

function qualified({ key, label, type }: NameRival): string {
  return `${label} (${documentPathOf(key) ?? type})`;
}
