import { encodeName } from '../core/names.ts';
import type { MemoryContribution, MemoryEdge, MemoryNodeType, NamedNode, NodeId } from './model.ts';

/** Marks what changes from now on. */
export interface Moment {
  /** Grows with each moment. */
  readonly version: number;
  /** Milliseconds since 1970; undefined where a change counts from when the entry behind it was written, as at the start. */
  readonly nowMs: number | undefined;
}

/** A node as it stands in the ledger. */
export interface LedgerNode {
  readonly id: NodeId;
  readonly type: MemoryNodeType;
  readonly label: string;
  /** `label` as a file name. Unique. */
  readonly name: string;
  readonly description: string;
  readonly confidence: number;
  /** Of an entry; a named node has those of what names it. */
  readonly sources: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  /** Version of the moment in which what its page shows last changed. */
  readonly version: number;
  readonly changedMs: number;
}

/** A named node with how often each form of its label is written. */
interface Named {
  readonly node: NamedNode;
  readonly forms: Map<string, number>;
}

type EdgesByEnd = Map<NodeId, Map<string, MemoryEdge>>;

const NO_EDGES: ReadonlyMap<string, MemoryEdge> = new Map();

/**
 * The graph of memory as the sum of what entries and sessions give: each contribution can be replaced and taken back alone, in any order, and
 * what is left is the same as if it had never been. Edges may lead to nodes of the docs, which are not kept here.
 */
export class Ledger {
  readonly #given = new Map<NodeId, MemoryContribution>();
  readonly #named = new Map<NodeId, Named>();
  readonly #links = new Map<string, MemoryEdge>();
  readonly #outgoing: EdgesByEnd = new Map();
  readonly #incoming: EdgesByEnd = new Map();
  readonly #nodes = new Map<NodeId, LedgerNode>();
  readonly #byName = new Map<string, NodeId>();
  #moment: Moment = { version: 0, nowMs: undefined };
  #changedVersion = 0;
  #changedMs = 0;

  begin(moment: Moment): void {
    this.#moment = moment;
  }

  /** Version of the moment in which anything last changed. */
  get version(): number {
    return this.#changedVersion;
  }

  /** When that was, in milliseconds since 1970; 0 for nothing. */
  get changedMs(): number {
    return this.#changedMs;
  }

  /** Makes this all that its node gives. */
  put(next: MemoryContribution): void {
    const { own } = next;
    const before = this.#given.get(own.id);
    this.#given.set(own.id, next);
    const changedMs = own.changedMs;
    if (before === undefined || JSON.stringify(before.own) !== JSON.stringify(own))
      this.#write(own, changedMs);
    for (const named of next.named) this.#name(named, changedMs);
    this.#replaceEdges(before?.edges ?? [], next.edges, changedMs);
    for (const named of before?.named ?? []) this.#unname(named, changedMs);
  }

  /** Takes back what a node gave, and the node. */
  remove(id: NodeId): void {
    const before = this.#given.get(id);
    if (before === undefined) return;
    const { changedMs } = before.own;
    this.#given.delete(id);
    this.#replaceEdges(before.edges, [], changedMs);
    for (const named of before.named) this.#unname(named, changedMs);
    this.#drop(id, changedMs);
  }

  /** Makes these all the links between givers; those whose ends are not both there, or are one, do not count. */
  setLinks(links: Iterable<MemoryEdge>): void {
    const next: MemoryEdge[] = [];
    for (const link of links) {
      const { source, target } = link;
      if (source !== target && this.#given.has(source) && this.#given.has(target)) next.push(link);
    }
    this.#replaceEdges([...this.#links.values()], next, 0);
    this.#links.clear();
    for (const link of next) this.#links.set(identityOf(link), link);
  }

  /** What was shown of any node may be out of date. */
  touchAll(): void {
    for (const id of this.#nodes.keys()) this.#touch(id, 0);
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

  outgoing(id: NodeId): Iterable<MemoryEdge> {
    return (this.#outgoing.get(id) ?? NO_EDGES).values();
  }

  incoming(id: NodeId): Iterable<MemoryEdge> {
    return (this.#incoming.get(id) ?? NO_EDGES).values();
  }

  degree(id: NodeId): number {
    return (this.#outgoing.get(id)?.size ?? 0) + (this.#incoming.get(id)?.size ?? 0);
  }

  *edges(): Generator<MemoryEdge> {
    for (const edges of this.#outgoing.values()) yield* edges.values();
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

  /** Shows the form written most often; pages of neighbours show it too. */
  #relabel({ node, forms }: Named, changedMs: number): void {
    const label = mostFrequent(forms);
    if (this.#nodes.get(node.id)?.label === label) return;
    this.#write({ ...node, label, description: '', confidence: 1, sources: [] }, changedMs);
    for (const { source } of this.incoming(node.id)) this.#touch(source, changedMs);
  }

  #write(facts: Omit<LedgerNode, 'name' | 'version' | 'changedMs'>, changedMs: number): void {
    const { id, type, label, description, confidence, sources, properties } = facts;
    this.#drop(id, changedMs);
    const name = encodeName(label);
    const { version } = this.#moment;
    this.#nodes.set(id, {
      id,
      type,
      label,
      name,
      description,
      confidence,
      sources,
      properties,
      version,
      changedMs: this.#note(changedMs),
    });
    this.#byName.set(name, id);
  }

  #drop(id: NodeId, changedMs: number): void {
    const before = this.#nodes.get(id);
    if (before === undefined) return;
    this.#nodes.delete(id);
    if (this.#byName.get(before.name) === id) this.#byName.delete(before.name);
    this.#note(changedMs);
  }

  #touch(id: NodeId, changedMs: number): void {
    const node = this.#nodes.get(id);
    const { version } = this.#moment;
    const nowMs = this.#note(changedMs);
    if (node === undefined || (node.version === version && node.changedMs >= nowMs)) return;
    this.#nodes.set(id, { ...node, version, changedMs: Math.max(node.changedMs, nowMs) });
  }

  /** Notes that something changed. Returns when. */
  #note(writtenMs: number): number {
    const { version, nowMs = writtenMs } = this.#moment;
    this.#changedVersion = version;
    this.#changedMs = Math.max(this.#changedMs, nowMs);
    return nowMs;
  }

  #replaceEdges(before: readonly MemoryEdge[], after: readonly MemoryEdge[], changedMs: number): void {
    const old = new Map(before.map((edge) => [identityOf(edge), edge]));
    for (const edge of after) {
      const key = identityOf(edge);
      const known = old.get(key);
      old.delete(key);
      if (known !== undefined && isSame(known, edge)) continue;
      put(this.#outgoing, edge.source, keyOut(edge), edge);
      put(this.#incoming, edge.target, keyIn(edge), edge);
      this.#touchEnds(edge, changedMs);
    }
    for (const edge of old.values()) {
      take(this.#outgoing, edge.source, keyOut(edge));
      take(this.#incoming, edge.target, keyIn(edge));
      this.#touchEnds(edge, changedMs);
    }
  }

  #touchEnds({ source, target }: MemoryEdge, changedMs: number): void {
    this.#touch(source, changedMs);
    this.#touch(target, changedMs);
  }
}

/** Ids hold any character, so the first one's length tells where it ends. */
function identityOf({ source, type, target }: MemoryEdge): string {
  return `${source.length} ${source} ${type} ${target}`;
}

function keyOut({ type, target }: MemoryEdge): string {
  return `${type} ${target}`;
}

function keyIn({ type, source }: MemoryEdge): string {
  return `${type} ${source}`;
}

function put(edges: EdgesByEnd, end: NodeId, key: string, edge: MemoryEdge): void {
  const known = edges.get(end);
  if (known) known.set(key, edge);
  else edges.set(end, new Map([[key, edge]]));
}

function take(edges: EdgesByEnd, end: NodeId, key: string): void {
  const known = edges.get(end);
  known?.delete(key);
  if (known?.size === 0) edges.delete(end);
}

function isSame(a: MemoryEdge, b: MemoryEdge): boolean {
  return (
    a.weight === b.weight &&
    a.confidence === b.confidence &&
    a.evidence.length === b.evidence.length &&
    a.evidence.every((place, index) => place === b.evidence[index])
  );
}

/** Of forms written equally often, the first in code unit order. */
function mostFrequent(forms: ReadonlyMap<string, number>): string {
  let best: readonly [label: string, count: number] = ['', 0];
  for (const form of forms) {
    if (form[1] > best[1] || (form[1] === best[1] && form[0] < best[0])) best = form;
  }
  return best[0];
}
