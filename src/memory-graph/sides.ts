import { encodeName } from '../core/names.ts';
import type { Ledger } from './ledger.ts';
import type { MemoryEnd } from './memory-graph.ts';
import { MEMORY_EDGE_TYPES, type MemoryEdge, type MemoryEdgeType, type NodeId } from './model.ts';

/** The other ends at one side of a node, by the names under which a folder lists them. Looking one up takes the same time however many there are. */
export interface Side {
  names(): string[];
  get(name: string): MemoryEnd | undefined;
}

/** From nodes of the docs, whose names the ledger does not know. All others are from nodes of memory. */
const BETWEEN_DOCS: MemoryEdgeType = 'leads_to';

interface SideParts {
  readonly ledger: Pick<Ledger, 'byName' | 'outgoing' | 'incomingOf'>;
  readonly endOf: (id: NodeId) => MemoryEnd;
}

/** The sides at which a node has neighbours: `about` for outgoing edges and `about_of` for incoming ones. */
export function sideNamesOf(ledger: Pick<Ledger, 'outgoing' | 'incomingTypes'>, id: NodeId): string[] {
  const leaving = new Set(ledger.outgoing(id).map(({ type }) => type));
  return [...leaving, ...Array.from(ledger.incomingTypes(id), (type) => `${type}_of`)];
}

/** Undefined if there is nothing at that side. */
export function sideOf(parts: SideParts, id: NodeId, name: string): Side | undefined {
  const leaving = typeNamed(name);
  if (leaving !== undefined) return leavingSide(parts, id, leaving);
  const arriving = name.endsWith('_of') ? typeNamed(name.slice(0, -'_of'.length)) : undefined;
  return arriving && arrivingSide(parts, id, arriving);
}

function typeNamed(name: string): MemoryEdgeType | undefined {
  return MEMORY_EDGE_TYPES.find((type) => type === name);
}

/** A node contributes few edges. If a node of the docs has the same name as one of memory, its type is added. */
function leavingSide({ ledger, endOf }: SideParts, id: NodeId, type: MemoryEdgeType): Side | undefined {
  const targets = new Set(ofType(ledger.outgoing(id), type).map(({ target }) => target));
  if (targets.size === 0) return undefined;
  const ends = Array.from(targets, endOf).sort(ofMemoryFirst);
  const byName = new Map<string, MemoryEnd>();
  for (const end of ends) {
    byName.set(byName.has(end.name) ? encodeName(`${end.display} (${end.type})`) : end.name, end);
  }
  return { names: () => [...byName.keys()], get: (name) => byName.get(name) };
}

/** There may be many thousands. All are in one graph, so no two have the same name. */
function arrivingSide({ ledger, endOf }: SideParts, id: NodeId, type: MemoryEdgeType): Side | undefined {
  const edges = ledger.incomingOf(id, type);
  if (edges.size === 0) return undefined;
  const ends = () => Array.from(new Set(Array.from(edges, ({ source }) => source)), endOf);
  return {
    names: () => ends().map((end) => end.name),
    get(name) {
      if (type === BETWEEN_DOCS) return ends().find((end) => end.name === name);
      const source = ledger.byName(name);
      const leadsHere =
        source && ofType(ledger.outgoing(source.id), type).some(({ target }) => target === id);
      return leadsHere ? endOf(source.id) : undefined;
    },
  };
}

function ofType(edges: readonly MemoryEdge[], type: MemoryEdgeType): MemoryEdge[] {
  return edges.filter((edge) => edge.type === type);
}

function ofMemoryFirst(a: MemoryEnd, b: MemoryEnd): number {
  return Number(a.home === 'docs') - Number(b.home === 'docs');
}
