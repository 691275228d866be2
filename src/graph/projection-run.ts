import type { NodeType } from '../core/graph-model.ts';
import { type CountsByRule, countsOf } from '../core/rule-counts.ts';
import type { Listing } from '../store/listings.ts';
import type { DerivedNode, Revision, StandingNode } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import type { NodeContribution } from './contribution.ts';
import { CountChanges } from './counts.ts';
import { type From, isOfModel, mergeEdges, mergeNode, type Stated } from './merge.ts';
import { type Naming, settleNames } from './naming.ts';
import type { PairSet } from './pair-set.ts';

/** One change of the graph: makes the touched nodes and pairs anew from what the store has about them. To be used once. */
export class ProjectionRun {
  readonly #store: Store;
  readonly #at: Revision;
  readonly #lastKey: number;
  readonly #counts = new CountChanges();
  readonly #judged: CountsByRule;
  readonly #listings = new Set<Listing>();
  /** Nodes of which something other than edges has changed. */
  readonly #written = new Set<number>();
  /** Nodes of which an edge, or the name of a neighbour, has changed. */
  readonly #changed = new Set<number>();
  /** New nodes by the name that they would have. They are written when their names are settled. */
  readonly #fresh = new Map<string, DerivedNode[]>();
  readonly #created = new Set<number>();
  /** Names that have to be settled. */
  readonly #names = new Set<string>();

  /** @param lastKey the last key before the change: later keys occur only in statements of this batch */
  constructor(store: Store, at: Revision, lastKey: number) {
    this.#store = store;
    this.#at = at;
    this.#lastKey = lastKey;
    this.#judged = countsOf(store.meta('rules'));
  }

  /** @param pairs the pairs of nodes that are added or removed are added to this. @returns whether anything that the graph shows has changed */
  project(nodes: Iterable<number>, pairs: PairSet): boolean {
    for (const id of nodes) this.#projectNode(id, pairs);
    const renamed = [...this.#names].flatMap((name) => this.#settleName(name));
    this.#projectPairs(pairs);
    for (const id of renamed) this.#touchNeighbours(id);
    for (const id of this.#changed) if (!this.#written.has(id)) this.#store.nodes.touch(id, this.#at);
    if (this.#changed.size + this.#written.size + this.#names.size + this.#listings.size === 0) return false;
    this.#noteListings();
    this.#counts.keep(this.#store);
    return true;
  }

  /** Makes one node anew. If it is added or removed, all pairs with it are touched, too. */
  #projectNode(id: number, pairs: PairSet): void {
    const { nodes, contributions } = this.#store;
    const before = id > this.#lastKey ? undefined : nodes.standing(id);
    const after = this.#merged(id);
    if (before === undefined && after === undefined) return;
    if ((before === undefined || after === undefined) && id <= this.#lastKey) {
      for (const { sourceId, resolvedId } of contributions.pairsOfNode(id)) pairs.add(sourceId, resolvedId);
    }
    if (before === undefined) this.#create(after);
    else if (after === undefined) this.#remove(before);
    else this.#update(before, after);
  }

  #merged(id: number): DerivedNode | undefined {
    const { keys, contributions } = this.#store;
    if (!contributions.isDeclared(id)) return undefined;
    return mergeNode(id, keys.keyOf(id), contributions.mentionsOfKey(id).map(parseBody<NodeContribution>));
  }

  #create(node: DerivedNode | undefined): void {
    if (node === undefined) return;
    this.#names.add(node.baseName);
    const fresh = this.#fresh.get(node.baseName);
    if (fresh === undefined) this.#fresh.set(node.baseName, [node]);
    else fresh.push(node);
  }

  #remove({ id, type, name, baseName }: StandingNode): void {
    this.#names.add(baseName);
    this.#unlist(name, type);
    this.#counts.node(type, -1);
    this.#store.nodes.remove(id);
  }

  #update(before: StandingNode, after: DerivedNode): void {
    if (isSame(before, after)) return;
    if (before.baseName !== after.baseName) this.#names.add(before.baseName);
    if (before.type !== after.type) {
      this.#unlist(before.name, before.type);
      this.#list(after.id, after.type);
      this.#counts.node(before.type, -1);
      this.#counts.node(after.type, 1);
    }
    if (before.baseName !== after.baseName || before.type !== after.type) this.#names.add(after.baseName);
    this.#store.nodes.update(after, this.#at);
    this.#written.add(after.id);
  }

  /** @returns existing nodes that have got another name */
  #settleName(baseName: string): number[] {
    const { nodes } = this.#store;
    const fresh = this.#fresh.get(baseName) ?? [];
    const namings = settleNames(nodes, baseName, fresh, this.#written);
    const named = new Map(namings.map((naming) => [naming.node.id, naming]));
    for (const node of fresh) {
      const names = named.get(node.id);
      if (names === undefined) throw new Error(`the new node ${node.key} was given no name`);
      this.#insert(node, names);
      named.delete(node.id);
    }
    for (const [id, naming] of named) {
      nodes.rename(id, naming);
      this.#unlist(naming.node.name, naming.node.type);
      this.#list(id, naming.node.type);
      this.#changed.add(id);
    }
    return [...named.keys()];
  }

  #insert(node: DerivedNode, names: Naming): void {
    this.#store.nodes.add(node, names, this.#at);
    this.#listings.add('nodes').add(node.type);
    this.#counts.node(node.type, 1);
    this.#written.add(node.id);
    this.#created.add(node.id);
  }

  /** Lists a node under another name, or as another type. */
  #list(id: number, type: NodeType): void {
    this.#store.nodes.listAnew(id, this.#at);
    this.#listings.add('nodes').add(type);
  }

  #unlist(name: string, type: NodeType): void {
    this.#store.listings.noteGone(name, type, this.#at);
    this.#listings.add('nodes').add(type);
  }

  /** Makes the edges of the touched pairs anew. */
  #projectPairs(pairs: PairSet): void {
    const { nodes, edges, contributions } = this.#store;
    const exists = remembered((id: number) => nodes.has(id));
    for (const [sourceId, targetId] of pairs) {
      const both = sourceId !== targetId && exists(sourceId) && exists(targetId);
      const stated = (from: number, to: number) =>
        contributions.statementsOfPair(from, to).map(parseBody<Stated>);
      const statements = both ? stated(sourceId, targetId) : [];
      const opposite = statements.some(isOfModel) ? stated(targetId, sourceId) : [];
      const isNew = this.#created.has(sourceId) || this.#created.has(targetId);
      const derived = mergeEdges(statements, this.#judged, opposite);
      const changes = edges.replacePair(sourceId, targetId, derived, isNew);
      if (changes.length === 0) continue;
      for (const { type, by } of changes) {
        this.#listings.add(type);
        if (by !== 0) this.#counts.edge(type, by);
      }
      for (const id of [sourceId, targetId]) if (exists(id)) this.#changed.add(id);
    }
  }

  /** Neighbours show the name of this node. */
  #touchNeighbours(id: number): void {
    for (const step of this.#store.edges.steps(id)) {
      this.#changed.add(step.id);
      this.#listings.add(step.type);
    }
  }

  #noteListings(): void {
    const { listings } = this.#store;
    if (listings.lastChange('graph') === undefined) listings.note('graph', this.#at);
    for (const listing of this.#listings) listings.note(listing, this.#at);
    if (listings.pruneGone()) this.#store.setMeta('gone_known_since', String(this.#at.revision));
  }
}

/** The function with its results cached. */
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

function isSame(before: StandingNode, after: DerivedNode): boolean {
  return (
    before.type === after.type &&
    before.label === after.label &&
    before.baseName === after.baseName &&
    before.description === after.description &&
    before.weight === after.weight &&
    before.confidence === after.confidence &&
    before.sources === JSON.stringify(after.sources) &&
    before.properties === JSON.stringify(after.properties)
  );
}

/** A stored contribution together with the columns beside it. */
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
