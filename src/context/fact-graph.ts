import { LRUCache } from 'lru-cache';
import type { GraphQueries } from '../graph/queries.ts';
import type { StoredEdge } from '../store/edges.ts';
import { compareTexts } from '../text/compare-texts.ts';
import type { Fact } from './manifest.ts';

/** A relation seen from one of its ends. */
export interface Link {
  readonly otherId: number;
  readonly isForward: boolean;
  readonly fact: Fact;
  /** How much evidence it has: how often it is stated, and with what confidence. */
  readonly strength: number;
  /** The cost of walking it: lowest with most evidence, and for relations in which one thing acts on the other. */
  readonly cost: number;
}

/** A node that may be part of a fact. */
export interface FactNode {
  readonly id: number;
  readonly label: string;
}

export type FactSource = Pick<GraphQueries, 'revision' | 'node' | 'nodeById' | 'outgoing' | 'incoming'>;

/** That one node mentions another says little. That a document mentions both says where to look, which the passages show anyway. */
export const REFERENCES = 'references';
const REFERENCES_COST = 4;
const CONTAINS = 'contains';
const BACKWARD_COST = 2;
/** A node with more relations than this connects things that have nothing to do with each other. */
const MAX_DEGREE = 400;
const MAX_REMEMBERED = 2000;
/** How many relations of a node are used: the strongest. */
const MAX_LINKS = 120;
const MAX_EVIDENCE = 3;
const DOCUMENT_KEY = 'document:';

/** The graph as facts need it: without documents, and with the relations of a node ordered by their evidence. Caches what it has read of one revision. */
export class FactGraph {
  readonly #source: FactSource;
  readonly #links = new LRUCache<number, readonly Link[]>({ max: MAX_REMEMBERED });
  #revision: number | undefined;

  constructor(source: FactSource) {
    this.#source = source;
  }

  /** The node; undefined if there is none with this name, or it is a document. */
  node(name: string): FactNode | undefined {
    const node = this.#source.node(name);
    return node === undefined || node.key.startsWith(DOCUMENT_KEY)
      ? undefined
      : { id: node.id, label: node.display };
  }

  /** The relations of a node, strongest first, and equally strong ones by the place that states them. None if there are too many to mean something. */
  linksOf(id: number): readonly Link[] {
    const revision = this.#source.revision();
    if (revision !== this.#revision) this.#links.clear();
    this.#revision = revision;
    let links = this.#links.get(id);
    if (links === undefined) {
      links = this.#read(id);
      this.#links.set(id, links);
    }
    return links;
  }

  #read(id: number): readonly Link[] {
    const node = this.#source.nodeById(id);
    if (node === undefined || node.degree > MAX_DEGREE) return [];
    return [
      ...this.#source.outgoing(node).flatMap((edge) => linkOf(edge, 'forward')),
      ...this.#source.incoming(node).flatMap((edge) => linkOf(edge, 'back')),
    ]
      .sort(
        (a, b) =>
          b.strength - a.strength ||
          byPlace(a.fact, b.fact) ||
          compareTexts(factText(a.fact), factText(b.fact)),
      )
      .slice(0, MAX_LINKS);
  }
}

function linkOf(edge: StoredEdge, way: 'forward' | 'back'): Link[] {
  const isForward = way === 'forward';
  const otherKey = isForward ? edge.target : edge.source;
  if (edge.type === CONTAINS || otherKey.startsWith(DOCUMENT_KEY) || edge.sourceId === edge.targetId)
    return [];
  const strength = edge.weight * edge.confidence;
  const byType = edge.type === REFERENCES ? REFERENCES_COST : 1;
  return [
    {
      otherId: isForward ? edge.targetId : edge.sourceId,
      isForward,
      fact: {
        from: edge.sourceDisplay,
        edgeType: edge.type,
        to: edge.targetDisplay,
        evidence: edge.evidence.slice(0, MAX_EVIDENCE),
      },
      strength,
      cost: (byType * (isForward ? 1 : BACKWARD_COST)) / Math.max(strength, 0.05),
    },
  ];
}

/** If a document states both on one page, the more usual one comes first. */
function byPlace(a: Fact, b: Fact): number {
  const [pathA = '', lineA = 0] = placeOf(a);
  const [pathB = '', lineB = 0] = placeOf(b);
  return compareTexts(pathA, pathB) || lineA - lineB;
}

function placeOf({ evidence: [place = ''] }: Fact): [path: string, line: number] {
  const end = place.lastIndexOf(':');
  return [place.slice(0, end), Number(place.slice(end + 1))];
}

/** A text that identifies a fact. */
export function factText({ from, edgeType, to }: Fact): string {
  return `${from}\n${edgeType}\n${to}`;
}
