import { after } from '../core/awaitable.ts';
import { entriesOf, generatedTree, notFolder, type Page, type Place } from '../core/generated-tree.ts';
import { isoTime } from '../core/iso-time.ts';
import { msToNs } from '../core/node-info.ts';
import { partsOf } from '../core/paths.ts';
import type { DirEntry, Resolver, Unsubscribe } from '../core/resolver.ts';
import { nodeText, spaced } from '../graph/view.ts';
import { AskedMemory } from '../graph-tree/asked-memory.ts';
import { linkTo } from '../graph-tree/link-place.ts';
import { timeOf } from '../graph-tree/revision-time.ts';
import type { MemoryGraph } from '../memory-graph/memory-graph.ts';
import { MEMORY_EDGE_TYPES, MEMORY_NODE_TYPES } from '../memory-graph/model.ts';
import { memoryEdgeView, memoryNodeView } from '../memory-graph/view.ts';

/**
 * The subtree `graph/memory/`: memory as a graph. Only the owner may read it (0700, 0600).
 * - `nodes/<name>`: one node, JSON of the same form as `graph/nodes/<name>`; `fact/refunds` is the file `fact%2Frefunds`
 * - `types/<Type>/<name>`: links to `../../nodes/<name>`
 * - `edges/<edge>.jsonl`: all edges of one type, one JSON object per line
 * - `near/<name>/<edge>/<other>`: links to the neighbours in memory or in the docs, incoming ones as `<edge>_of`; near/ itself lists nothing
 */
export function memoryGraphResolver({ graph, subscribe }: MemoryGraphResolverParts): Resolver {
  const asked = new AskedMemory(graph);
  return {
    ...generatedTree('graph/memory', (path) =>
      after(graph.settle(), () => placeAt({ graph, asked }, partsOf(path))),
    ),
    // Any name may come to mean a node, except for hidden names.
    tellsOfNew: (path) => !path.includes('/') || path.startsWith('.', path.lastIndexOf('/') + 1),
    onChange(listener) {
      let isListening = true;
      const tell = () => {
        void after(asked.changed(), (paths) => {
          if (isListening && paths.length > 0) listener(paths);
        });
      };
      const ends = [graph.onChange(tell), subscribe(tell)];
      return () => {
        isListening = false;
        for (const end of ends) end();
      };
    },
  };
}

export interface MemoryGraphResolverParts {
  readonly graph: MemoryGraph;
  /** Calls the listener when the graph of the docs has a new revision: memories name its nodes. */
  readonly subscribe: (listener: () => void) => Unsubscribe;
}

interface Tree {
  readonly graph: MemoryGraph;
  readonly asked: AskedMemory;
}

const FOLDERS = new Map([
  ['edges', edgesPlace],
  ['near', nearPlace],
  ['nodes', nodesPlace],
  ['types', typesPlace],
]);

function placeAt(tree: Tree, [top, ...rest]: readonly string[]): Place | undefined {
  if (top === undefined) return listing(tree, () => entriesOf('directory', FOLDERS.keys()));
  // Editors, shells and git look for names such as `.git`: these are never looked up as nodes.
  if (rest.some((name) => name.startsWith('.'))) return undefined;
  return FOLDERS.get(top)?.(tree, rest);
}

function nodesPlace(tree: Tree, [name, ...beyond]: readonly string[]): Place | undefined {
  const { graph, asked } = tree;
  if (name === undefined) return listing(tree, () => listed('file', graph.names()));
  const node = graph.node(name);
  if (node === undefined) return undefined;
  asked.addNode(`nodes/${name}`, name, node);
  if (beyond.length > 0) notFolder(name);
  return {
    ...page(node.changedMs, `${node.version} ${node.id}`, () => nodeText(memoryNodeView(graph, node))),
    attributes: () =>
      new Map([
        ['user.kgraphfs.type', node.type],
        ['user.kgraphfs.confidence', String(node.confidence)],
        ['user.kgraphfs.source', node.sources[0] ?? ''],
        ['user.kgraphfs.indexed_at', isoTime(node.changedMs)],
      ]),
  };
}

function typesPlace(tree: Tree, rest: readonly string[]): Place | undefined {
  const { graph, asked } = tree;
  const [typeName, name, ...beyond] = rest;
  if (typeName === undefined) return listing(tree, () => entriesOf('directory', MEMORY_NODE_TYPES));
  const type = MEMORY_NODE_TYPES.find((one) => one === typeName);
  if (type === undefined) return undefined;
  if (name === undefined) {
    const ofType = () => graph.names().filter((node) => node.type === type);
    return listing(tree, () => listed('link', ofType()));
  }
  const node = graph.reference(name);
  if (node?.type !== type) return undefined;
  asked.addNode(`types/${type}/${name}`, name, node);
  return linkTo(`../../nodes/${node.name}`, msToNs(node.changedMs), beyond);
}

function edgesPlace(tree: Tree, rest: readonly string[]): Place | undefined {
  const { graph, asked } = tree;
  const [name, ...beyond] = rest;
  const fileName = (type: string) => `${type}.jsonl`;
  if (name === undefined) return listing(tree, () => entriesOf('file', MEMORY_EDGE_TYPES.map(fileName)));
  const type = MEMORY_EDGE_TYPES.find((one) => fileName(one) === name);
  if (type === undefined) return undefined;
  if (beyond.length > 0) notFolder(name);
  asked.addFile(`edges/${name}`);
  const lines = () => graph.edgesOfType(type).map((edge) => `${spaced(memoryEdgeView(edge))}\n`);
  const edges = page(graph.changedMs(), `${graph.revision()} ${name}`, () => lines().join(''));
  // Any change may affect them, and finding out takes as long as writing them all. No write waits for that.
  return { ...edges, changesUntold: true };
}

function nearPlace(tree: Tree, rest: readonly string[]): Place | undefined {
  const { graph, asked } = tree;
  const [name, sideName, otherName, ...beyond] = rest;
  if (name === undefined) return listing(tree, () => []);
  const node = graph.reference(name);
  if (node === undefined) return undefined;
  asked.addNode(`near/${name}`, name, node);
  const timeNs = timeOf({ revision: node.version, nowMs: node.changedMs });
  if (sideName === undefined) return folder(timeNs, () => entriesOf('directory', graph.sides(node.id)));
  const side = graph.side(node.id, sideName);
  if (side === undefined) return undefined;
  if (otherName === undefined) return folder(timeNs, () => entriesOf('link', side.names()));
  const other = side.get(otherName);
  if (other === undefined) return undefined;
  const target = other.home === 'memory' ? `../../../nodes/${other.name}` : `../../../../nodes/${other.name}`;
  return linkTo(target, msToNs(node.changedMs), beyond);
}

function listed(kind: 'file' | 'link', names: Iterable<{ readonly name: string }>): DirEntry[] {
  return Array.from(names, ({ name }) => ({ name, kind }));
}

function page(changedMs: number, pageKey: string, render: () => string): Page {
  return { kind: 'file', modifiedNs: msToNs(changedMs), pageKey, render, isPrivate: true };
}

function folder(modifiedNs: bigint, list: () => readonly DirEntry[]): Place {
  return { kind: 'directory', modifiedNs, list, isPrivate: true };
}

/** A folder with the time at which a name was last added or removed. */
function listing({ graph, asked }: Tree, list: () => readonly DirEntry[]): Place {
  asked.addListing();
  return folder(timeOf(graph.listed()), list);
}
