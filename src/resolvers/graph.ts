import { FsError, UserError } from '../core/errors.ts';
import { entriesOf, generatedTree, notFolder, type Page, type Place } from '../core/generated-tree.ts';
import { EDGE_TYPES, type EdgeType, NODE_TYPES } from '../core/graph-model.ts';
import { decodeName, encodeName } from '../core/names.ts';
import { msToNs } from '../core/node-info.ts';
import { partsOf, type SubPath } from '../core/paths.ts';
import type { ChangeListener, DirEntry, Resolver, Unsubscribe } from '../core/resolver.ts';
import { nodeMarkdown } from '../graph/markdown.ts';
import { nodeLinkData } from '../graph/node-link.ts';
import type { GraphQueries } from '../graph/queries.ts';
import { graphQuestions } from '../graph/questions.ts';
import { edgeView, jsonText, nodeText, nodeView, pathView, spaced, statsView } from '../graph/view.ts';
import type { MemoryGraph } from '../memory-graph/memory-graph.ts';
import { isMemoryName } from '../memory-graph/node-names.ts';
import type { Side, Sides } from '../memory-graph/sides.ts';
import type { StoredNode } from '../store/nodes.ts';

/**
 * The subtree `graph/`: the knowledge graph of the docs as folders, links and generated files. Where there is a graph of memory, two places show
 * of it what belongs to the docs: `stats.json` its counts, and `near/<concept>/<edge>_of/` what is remembered of a concept, in a folder for its
 * owner alone. A name such as `fact/refunds` below `near/` is a link into `memory/near/`, whether there is such a node or not, so that
 * other users learn nothing by asking.
 */
export function graphResolver(
  docs: GraphQueries,
  subscribe: (listener: ChangeListener) => Unsubscribe,
  memory?: MemoryGraph,
): Resolver {
  const graph: Graphs = memory ? { ...docs, memory } : docs;
  return {
    ...generatedTree('graph', (path) => placeAt(graph, partsOf(path))),
    search: ({ text, limit }) =>
      graph.similar(text, limit).map(({ name, type, score }) => ({
        path: `nodes/${name}` as SubPath,
        line: 0,
        kind: type,
        score,
        snippet: graph.node(name)?.description ?? '',
      })),
    actions: new Map([
      ['find_path', '<from> <to>'],
      ['subgraph', '<name> [depth]'],
      ['related_concepts', '<name>'],
    ]),
    exec(path, action, args) {
      try {
        return jsonText(answer(graph, action, args));
      } catch (error) {
        if (error instanceof UserError) throw new FsError('EINVAL', path, error.message, { cause: error });
        throw error;
      }
    },
    onChange(listener) {
      const ends = [subscribe(listener), memory?.onChange(() => listener(SHOW_MEMORY))];
      return () => {
        for (const end of ends) end?.();
      };
    },
  };
}

/** The graph of the docs, and that of memory where there is one. */
type Graphs = GraphQueries & { readonly memory?: MemoryGraph };

/** What a change of memory changes. */
const SHOW_MEMORY = ['near' as SubPath, 'stats.json' as SubPath];

function answer(graph: GraphQueries, action: string, args: readonly string[]): unknown {
  const questions = graphQuestions(graph);
  const [first = '', second = ''] = args;
  if (action === 'find_path') return questions.find_connection(first, second) ?? { path: null };
  if (action === 'related_concepts') return questions.related_concepts(first);
  if (action === 'subgraph')
    return questions.subgraph_context(first, second === '' ? undefined : depthOf(second));
  throw new UserError(
    `"${action}" is not an action of the graph; it has find_path, subgraph and related_concepts`,
  );
}

function depthOf(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new UserError(`a depth is a whole number from 0 to 99, not "${text}"`);
  return Number(text);
}

const FOLDERS = new Map([
  ['edges', edgesPlace],
  ['markdown', markdownPlace],
  ['near', nearPlace],
  ['nodes', nodesPlace],
  ['path', pathPlace],
  ['types', typesPlace],
]);

const FILES = new Map([
  ['stats.json', statsPage],
  ['graph.json', (graph: Graphs) => wholeGraphPage(graph, 'graph.json', () => jsonText(nodeLinkData(graph)))],
]);

/** What stands at a path, by the graph as it is now. */
function placeAt(graph: Graphs, parts: readonly string[]): Place | undefined {
  const [top, ...rest] = parts;
  if (top === undefined)
    return folder(graph, () => [
      ...entriesOf('directory', FOLDERS.keys()),
      { name: 'stats.json', kind: 'file' },
    ]);
  const file = FILES.get(top);
  if (file) return rest.length > 0 ? notFolder(parts.join('/')) : file(graph);
  // Editors, shells and git probe for names such as `.git`: those are never looked up as a node.
  if (rest.some((name) => name.startsWith('.'))) return undefined;
  return FOLDERS.get(top)?.(graph, rest);
}

function nodesPlace(graph: GraphQueries, rest: readonly string[]): Place | undefined {
  if (rest.length === 0)
    return folder(graph, () => graph.names().map(({ name }) => ({ name, kind: 'file' })));
  return nodePage(graph, rest, 'json', (node) => nodeText(nodeView(graph, node)));
}

function markdownPlace(graph: GraphQueries, rest: readonly string[]): Place | undefined {
  if (rest.length === 0) return folder(graph, () => []);
  return nodePage(graph, rest, 'markdown', (node) => nodeMarkdown(nodeView(graph, node)));
}

function nodePage(
  graph: GraphQueries,
  [name = '', ...beyond]: readonly string[],
  form: string,
  render: (node: StoredNode) => string,
): Page | undefined {
  const node = graph.reference(name);
  if (node === undefined) return undefined;
  if (beyond.length > 0) notFolder(name);
  const whole = () => graph.nodeById(node.id) ?? gone(name);
  return {
    kind: 'file',
    modifiedNs: msToNs(node.changedMs),
    pageKey: `${form} ${node.id} ${node.revision}`,
    render: () => render(whole()),
    attributes: () => nodeAttributes(whole()),
  };
}

/** For a node that went between its look-up and its page. */
function gone(name: string): never {
  throw new FsError('ENOENT', name, 'this node is no longer there');
}

function nodeAttributes(node: StoredNode): Map<string, string> {
  return new Map([
    ['user.kgraphfs.type', node.type],
    ['user.kgraphfs.confidence', String(node.confidence)],
    ['user.kgraphfs.source', node.sources[0] ?? ''],
    ['user.kgraphfs.indexed_at', new Date(node.changedMs).toISOString()],
  ]);
}

function typesPlace(graph: GraphQueries, rest: readonly string[]): Place | undefined {
  const [typeName, name, ...beyond] = rest;
  if (typeName === undefined) return folder(graph, () => entriesOf('directory', NODE_TYPES));
  const type = NODE_TYPES.find((one) => one === typeName);
  if (type === undefined) return undefined;
  if (name === undefined) return folder(graph, () => namesOfType(graph, type));
  const node = graph.reference(name);
  return node?.type === type ? link(`../../nodes/${node.name}`, node.changedMs, beyond) : undefined;
}

function namesOfType(graph: GraphQueries, type: StoredNode['type']): DirEntry[] {
  return graph.names().flatMap((node) => (node.type === type ? { name: node.name, kind: 'link' } : []));
}

function statsPage(graph: Graphs): Page {
  const { memory } = graph;
  const page = wholeGraphPage(graph, 'stats.json', () => jsonText(statsView(graph.stats(), memory?.stats())));
  if (memory === undefined) return page;
  const modifiedNs = msToNs(Math.max(graph.builtAtMs() ?? 0, memory.changedMs()));
  return { ...page, modifiedNs, pageKey: `${page.pageKey} ${memory.revision()}` };
}

function nearPlace(graph: Graphs, rest: readonly string[]): Place | undefined {
  const [name, side, otherName, ...beyond] = rest;
  if (name === undefined) return folder(graph, () => []);
  if (graph.memory && isMemoryName(decodeName(name)) && graph.reference(name)?.name !== name)
    return link(`../memory/near/${name}`, graph.builtAtMs() ?? 0, rest.slice(1));
  const node = graph.node(name);
  if (node === undefined) return undefined;
  const remembered: Sides = graph.memory?.sides(node.key) ?? new Map();
  const memories = remembered.get(side ?? '');
  if (memories !== undefined) return rememberedPlace(memories, node, rest.slice(2));
  const modifiedNs = msToNs(node.changedMs);
  if (side === undefined) {
    const list = () => entriesOf('directory', [...sidesOf(graph, node).keys(), ...remembered.keys()]);
    return { kind: 'directory', modifiedNs, list };
  }
  const others = sidesOf(graph, node).get(side);
  if (others === undefined) return undefined;
  if (otherName === undefined)
    return { kind: 'directory', modifiedNs, list: () => entriesOf('link', others) };
  const other = others.has(otherName) ? otherName : graph.node(otherName)?.name;
  if (other === undefined || !others.has(other)) return undefined;
  return link(`../../../nodes/${other}`, node.changedMs, beyond);
}

/**
 * A folder of what is remembered of a node, for its owner alone, or a link in it. It has the time of the node: when something was remembered is
 * for nobody else to see.
 */
function rememberedPlace(
  memories: Side,
  { changedMs }: StoredNode,
  [name, ...beyond]: readonly string[],
): Place | undefined {
  if (name === undefined) {
    const list = () => entriesOf('link', memories.keys());
    return { kind: 'directory', modifiedNs: msToNs(changedMs), list, isPrivate: true };
  }
  const memory = memories.get(name);
  return memory && link(`../../../memory/nodes/${memory.name}`, changedMs, beyond);
}

/** Names of the neighbours by `requires` for edges that lead away and `requires_of` for those that arrive. */
function sidesOf(graph: GraphQueries, node: StoredNode): Map<string, Set<string>> {
  const sides = new Map<string, Set<string>>();
  const add = (side: string, display: string) =>
    sides.set(side, (sides.get(side) ?? new Set()).add(encodeName(display)));
  for (const { type, targetDisplay } of graph.outgoing(node)) add(type, targetDisplay);
  for (const { type, sourceDisplay } of graph.incoming(node)) add(`${type}_of`, sourceDisplay);
  return sides;
}

function edgesPlace(graph: GraphQueries, rest: readonly string[]): Place | undefined {
  const [name, ...beyond] = rest;
  if (name === undefined) return folder(graph, () => entriesOf('file', EDGE_TYPES.map(edgeFileName)));
  const type = EDGE_TYPES.find((one) => edgeFileName(one) === name);
  if (type === undefined) return undefined;
  if (beyond.length > 0) notFolder(name);
  return wholeGraphPage(graph, name, () => {
    let text = '';
    for (const edge of graph.edgesOfType(type)) text += `${spaced(edgeView(edge))}\n`;
    return text;
  });
}

function edgeFileName(type: EdgeType): string {
  return `${type}.jsonl`;
}

function pathPlace(graph: GraphQueries, rest: readonly string[]): Place | undefined {
  const [fromName, toName, ...beyond] = rest;
  if (fromName === undefined) return folder(graph, () => []);
  const from = graph.node(fromName);
  if (from === undefined) return undefined;
  if (toName === undefined) return folder(graph, () => []);
  const to = graph.node(toName);
  const path = to && graph.path(from, to);
  if (to === undefined || path === undefined) return undefined;
  if (beyond.length > 0) notFolder(toName);
  return wholeGraphPage(graph, `path ${from.id} ${to.id}`, () => jsonText(pathView(graph, path)));
}

function link(target: string, changedMs: number, beyond: readonly string[]): Place {
  if (beyond.length > 0) notFolder(target);
  return { kind: 'link', modifiedNs: msToNs(changedMs), target };
}

/** A page that any change of the graph may change. */
function wholeGraphPage(graph: GraphQueries, name: string, render: () => string): Page {
  return { kind: 'file', modifiedNs: builtAtNs(graph), pageKey: `${name} ${graph.revision()}`, render };
}

function folder(graph: GraphQueries, list: () => readonly DirEntry[]): Place {
  return { kind: 'directory', modifiedNs: builtAtNs(graph), list };
}

function builtAtNs(graph: GraphQueries): bigint {
  return msToNs(graph.builtAtMs() ?? 0);
}
