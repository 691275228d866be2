import type { Clock } from '../../src/core/clock.ts';
import {
  MEMORY_TYPES,
  type MemoryEntry,
  type MemoryLink,
  type MemoryPlace,
  type MemoryRelation,
} from '../../src/core/memory-entry.ts';
import type { MemoryGraphOptions } from '../../src/memory-graph/memory-graph.ts';
import { type MemoryGraph, memoryGraph } from '../../src/memory-graph/memory-graph.ts';
import type { SessionFacts } from '../../src/memory-graph/model.ts';
import type { NodeIdentity } from '../../src/store/nodes.ts';

/** `fact/refunds` as the place that it names. */
export function place(name: string): MemoryPlace {
  const type = MEMORY_TYPES.find((one) => name.startsWith(`${one}/`));
  if (type === undefined) throw new Error(`${name} names no entry`);
  return { type, key: name.slice(type.length + 1) };
}

export type EntryDraft = Partial<Omit<MemoryEntry, 'content'>> & { readonly content?: string };

/** A memory of entries given by hand, which counts how often it is asked. */
export class FakeMemory {
  readonly #entries = new Map<string, MemoryEntry>();
  readonly #listeners = new Set<(places: readonly MemoryPlace[]) => void>();
  #links: MemoryLink[] = [];
  #revision = 0;
  #ids = 0;
  readonly #clock: Clock;
  readonly asked = { places: 0, get: 0, allLinks: 0 };

  constructor(clock: Clock = { nowMs: () => 0 }) {
    this.#clock = clock;
  }

  put(name: string, { content = '', ...draft }: EntryDraft = {}): void {
    this.putQuietly(name, { content, ...draft });
    this.tell([place(name)]);
  }

  /** As another process does, of whom nothing is heard yet. */
  putQuietly(name: string, { content = '', ...draft }: EntryDraft = {}): void {
    const before = this.#entries.get(name);
    this.#ids += 1;
    this.#revision += 1;
    this.#entries.set(name, {
      id: before?.id ?? this.#ids,
      tags: [],
      sourcePaths: [],
      provenance: {},
      accessCount: 0,
      createdMs: 1000,
      updatedMs: 2000,
      version: (before?.version ?? 0) + 1,
      ...draft,
      ...place(name),
      content: Buffer.from(content),
    });
  }

  drop(name: string): void {
    this.#revision += 1;
    this.#entries.delete(name);
    this.tell([place(name)]);
  }

  relate(from: string, relation: MemoryRelation, to: string, weight = 1): void {
    this.#revision += 1;
    this.#links = this.#links.filter(
      (link) => link.relation !== relation || nameOf(link.from) !== from || nameOf(link.to) !== to,
    );
    this.#links.push({ from: place(from), relation, to: place(to), weight });
    this.tell([place(from), place(to)]);
  }

  unrelate(): void {
    this.#revision += 1;
    const gone = this.#links.pop();
    this.tell(gone ? [gone.from] : []);
  }

  tell(places: readonly MemoryPlace[]): void {
    for (const listener of this.#listeners) listener(places);
  }

  places(): MemoryPlace[] {
    this.asked.places += 1;
    const there = [...this.#entries.values()].filter((entry) => !this.#isExpired(entry));
    return there.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  get(wanted: MemoryPlace): MemoryEntry | undefined {
    this.asked.get += 1;
    const entry = this.#entries.get(nameOf(wanted));
    return entry && this.#isExpired(entry) ? undefined : entry;
  }

  #isExpired({ expiresMs }: MemoryEntry): boolean {
    return expiresMs !== undefined && expiresMs <= this.#clock.nowMs();
  }

  links(around?: readonly MemoryPlace[]): MemoryLink[] {
    if (around === undefined) this.asked.allLinks += 1;
    const names = around?.map(nameOf);
    return this.#links.filter(
      ({ from, to }) => names === undefined || names.includes(nameOf(from)) || names.includes(nameOf(to)),
    );
  }

  revision(): number {
    return this.#revision;
  }

  onChange(listener: (places: readonly MemoryPlace[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function nameOf({ type, key }: MemoryPlace): string {
  return `${type}/${key}`;
}

/** Sessions given by hand. */
export class FakeSessions {
  #sessions: readonly SessionFacts[] = [];
  #revision = 0;

  set(...sessions: SessionFacts[]): void {
    this.#sessions = sessions;
    this.#revision += 1;
  }

  all(): readonly SessionFacts[] {
    return this.#sessions;
  }

  revision(): number {
    return this.#revision;
  }
}

/** Names of docs given by hand. */
export class FakeDocs {
  #nodes: readonly NodeIdentity[] = [];
  #revision = 0;

  set(...nodes: NodeIdentity[]): void {
    this.#nodes = nodes;
    this.#revision += 1;
  }

  identities(): NodeIdentity[] {
    return [...this.#nodes];
  }

  revision(): number {
    return this.#revision;
  }
}

export function subject() {
  const clock = { ms: 5000, nowMs: () => clock.ms };
  const memory = new FakeMemory(clock);
  const sessions = new FakeSessions();
  const docs = new FakeDocs();
  const options: MemoryGraphOptions = { memory, sessions, docs, clock };
  return { clock, memory, sessions, docs, graph: memoryGraph(options), rebuilt: () => memoryGraph(options) };
}

/** All edges as `source -type-> target`, sorted. */
export function edgesOf(graph: MemoryGraph): string[] {
  return graph
    .nodes()
    .flatMap((node) => graph.outgoing(node))
    .map(({ from, type, to }) => `${from.display} -${type}-> ${to.display}`)
    .sort();
}

/** All that the graph shows but versions and times. */
export function contentOf(graph: MemoryGraph): unknown {
  const nodes = graph.nodes().map((node) => {
    const { version: _version, changedMs: _changedMs, ...shown } = node;
    return {
      ...shown,
      outgoing: graph.outgoing(node),
      incoming: graph.incoming(node),
      sides: sidesOf(graph, node.id),
    };
  });
  return { nodes, names: graph.names(), stats: graph.stats() };
}

/** Side, name and node of all that one can walk to from a node, sorted. */
export function sidesOf(
  graph: MemoryGraph,
  id: string,
): (readonly [side: string, name: string, id: string])[] {
  return graph
    .sides(id)
    .flatMap((side) => {
      const there = graph.side(id, side);
      return (there?.names() ?? []).map((name) => [side, name, there?.get(name)?.id ?? 'nothing'] as const);
    })
    .sort();
}
