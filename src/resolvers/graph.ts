import { after, atOnce } from '../core/awaitable.ts';
import { FsError, UserError } from '../core/errors.ts';
import { entriesOf, generatedTree, notFolder, type Page, type Place } from '../core/generated-tree.ts';
import type { EdgeType } from '../core/graph-model.ts';
import { isoTime } from '../core/iso-time.ts';
import { jsonText } from '../core/json-text.ts';
import { msToNs } from '../core/node-info.ts';
import { partsOf, type SubPath } from '../core/paths.ts';
import type { Awaitable, Hit, Resolver, Unsubscribe } from '../core/resolver.ts';
import type { GraphQueries } from '../graph/queries.ts';
import { type NodeForm, nodePageHere, type SlowQuestions, type Text } from '../graph/slow-questions.ts';
import { statsView } from '../graph/view.ts';
import { GRAPH_ACTIONS, runAction } from '../graph-tree/actions.ts';
import { AskedPaths } from '../graph-tree/asked-paths.ts';
import { linkTo } from '../graph-tree/link-place.ts';
import { NameLists } from '../graph-tree/name-lists.ts';
import { NearFolders } from '../graph-tree/near-folders.ts';
import { PathPages } from '../graph-tree/path-pages.ts';
import { timeOf } from '../graph-tree/revision-time.ts';
import { SectionPages } from '../graph-tree/section-pages.ts';
import { tellingOfChanges } from '../graph-tree/telling-of-changes.ts';
import type { MemoryGraph } from '../memory-graph/memory-graph.ts';
import type { Listing } from '../store/listings.ts';
import type { StoredNode } from '../store/nodes.ts';

export interface GraphResolverParts {
  readonly graph: GraphQueries;
  /** Answers questions that take long. */
  readonly slow: SlowQuestions;
  readonly memory?: MemoryGraph | undefined;
  /** Calls the listener when the graph has a new revision. */
  readonly subscribe: (listener: () => void) => Unsubscribe;
}

/**
 * The subtree `graph/`: the knowledge graph of the docs as folders, links and generated files. If there is a graph of memory, two places show the
 * part of it that belongs to the docs: `stats.json` its counts, and `near/<concept>/<edge>_of/` what memory says about a concept.
 */
export function graphResolver({ graph, slow, memory, subscribe }: GraphResolverParts): Resolver {
  const asked = new AskedPaths();
  const near = new NearFolders({ graph, slow, memory, asked });
  const foldersModifiedNs = () => timeOfList({ graph }, 'graph');
  const sections = new SectionPages({ graph, slow, foldersModifiedNs });
  const tree: Tree = {
    graph,
    slow,
    memory,
    asked,
    near,
    sections,
    lists: new NameLists(graph),
    paths: new PathPages(graph, slow),
  };
  const pages = generatedTree('graph', (path) => {
    graph.holdStill();
    return placeAt(tree, partsOf(path));
  });
  return {
    ...pages,
    openAhead: (path) => (path.startsWith('nodes/') ? atOnce(pages.open(path, {})) : undefined),
    search: ({ text, limit }) =>
      after(slow.similar(text, limit), (matches) =>
        matches.map(({ name, type, score }): Hit => {
          const snippet = graph.node(name)?.description ?? '';
          return { path: `nodes/${name}` as SubPath, line: 0, kind: type, score, snippet };
        }),
      ),
    actions: GRAPH_ACTIONS,
    exec(path, action, args) {
      try {
        return jsonText(runAction(graph, action, args));
      } catch (error) {
        if (error instanceof UserError) throw new FsError('EINVAL', path, error.message, { cause: error });
        throw error;
      }
    },
    tellsOfNew: isToldWhenNew,
    onChange: (listener) => tellingOfChanges(tree, subscribe, listener),
  };
}

/** What places of the tree are made from. */
interface Tree {
  readonly graph: GraphQueries;
  readonly slow: SlowQuestions;
  readonly memory: MemoryGraph | undefined;
  readonly asked: AskedPaths;
  readonly near: NearFolders;
  readonly sections: SectionPages;
  readonly lists: NameLists;
  readonly paths: PathPages;
}

/** Any name may come to mean a node, perhaps in another spelling, and unknown names are not remembered in order to report that. Hidden names never do. */
function isToldWhenNew(path: SubPath): boolean {
  return !FOLDERS.has(partsOf(path)[0] ?? '') || path.startsWith('.', path.lastIndexOf('/') + 1);
}

const FOLDERS = new Map([
  ['edges', edgesPlace],
  ['markdown', markdownPlace],
  ['near', nearPlace],
  ['nodes', nodesPlace],
  ['path', pathPlace],
  ['sections', sectionsPlace],
  ['types', typesPlace],
]);

const FILES = new Map([
  ['stats.json', (tree: Tree) => whenMemoryIsTakenIn(tree, () => statsPage(tree))],
  ['graph.json', (tree: Tree) => wholeGraphPage(tree, 'graph.json', () => tree.slow.wholeGraphText())],
]);

/** What is at a path in the present graph. */
function placeAt(tree: Tree, parts: readonly string[]): Awaitable<Place | undefined> {
  const [top, ...rest] = parts;
  if (top === undefined) {
    const list = () => [
      ...entriesOf('directory', FOLDERS.keys()),
      { name: 'stats.json', kind: 'file' } as const,
    ];
    return folder(tree, 'graph', list);
  }
  const file = FILES.get(top);
  if (file) return rest.length > 0 ? notFolder(parts.join('/')) : file(tree);
  // Editors, shells and git look for names such as `.git`: these are never looked up as nodes.
  if (rest.some((name) => name.startsWith('.'))) return undefined;
  return FOLDERS.get(top)?.(tree, rest);
}

function nodesPlace(tree: Tree, rest: readonly string[]): Place | undefined {
  if (rest.length === 0) return folder(tree, 'nodes', () => tree.lists.entries('file'));
  return pageOfNode(tree, rest, 'nodes', 'json');
}

function markdownPlace(tree: Tree, rest: readonly string[]): Place | undefined {
  if (rest.length === 0) return folder(tree, 'graph', () => []);
  return pageOfNode(tree, rest, 'markdown', 'markdown');
}

function pageOfNode(
  { graph, slow, asked }: Tree,
  [name = '', ...beyond]: readonly string[],
  top: 'nodes' | 'markdown',
  form: NodeForm,
): Page | undefined {
  const node = graph.reference(name);
  if (node === undefined) return undefined;
  if (beyond.length > 0) notFolder(name);
  const { id, revision } = node;
  if (node.name !== name) asked.addOtherName(`${top}/${name}`);
  else if (top === 'nodes') asked.addNode(id);
  else asked.addPlace(`${top}/${name}`);
  return {
    kind: 'file',
    modifiedNs: msToNs(node.changedMs),
    pageKey: `${form} ${id} ${revision}`,
    render: () =>
      nodePageHere(graph, id, form) ?? after(slow.nodePage(id, form), (text) => text ?? gone(name)),
    attributes: () => nodeAttributes(graph.nodeById(id) ?? gone(name)),
  };
}

/** For a node that was removed between its look-up and its page. */
function gone(name: string): never {
  throw new FsError('ENOENT', name, 'this node is no longer there');
}

function nodeAttributes(node: StoredNode): Map<string, string> {
  return new Map([
    ['user.kgraphfs.type', node.type],
    ['user.kgraphfs.confidence', String(node.confidence)],
    ['user.kgraphfs.source', node.sources[0] ?? ''],
    ['user.kgraphfs.indexed_at', isoTime(node.changedMs)],
  ]);
}

function typesPlace(tree: Tree, rest: readonly string[]): Place | undefined {
  const [typeName, name, ...beyond] = rest;
  if (typeName === undefined)
    return folder(tree, 'graph', () => entriesOf('directory', tree.graph.nodeTypes()));
  const type = tree.graph.nodeTypes().find((one) => one === typeName);
  if (type === undefined) return undefined;
  if (name === undefined) return folder(tree, type, () => tree.lists.entries('link', type));
  const node = tree.graph.reference(name);
  if (node?.type !== type) return undefined;
  if (node.name !== name) tree.asked.addOtherName(`types/${type}/${name}`);
  return linkTo(`../../nodes/${node.name}`, msToNs(node.listedMs), beyond);
}

function statsPage(tree: Tree): Page {
  const { graph, memory } = tree;
  const page = wholeGraphPage(tree, 'stats.json', () => jsonText(statsView(graph.stats(), memory?.stats())));
  if (memory === undefined) return page;
  const modifiedNs = msToNs(Math.max(graph.builtAtMs() ?? 0, memory.changedMs()));
  return { ...page, modifiedNs, pageKey: `${page.pageKey} ${memory.revision()}` };
}

function nearPlace(tree: Tree, rest: readonly string[]): Awaitable<Place | undefined> {
  const [name] = rest;
  if (name === undefined) return folder(tree, 'graph', () => []);
  return whenMemoryIsTakenIn(tree, () => placeNear(tree, name, rest));
}

/** Uses the graph of the docs as it is then. */
function whenMemoryIsTakenIn<T>({ graph, memory }: Tree, next: () => T): Awaitable<T> {
  return after(memory?.settle(), () => {
    graph.holdStill();
    return next();
  });
}

function placeNear(tree: Tree, name: string, rest: readonly string[]): Place | undefined {
  const { graph, near, asked } = tree;
  const memories = near.linkToMemory(name, timeOfList(tree, 'graph'), rest.slice(1));
  if (memories !== undefined) return memories;
  const node = graph.reference(name);
  if (node === undefined) return undefined;
  if (node.name === name) asked.addPlace(`near/${name}`);
  else asked.addOtherName(`near/${name}`);
  return near.placeOf(node, rest);
}

function edgesPlace(tree: Tree, rest: readonly string[]): Place | undefined {
  const [name, ...beyond] = rest;
  if (name === undefined)
    return folder(tree, 'graph', () => entriesOf('file', tree.graph.edgeTypes().map(edgeFileName)));
  const type = tree.graph.edgeTypes().find((one) => edgeFileName(one) === name);
  if (type === undefined) return undefined;
  if (beyond.length > 0) notFolder(name);
  tree.asked.addPlace(`edges/${name}`);
  const revision = tree.graph.lastChange(type)?.revision;
  const render = () => (revision === undefined ? '' : tree.slow.edgesText(type));
  return { kind: 'file', modifiedNs: timeOfList(tree, type), pageKey: `${name} ${revision ?? 0}`, render };
}

function edgeFileName(type: EdgeType): string {
  return `${type}.jsonl`;
}

function pathPlace(tree: Tree, rest: readonly string[]): Awaitable<Place | undefined> {
  const { graph, paths, asked } = tree;
  const [fromName, toName, ...beyond] = rest;
  const list = () => [];
  if (fromName === undefined) return folder(tree, 'graph', list);
  const from = graph.reference(fromName);
  if (from === undefined) return undefined;
  asked.addPlace('path');
  if (toName === undefined) return folder(tree, 'graph', list);
  const to = graph.reference(toName);
  if (to === undefined) return undefined;
  return after(paths.page(from.id, to.id), (page) => (page && beyond.length > 0 ? notFolder(toName) : page));
}

function sectionsPlace({ sections }: Tree, rest: readonly string[]): Awaitable<Place | undefined> {
  return sections.place(rest);
}

/** A page that any change of the graph may change. */
function wholeGraphPage({ graph, asked }: Tree, name: string, render: () => Awaitable<Text>): Page {
  asked.addPlace(name);
  const modifiedNs = msToNs(graph.builtAtMs() ?? 0);
  return { kind: 'file', modifiedNs, pageKey: `${name} ${graph.revision()}`, render };
}

/** @param listing the listing whose names the folder shows */
function folder(tree: Tree, listing: Listing, list: () => ReturnType<NameLists['entries']>): Place {
  return { kind: 'directory', modifiedNs: timeOfList(tree, listing), list };
}

/** A listing that was always empty has the time of the graph. */
function timeOfList({ graph }: Pick<Tree, 'graph'>, listing: Listing): bigint {
  const change = graph.lastChange(listing) ?? graph.lastChange('graph');
  return change === undefined ? 0n : timeOf(change);
}
