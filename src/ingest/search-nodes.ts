import { randomUUID } from 'node:crypto';
import type { NodeText, RelationText } from '../store/node-texts.ts';
import type { SearchStore } from '../store/search-store.ts';
import type { SourceRow } from '../store/sources.ts';
import type { Store } from '../store/store.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import { passageOfNode } from './passages/node-passage.ts';

const MANY_NODES = 200;

/** How far search has come with the nodes of a graph. */
interface Position {
  readonly graph: string;
  readonly revision: number;
  readonly version: number;
}

/**
 * Brings the nodes in search up to date with the graph: those that have changed since the last time, or all of them if another graph, or another version of
 * this program, has filled the store.
 */
export function takeNodes(store: Store, search: SearchStore): void {
  const graph = identityOf(store);
  if (!isBehind(store, search, graph)) return;
  search.transact(() =>
    store.snapshot(() => {
      const revision = store.revision();
      const position = positionOf(search);
      const isSame = position?.graph === graph && position.version === PASSAGES_VERSION;
      const from = isSame && position.revision <= revision ? position.revision : undefined;
      const nodes = store.nodeTexts.changedAfter(from ?? -1);
      const relationsOf = relationsIn(store, nodes.length);
      for (const node of nodes) put(search, node, relationsOf(node.id));
      if (from === undefined || hasLost(store, from)) removeOthers(store, search);
      const now: Position = { graph, revision, version: PASSAGES_VERSION };
      search.setPosition(JSON.stringify(now));
    }),
  );
}

function isBehind(store: Store, search: SearchStore, graph: string): boolean {
  const position = positionOf(search);
  return (
    position?.graph !== graph ||
    position.revision !== store.revision() ||
    position.version !== PASSAGES_VERSION
  );
}

/** An identity for this index. It differs for an index that was made again in its place, whose revisions start from the beginning. */
function identityOf(store: Store): string {
  const known = store.meta('identity');
  if (known !== undefined) return known;
  return store.transact(() => {
    const identity = store.meta('identity') ?? randomUUID();
    store.setMeta('identity', identity);
    return identity;
  });
}

function positionOf(search: SearchStore): Position | undefined {
  const text = search.position();
  return text === undefined ? undefined : JSON.parse(text);
}

/** For many nodes, all relations are read at once. */
function relationsIn({ nodeTexts }: Store, count: number): (id: number) => readonly RelationText[] {
  if (count < MANY_NODES) return (id) => nodeTexts.relations(id);
  const all = nodeTexts.allRelations();
  return (id) => all.get(id) ?? [];
}

function put({ sources, passages }: SearchStore, node: NodeText, relations: readonly RelationText[]): void {
  const passage = passageOfNode(node, relations);
  const sha256 = Buffer.from(passage.textHash).toString('hex');
  const known = sources.node(node.key);
  if (known?.sha256 === sha256 && known.version === PASSAGES_VERSION) return;
  const row: Omit<SourceRow, 'id'> = {
    kind: 'node',
    path: node.key,
    stamp: '',
    sha256,
    version: PASSAGES_VERSION,
    title: node.display,
    type: node.type.toLowerCase(),
    tags: '',
    modifiedMs: node.changedMs,
    dateMs: node.changedMs,
  };
  if (known === undefined) passages.add(sources.add(row), [passage]);
  else passages.replace(sources.put(row), [passage]);
}

/** Whether nodes were removed after a revision. */
function hasLost(store: Store, revision: number): boolean {
  const isKnown = revision >= Number(store.meta('gone_known_since') ?? 0);
  return !isKnown || store.listings.goneSince(revision, 1).length > 0;
}

function removeOthers(store: Store, { sources }: SearchStore): void {
  const keys = new Set(store.nodeTexts.keys());
  for (const key of sources.nodeKeys()) if (!keys.has(key)) sources.removeNode(key);
}
