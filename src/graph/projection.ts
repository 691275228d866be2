import { isDeepStrictEqual } from 'node:util';
import type { EdgeType, NodeKey, NodeType } from '../core/graph-model.ts';
import { documentAliases, documentKey, isLinkKey } from '../core/identity.ts';
import type { ResolvedStatementRow } from '../store/contributions.ts';
import type { Listing } from '../store/listings.ts';
import type { DerivedNode, Revision, StoredNode } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import type { Contribution, EdgeContribution, NodeContribution } from './contribution.ts';
import { type From, mergeEdges, mergeNode } from './merge.ts';
import { settleNames } from './naming.ts';

/**
 * Keeps nodes and edges equal to what all contributions together say. Changes of documents are noted first
 * (`contribute`, `retract`) and then carried into the graph at once (`project`), each node and each pair of nodes anew
 * from all that is stated about it: so it makes no difference in which order documents came, changed and went.
 *
 * All methods run inside one transaction of the store, opened by the caller.
 */
export class Projection {
  readonly #store: Store;
  readonly #touchedNodes = new Set<number>();
  readonly #touchedAliases = new Set<number>();
  readonly #touchedPairs = new PairSet();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Replaces what a document contributes. */
  contribute(documentId: number, path: string, contribution: Contribution): void {
    this.#replaceAliases(documentId, [...documentAliases(path), ...(contribution.aliases ?? [])]);
    this.#replaceMentions(documentId, contribution);
    this.#replaceStatements(documentId, contribution);
  }

  /** Takes back all that a document contributed. Its row is to be removed before `project`. */
  retract(documentId: number): void {
    const { contributions } = this.#store;
    for (const { keyId } of contributions.mentionsOfDocument(documentId)) this.#touchedNodes.add(keyId);
    for (const { sourceId, resolvedId } of contributions.statementsOfDocument(documentId)) {
      this.#touchedPairs.add(sourceId, resolvedId);
    }
    for (const aliasId of contributions.aliasesOfDocument(documentId)) this.#touchedAliases.add(aliasId);
  }

  /** Carries what was noted into the graph. Returns whether anything that the graph shows changed. */
  project(at: Revision): boolean {
    for (const aliasId of this.#touchedAliases) this.#resolveAlias(aliasId);
    const written = new Set<number>();
    const changed = new Set<number>();
    const names = new Set<string>();
    const listings = new Set<Listing>();
    for (const id of this.#touchedNodes) this.#projectNode(id, at, written, names, listings);
    for (const type of this.#projectPairs(changed)) listings.add(type);
    for (const { id, name, type } of settleNames(this.#store.nodes, names)) {
      this.#list(id, type, at, listings);
      if (name !== '') this.#unlist(name, type, at, listings);
      changed.add(id);
      for (const step of this.#store.edges.steps(id)) {
        changed.add(step.id);
        listings.add(step.type);
      }
    }
    for (const id of changed) if (!written.has(id)) this.#store.nodes.touch(id, at);
    this.#touchedNodes.clear();
    this.#touchedAliases.clear();
    this.#touchedPairs.clear();
    if (changed.size + written.size + names.size + listings.size === 0) return false;
    this.#noteListings(listings, at);
    return true;
  }

  /** A node is listed that was not, or not under this name, or not as of this type. */
  #list(id: number, type: NodeType, at: Revision, listings: Set<Listing>): void {
    this.#store.nodes.listAnew(id, at);
    listings.add('nodes').add(type);
  }

  #unlist(name: string, type: NodeType, at: Revision, listings: Set<Listing>): void {
    this.#store.listings.noteGone(name, type, at);
    listings.add('nodes').add(type);
  }

  #noteListings(changed: Iterable<Listing>, at: Revision): void {
    const { listings, nodes, edges } = this.#store;
    if (listings.lastChange('graph') === undefined) listings.note('graph', at);
    for (const listing of changed) listings.note(listing, at);
    if (listings.pruneGone()) this.#store.setMeta('gone_known_since', String(at.revision));
    const counts = { nodes: [...nodes.countsByType()], edges: [...edges.countsByType()] };
    this.#store.setMeta('counts', JSON.stringify(counts));
  }

  #replaceAliases(documentId: number, aliases: readonly NodeKey[]): void {
    const { contributions, keys } = this.#store;
    if (contributions.aliasesOfDocument(documentId).length > 0) return;
    for (const alias of aliases) {
      const aliasId = keys.intern(alias);
      contributions.putAlias(documentId, aliasId);
      this.#touchedAliases.add(aliasId);
    }
  }

  #replaceMentions(documentId: number, { mentions }: Contribution): void {
    const { contributions, keys } = this.#store;
    const before = new Map(
      contributions.mentionsOfDocument(documentId).map(({ keyId, body }) => [keyId, body]),
    );
    for (const { key, declares, body } of mentions) {
      const keyId = keys.intern(key);
      if (before.get(keyId) !== body) {
        contributions.putMention(documentId, { keyId, declares, body });
        this.#touchedNodes.add(keyId);
      }
      before.delete(keyId);
    }
    for (const keyId of before.keys()) {
      contributions.dropMention(documentId, keyId);
      this.#touchedNodes.add(keyId);
    }
  }

  #replaceStatements(documentId: number, { statements }: Contribution): void {
    const { contributions, keys } = this.#store;
    const identity = (row: ResolvedStatementRow) => `${row.sourceId} ${row.type} ${row.targetId}`;
    const before = new Map(contributions.statementsOfDocument(documentId).map((row) => [identity(row), row]));
    for (const { source, type, target, body } of statements) {
      const targetId = keys.intern(target);
      const resolvedId = this.#resolve(target, targetId);
      const row = {
        sourceId: keys.intern(source),
        resolvedId,
        type,
        targetId,
        body,
      };
      if (before.get(identity(row))?.body !== row.body) {
        contributions.putStatement(documentId, row);
        this.#touchedPairs.add(row.sourceId, resolvedId);
      }
      before.delete(identity(row));
    }
    for (const row of before.values()) {
      contributions.dropStatement(documentId, row);
      this.#touchedPairs.add(row.sourceId, row.resolvedId);
    }
  }

  /** The node a target stands for: of several documents that answer to a link, the one with the shortest path. */
  #resolve(target: NodeKey, targetId: number): number {
    if (!isLinkKey(target)) return targetId;
    const [first, ...others] = this.#store.contributions.documentsOfAlias(targetId);
    if (first === undefined) return targetId;
    const path = others.reduce((best, next) => (next.length < best.length ? next : best), first);
    return this.#store.keys.intern(documentKey(path));
  }

  #resolveAlias(aliasId: number): void {
    const { contributions, keys } = this.#store;
    const resolvedId = this.#resolve(keys.keyOf(aliasId), aliasId);
    for (const pair of contributions.pairsOfTarget(aliasId)) {
      if (pair.resolvedId === resolvedId) continue;
      this.#touchedPairs.add(pair.sourceId, pair.resolvedId);
      this.#touchedPairs.add(pair.sourceId, resolvedId);
    }
    contributions.resolveTarget(aliasId, resolvedId);
  }

  /** Makes one node anew; where it appears or goes, the pairs it takes part in are touched too. */
  #projectNode(
    id: number,
    at: Revision,
    written: Set<number>,
    names: Set<string>,
    listings: Set<Listing>,
  ): void {
    const { nodes, keys, contributions } = this.#store;
    const before = nodes.byId(id);
    const after = contributions.isDeclared(id)
      ? mergeNode(id, keys.keyOf(id), contributions.mentionsOfKey(id).map(parseBody<NodeContribution>))
      : undefined;
    if (before === undefined && after === undefined) return;
    if (before === undefined || after === undefined) {
      for (const { sourceId, resolvedId } of contributions.pairsOfNode(id))
        this.#touchedPairs.add(sourceId, resolvedId);
    }
    if (before !== undefined && before.baseName !== after?.baseName) names.add(before.baseName);
    if (before !== undefined && before.type !== after?.type) {
      this.#unlist(before.name, before.type, at, listings);
      if (after !== undefined) this.#list(id, after.type, at, listings);
    }
    if (after === undefined) {
      nodes.remove(id);
      return;
    }
    if (before !== undefined && isSame(before, after)) return;
    if (before?.baseName !== after.baseName || before.type !== after.type) names.add(after.baseName);
    nodes.put(after, at);
    written.add(id);
  }

  /** Makes the edges of the touched pairs anew. The ends of those that changed are added to `changed`. Returns the types of those. */
  #projectPairs(changed: Set<number>): Set<EdgeType> {
    const { nodes, edges, contributions } = this.#store;
    const exists = remembered((id: number) => nodes.has(id));
    const changedTypes = new Set<EdgeType>();
    for (const [sourceId, targetId] of this.#touchedPairs) {
      const both = sourceId !== targetId && exists(sourceId) && exists(targetId);
      const statements = both
        ? contributions.statementsOfPair(sourceId, targetId).map(parseBody<Stated>)
        : [];
      const types = edges.replacePair(sourceId, targetId, mergeEdges(statements));
      if (types.length === 0) continue;
      for (const type of types) changedTypes.add(type);
      for (const id of [sourceId, targetId]) if (exists(id)) changed.add(id);
    }
    return changedTypes;
  }
}

/** The function with its answers kept. */
function remembered<Key, Answer>(ask: (key: Key) => Answer): (key: Key) => Answer {
  const answers = new Map<Key, Answer>();
  return (key) => {
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = ask(key);
      answers.set(key, answer);
    }
    return answer;
  };
}

type Stated = EdgeContribution & { readonly type: ResolvedStatementRow['type'] };

function isSame(before: StoredNode, after: DerivedNode): boolean {
  return Object.entries(after).every(([name, value]) => isDeepStrictEqual(value, Reflect.get(before, name)));
}

/** A stored contribution with the columns beside it. */
function parseBody<Contribution extends object>({
  body,
  ...columns
}: {
  path: string;
  body: string;
}): From<Contribution> {
  const contribution: Contribution = JSON.parse(body);
  return Object.assign(contribution, columns);
}

/** Pairs of key numbers, each held once. */
class PairSet {
  readonly #pairs = new Map<string, readonly [number, number]>();

  add(sourceId: number, targetId: number): void {
    const key = `${sourceId} ${targetId}`;
    if (!this.#pairs.has(key)) this.#pairs.set(key, [sourceId, targetId]);
  }

  clear(): void {
    this.#pairs.clear();
  }

  [Symbol.iterator](): IterableIterator<readonly [number, number]> {
    return this.#pairs.values();
  }
}
