import { entriesOf, generatedTree, notFolder, type Page, type Place } from '../core/generated-tree.ts';
import { msToNs } from '../core/node-info.ts';
import { partsOf, type SubPath } from '../core/paths.ts';
import type { DirEntry, Resolver } from '../core/resolver.ts';
import { nodeText, spaced } from '../graph/view.ts';
import type { MemoryGraph, MemoryNode } from '../memory-graph/memory-graph.ts';
import { MEMORY_EDGE_TYPES, MEMORY_NODE_TYPES } from '../memory-graph/model.ts';
import { memoryEdgeView, memoryNodeView } from '../memory-graph/view.ts';

/**
 * The subtree `graph/memory/`: what is remembered, as a graph. All of it is for its owner alone (0700, 0600).
 *
 * - `nodes/<name>`: one node, JSON of the same shape as `graph/nodes/<name>`; `fact/refunds` is the file `fact%2Frefunds`
 * - `types/<Type>/<name>`: links to `../../nodes/<name>`
 * - `edges/<edge>.jsonl`: every edge of one type, one JSON object a line
 * - `near/<name>/<edge>/<other>`: links to the neighbours, of memory or of the docs, incoming ones as `<edge>_of`; near/ itself lists nothing
 */
export function memoryGraphResolver(graph: MemoryGraph): Resolver {
  return {
    ...generatedTree('graph/memory', (path) => placeAt(graph, partsOf(path))),
    onChange: (listener) => graph.onChange(() => listener(['' as SubPath])),
  };
}

const FOLDERS = new Map([
  ['edges', edgesPlace],
  ['near', nearPlace],
  ['nodes', nodesPlace],
  ['types', typesPlace],
]);

function placeAt(graph: MemoryGraph, [top, ...rest]: readonly string[]): Place | undefined {
  if (top === undefined) return folder(graph.listedMs(), () => entriesOf('directory', FOLDERS.keys()));
  // Editors, shells and git probe for names such as `.git`: those are never looked up as a node.
  if (rest.some((name) => name.startsWith('.'))) return undefined;
  return FOLDERS.get(top)?.(graph, rest);
}

function nodesPlace(graph: MemoryGraph, [name, ...beyond]: readonly string[]): Place | undefined {
  if (name === undefined) return folder(graph.listedMs(), () => listed('file', graph.names()));
  const node = graph.node(name);
  if (node === undefined) return undefined;
  if (beyond.length > 0) notFolder(name);
  return {
    ...page(node.changedMs, `${node.version} ${node.id}`, () => nodeText(memoryNodeView(graph, node))),
    attributes: () =>
      new Map([
        ['user.kgraphfs.type', node.type],
        ['user.kgraphfs.confidence', String(node.confidence)],
        ['user.kgraphfs.source', node.sources[0] ?? ''],
        ['user.kgraphfs.indexed_at', new Date(node.changedMs).toISOString()],
      ]),
  };
}

function typesPlace(graph: MemoryGraph, rest: readonly string[]): Place | undefined {
  const [typeName, name, ...beyond] = rest;
  if (typeName === undefined)
    return folder(graph.listedMs(), () => entriesOf('directory', MEMORY_NODE_TYPES));
  const type = MEMORY_NODE_TYPES.find((one) => one === typeName);
  if (type === undefined) return undefined;
  if (name === undefined) {
    const ofType = () => graph.names().filter((node) => node.type === type);
    return folder(graph.listedMs(), () => listed('link', ofType()));
  }
  const node = graph.node(name);
  return node?.type === type ? link(`../../nodes/${node.name}`, node, beyond) : undefined;
}

function edgesPlace(graph: MemoryGraph, rest: readonly string[]): Place | undefined {
  const [name, ...beyond] = rest;
  const fileName = (type: string) => `${type}.jsonl`;
  if (name === undefined)
    return folder(graph.listedMs(), () => entriesOf('file', MEMORY_EDGE_TYPES.map(fileName)));
  const type = MEMORY_EDGE_TYPES.find((one) => fileName(one) === name);
  if (type === undefined) return undefined;
  if (beyond.length > 0) notFolder(name);
  return page(graph.changedMs(), `${graph.revision()} ${name}`, () =>
    graph
      .edgesOfType(type)
      .map((edge) => `${spaced(memoryEdgeView(edge))}\n`)
      .join(''),
  );
}

function nearPlace(graph: MemoryGraph, rest: readonly string[]): Place | undefined {
  const [name, sideName, otherName, ...beyond] = rest;
  if (name === undefined) return folder(graph.listedMs(), () => []);
  const node = graph.node(name);
  if (node === undefined) return undefined;
  const sides = graph.sides(node.id);
  if (sideName === undefined) return folder(node.changedMs, () => entriesOf('directory', sides.keys()));
  const side = sides.get(sideName);
  if (side === undefined) return undefined;
  if (otherName === undefined) return folder(node.changedMs, () => entriesOf('link', side.keys()));
  const other = side.get(otherName);
  if (other === undefined) return undefined;
  const target = other.home === 'memory' ? `../../../nodes/${other.name}` : `../../../../nodes/${other.name}`;
  return link(target, node, beyond);
}

function listed(kind: 'file' | 'link', names: Iterable<{ readonly name: string }>): DirEntry[] {
  return Array.from(names, ({ name }) => ({ name, kind }));
}

function link(target: string, { changedMs }: MemoryNode, beyond: readonly string[]): Place {
  if (beyond.length > 0) notFolder(target);
  return { kind: 'link', modifiedNs: msToNs(changedMs), target };
}

function page(changedMs: number, pageKey: string, render: () => string): Page {
  return { kind: 'file', modifiedNs: msToNs(changedMs), pageKey, render, isPrivate: true };
}

function folder(changedMs: number, list: () => readonly DirEntry[]): Place {
  return { kind: 'directory', modifiedNs: msToNs(changedMs), list, isPrivate: true };
}
