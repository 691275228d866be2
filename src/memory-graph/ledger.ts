/** Long because each kind of contribution has to be withdrawn exactly as it was. */
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../core/group.ts';
import { encodeName } from '../core/names.ts';
import type {
  MemoryContribution,
  MemoryEdge,
  MemoryEdgeType,
  MemoryNodeType,
  NamedNode,
  NodeId,
  OwnFacts,
} from './model.ts';
import { RecentChanges } from './recent-changes.ts';

/** Marks all changes from now on. */
export interface Moment {
  /** Grows with each moment. */
  readonly version: number;
  /** Milliseconds since 1970; undefined if the time of a change is that at which its entry was written, as at the start. */
  readonly nowMs: number | undefined;
}

/** A node in the ledger. A node that only exists because it is named has no sources of its own. */
export interface LedgerNode extends OwnFacts {
  /** The `label` as a file name. Unique. */
  readonly name: string;
  /** The version of the moment in which its page last changed. */
  readonly version: number;
}

/** A named node, with the number of times each form of its label is written. */
interface Named {
  readonly node: NamedNode;
  readonly forms: Map<string, number>;
}

/**
 * An edge that was added or removed, or of which an end has a new name. Contains the names of its ends; undefined for an end that is not in the
 * ledger, or had another name.
 */
export interface EdgeChange extends Pick<MemoryEdge, 'source' | 'type' | 'target'> {
  readonly sourceName: string | undefined;
  readonly targetName: string | undefined;
}

const NO_EDGES: readonly MemoryEdge[] = [];
const NONE: ReadonlySet<MemoryEdge> = new Set();

/**
 * The graph of memory as the sum of what entries and sessions contribute. Each contribution can be replaced and withdrawn separately, in any order,
 * and the result is the same as if it had never been there. Edges may lead to nodes of the docs, which are not in the ledger.
 */
export class Ledger {
  readonly #given = new Map<NodeId, MemoryContribution>();
  readonly #named = new Map<NodeId, Named>();
  readonly #linksFrom = new Map<NodeId, readonly MemoryEdge[]>();
  /** Edges between nodes of the docs, by their source. */
  readonly #betweenFrom = new Map<NodeId, Set<MemoryEdge>>();
  readonly #incoming = new Map<NodeId, Map<MemoryEdgeType, Set<MemoryEdge>>>();
  readonly #nodes = new Map<NodeId, LedgerNode>();
  readonly #byName = new Map<string, NodeId>();
  #moment: Moment = { version: 0, nowMs: undefined };
  #changedVersion = 0;
  #changedMs = 0;
  #listed = { revision: 0, nowMs: 0 };
  /** Names that were added or removed. */
  readonly #renamed = new RecentChanges<Pick<LedgerNode, 'name' | 'type'>>();
  readonly #changedEdges = new RecentChanges<EdgeChange>();
  readonly #nodeCounts = new Map<MemoryNodeType, number>();
  readonly #edgeCounts = new Map<MemoryEdgeType, number>();

  begin(moment: Moment): void {
    this.#moment = moment;
  }

  /** The version of the moment in which anything last changed. */
  get version(): number {
    return this.#changedVersion;
  }

  /** When that was, in milliseconds since 1970; 0 if nothing has. */
  get changedMs(): number {
    return this.#changedMs;
  }

  /** When a name was last added or removed: its version, and milliseconds since 1970; 0 if none was. */
  get listed(): { readonly revision: number; readonly nowMs: number } {
    return this.#listed;
  }

  /** Names that were added or removed since a version; undefined if these are not remembered any more. */
  namesSince(version: number): Pick<LedgerNode, 'name' | 'type'>[] | undefined {
    const renamed = this.#renamed.since(version);
    if (renamed === undefined) return undefined;
    const odd = new Map<string, Pick<LedgerNode, 'name' | 'type'>>();
    // A name that was added and removed is as before.
    for (const one of renamed) if (!odd.delete(one.name)) odd.set(one.name, one);
    return [...odd.values()];
  }

  /** Edges that were added, removed, or are shown differently since a version; undefined if these are not remembered any more. */
  edgesSince(version: number): EdgeChange[] | undefined {
    return this.#changedEdges.since(version);
  }

  /** The numbers of nodes by type, and of edges. A type without nodes may have the number 0. */
  get counts(): {
    readonly nodes: ReadonlyMap<MemoryNodeType, number>;
    readonly edges: ReadonlyMap<MemoryEdgeType, number>;
  } {
    return { nodes: this.#nodeCounts, edges: this.#edgeCounts };
  }

  /** Makes this everything that its node contributes. */
  put(next: MemoryContribution): void {
    const { own, named } = next;
    const before = this.#given.get(own.id);
    const { changedMs } = own;
    if (before === undefined || !isDeepStrictEqual(before.own, own)) this.#write(own);
    for (const node of named) this.#name(node, changedMs);
    const edges = this.#replaceEdges(before?.edges ?? NO_EDGES, next.edges, changedMs);
    for (const node of before?.named ?? []) this.#unname(node, changedMs);
    const between = this.#replaceBetween(before?.between ?? NO_EDGES, next.between, changedMs);
    this.#given.set(own.id, { own, named, edges, between });
  }

  /** Removes a node and what it has contributed. */
  remove(id: NodeId): void {
    const before = this.#given.get(id);
    if (before === undefined) return;
    const { changedMs } = before.own;
    this.#given.delete(id);
    this.#replaceEdges(before.edges, NO_EDGES, changedMs);
    this.#replaceBetween(before.between, NO_EDGES, changedMs);
    for (const named of before.named) this.#unname(named, changedMs);
    this.#drop(id, changedMs);
  }

  /** Contributors that may have a link to this one. */
  *linkSources(id: NodeId): Generator<NodeId> {
    for (const { source } of this.incoming(id)) if (this.#linksFrom.has(source)) yield source;
  }

  /**
   * Makes these all the links between contributors. A link does not count if one of its ends is missing, or both are the same.
   * @param sources if given, only links from these are replaced
   */
  setLinks(links: readonly MemoryEdge[], sources?: Iterable<NodeId>): void {
    const holding = links.filter(
      ({ source, target }) => source !== target && this.#given.has(source) && this.#given.has(target),
    );
    const next = groupBy(holding, ({ source }) => source);
    for (const source of sources ?? new Set([...this.#linksFrom.keys(), ...next.keys()])) {
      const before = this.#linksFrom.get(source) ?? NO_EDGES;
      const edges = this.#replaceEdges(before, next.get(source) ?? NO_EDGES, 0);
      if (edges.length > 0) this.#linksFrom.set(source, edges);
      else this.#linksFrom.delete(source);
    }
  }

  /** To be called when what neighbours show of this node is out of date. */
  touchAround(id: NodeId): void {
    const edges = [...this.incoming(id), ...(this.#betweenFrom.get(id) ?? NO_EDGES)];
    for (const { source, type, target } of edges) {
      this.#touch(source, 0);
      this.#changedEdges.note(this.#moment.version, {
        source,
        type,
        target,
        sourceName: undefined,
        targetName: undefined,
      });
    }
  }

  node(id: NodeId): LedgerNode | undefined {
    return this.#nodes.get(id);
  }

  byName(name: string): LedgerNode | undefined {
    const id = this.#byName.get(name);
    return id === undefined ? undefined : this.#nodes.get(id);
  }

  nodes(): Iterable<LedgerNode> {
    return this.#nodes.values();
  }

  outgoing(id: NodeId): readonly MemoryEdge[] {
    const given = this.#given.get(id)?.edges ?? NO_EDGES;
    const links = this.#linksFrom.get(id);
    const between = this.#betweenFrom.get(id);
    return links || between ? [...given, ...(links ?? []), ...(between ?? [])] : given;
  }

  *incoming(id: NodeId): Generator<MemoryEdge> {
    for (const edges of this.#incoming.get(id)?.values() ?? []) yield* edges;
  }

  incomingOf(id: NodeId, type: MemoryEdgeType): ReadonlySet<MemoryEdge> {
    return this.#incoming.get(id)?.get(type) ?? NONE;
  }

  incomingTypes(id: NodeId): Iterable<MemoryEdgeType> {
    return this.#incoming.get(id)?.keys() ?? [];
  }

  degree(id: NodeId): number {
    let count = this.outgoing(id).length;
    for (const edges of this.#incoming.get(id)?.values() ?? []) count += edges.size;
    return count;
  }

  *edges(): Generator<MemoryEdge> {
    for (const { edges } of this.#given.values()) yield* edges;
    for (const edges of this.#linksFrom.values()) yield* edges;
    for (const edges of this.#betweenFrom.values()) yield* edges;
  }

  #name(node: NamedNode, changedMs: number): void {
    let named = this.#named.get(node.id);
    if (named === undefined) {
      named = { node, forms: new Map() };
      this.#named.set(node.id, named);
    }
    named.forms.set(node.label, (named.forms.get(node.label) ?? 0) + 1);
    this.#relabel(named, changedMs);
  }

  #unname(node: NamedNode, changedMs: number): void {
    const named = this.#named.get(node.id);
    if (named === undefined) throw new Error(`${node.id} is taken back, but nothing gave it`);
    const left = (named.forms.get(node.label) ?? 0) - 1;
    if (left > 0) named.forms.set(node.label, left);
    else named.forms.delete(node.label);
    if (named.forms.size > 0) {
      this.#relabel(named, changedMs);
      return;
    }
    this.#named.delete(node.id);
    this.#drop(node.id, changedMs);
  }

  /** Shows the form that is written most often. Pages of neighbours show it, too. */
  #relabel({ node, forms }: Named, changedMs: number): void {
    const label = mostFrequent(forms);
    if (this.#nodes.get(node.id)?.label === label) return;
    this.#write({ ...node, label, description: '', confidence: 1, sources: [], timesMs: {}, changedMs });
    this.touchAround(node.id);
  }

  #write(facts: OwnFacts): void {
    const { id, type, label, description, confidence, sources, properties, timesMs, changedMs } = facts;
    const name = encodeName(label);
    if (this.#nodes.get(id)?.name !== name) {
      this.#drop(id, changedMs);
      this.#byName.set(name, id);
      this.#noteListed(name, type, changedMs);
    }
    if (!this.#nodes.has(id)) count(this.#nodeCounts, type, 1);
    this.#nodes.set(id, {
      id,
      type,
      label,
      name,
      description,
      confidence,
      sources,
      properties,
      timesMs,
      version: this.#moment.version,
      changedMs: this.#note(changedMs),
    });
  }

  #drop(id: NodeId, changedMs: number): void {
    const before = this.#nodes.get(id);
    if (before === undefined) return;
    this.#nodes.delete(id);
    count(this.#nodeCounts, before.type, -1);
    if (this.#byName.get(before.name) === id) this.#byName.delete(before.name);
    this.#noteListed(before.name, before.type, changedMs);
  }

  #noteListed(name: string, type: LedgerNode['type'], changedMs: number): void {
    this.#renamed.note(this.#moment.version, { name, type });
    const nowMs = Math.max(this.#listed.nowMs, this.#note(changedMs));
    this.#listed = { revision: this.#moment.version, nowMs };
  }

  #touch(id: NodeId, changedMs: number): void {
    const node = this.#nodes.get(id);
    const { version } = this.#moment;
    const nowMs = this.#note(changedMs);
    if (node === undefined || (node.version === version && node.changedMs >= nowMs)) return;
    this.#nodes.set(id, { ...node, version, changedMs: Math.max(node.changedMs, nowMs) });
  }

  /** Notes that something has changed. Returns when. */
  #note(writtenMs: number): number {
    const { version, nowMs = writtenMs } = this.#moment;
    this.#changedVersion = version;
    this.#changedMs = Math.max(this.#changedMs, nowMs);
    return nowMs;
  }

  /** Both lists have the same source. Returns the second one, with the edges of the first for which they say the same. */
  #replaceEdges(
    before: readonly MemoryEdge[],
    after: readonly MemoryEdge[],
    changedMs: number,
  ): readonly MemoryEdge[] {
    const old = before.length === 0 ? undefined : new Map(before.map((edge) => [keyOf(edge), edge]));
    const edges = after.map((edge) => {
      const known = old?.get(keyOf(edge));
      if (known === undefined || !isSame(known, edge)) {
        this.#arrive(edge, changedMs);
        return edge;
      }
      old?.delete(keyOf(edge));
      return known;
    });
    for (const edge of old?.values() ?? []) this.#leave(edge, changedMs);
    return edges;
  }

  /** As `#replaceEdges`, for edges of one contributor whose source is another node. */
  #replaceBetween(
    before: readonly MemoryEdge[],
    after: readonly MemoryEdge[],
    changedMs: number,
  ): readonly MemoryEdge[] {
    const edges = this.#replaceEdges(before, after, changedMs);
    for (const edge of before) {
      const known = this.#betweenFrom.get(edge.source);
      known?.delete(edge);
      if (known?.size === 0) this.#betweenFrom.delete(edge.source);
    }
    for (const edge of edges) {
      const known = this.#betweenFrom.get(edge.source);
      if (known) known.add(edge);
      else this.#betweenFrom.set(edge.source, new Set([edge]));
    }
    return edges;
  }

  #arrive(edge: MemoryEdge, changedMs: number): void {
    const { type, target } = edge;
    const byType = this.#incoming.get(target) ?? new Map<MemoryEdgeType, Set<MemoryEdge>>();
    const known = byType.get(type);
    if (known) known.add(edge);
    else this.#incoming.set(target, byType.set(type, new Set([edge])));
    count(this.#edgeCounts, type, 1);
    this.#noteChange(edge, changedMs);
  }

  #leave(edge: MemoryEdge, changedMs: number): void {
    const { type, target } = edge;
    const byType = this.#incoming.get(target);
    const known = byType?.get(type);
    known?.delete(edge);
    if (known?.size === 0) byType?.delete(type);
    if (byType?.size === 0) this.#incoming.delete(target);
    count(this.#edgeCounts, type, -1);
    this.#noteChange(edge, changedMs);
  }

  #noteChange({ source, type, target }: MemoryEdge, changedMs: number): void {
    const [sourceName, targetName] = [this.#nodes.get(source)?.name, this.#nodes.get(target)?.name];
    this.#changedEdges.note(this.#moment.version, { source, type, target, sourceName, targetName });
    this.#touch(source, changedMs);
    this.#touch(target, changedMs);
  }
}

function count<Type>(counts: Map<Type, number>, type: Type, change: number): void {
  counts.set(type, (counts.get(type) ?? 0) + change);
}

/** A key among the edges that one node contributes. */
function keyOf({ source, type, target }: MemoryEdge): string {
  return `${type} ${source} ${target}`;
}

function isSame(a: MemoryEdge, b: MemoryEdge): boolean {
  return (
    a.weight === b.weight &&
    a.confidence === b.confidence &&
    a.evidence.length === b.evidence.length &&
    a.evidence.every((place, index) => place === b.evidence[index])
  );
}

/** Of forms that are equally frequent, the first in code unit order. */
function mostFrequent(forms: ReadonlyMap<string, number>): string {
  let best: readonly [label: string, count: number] = ['', 0];
  for (const form of forms) {
    if (form[1] > best[1] || (form[1] === best[1] && form[0] < best[0])) best = form;
  }
  return best[0];
}
