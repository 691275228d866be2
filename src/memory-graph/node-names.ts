import { foldConcept } from '../core/identity.ts';
import { MEMORY_TYPES, type MemoryPlace, type ProvenanceKey } from '../core/memory-entry.ts';
import type { NamedNode, NodeId } from './model.ts';

/** The first parts of names in the graph of memory. What follows the slash is the entry's key, a label or a value, unchanged. */
const HOMES = [...MEMORY_TYPES, 'session', 'topic', 'agent', 'meta'];
const NAME = new RegExp(`^(?:${HOMES.join('|')})/`);

/** Whether a label has the form of a name in the graph of memory: `fact/refunds`, `topic/billing`, `meta/channel/slack`. */
export function isMemoryName(label: string): boolean {
  return NAME.test(label);
}

/** The id of an entry's node, which is also its label. */
export function entryId({ type, key }: MemoryPlace): NodeId {
  return `${type}/${key}`;
}

/** The place of the entry with a node. */
export function placeOfEntry(id: NodeId): MemoryPlace | undefined {
  const type = MEMORY_TYPES.find((one) => id.startsWith(`${one}/`));
  return type && { type, key: id.slice(type.length + 1) };
}

export function sessionId(id: string): NodeId {
  return `session/${id}`;
}

/** All spellings of a topic are one node, like those of a concept: `Refund policy` and `refund-policies`. */
export function topicId(label: string): NodeId {
  const folded = foldConcept(label);
  return folded === '' ? `topic/=${label}` : `topic/${folded}`;
}

/** The node of a topic with a label. Each is made once, since entries share them. */
export const topicNode = shared((label) => {
  return { id: topicId(label), type: 'Topic', label: `topic/${label}`, properties: {} };
});

/** An agent is identified by its exact name: two people may differ only in case. */
export const agentNode = shared((name) => {
  const id = `agent/${name}`;
  return { id, type: 'Entity', label: id, properties: { kind: 'agent' } };
});

export function metaNode(key: ProvenanceKey | 'source_path', value: string): NamedNode {
  const id = `meta/${key}/${value}`;
  return { id, type: 'Meta', label: id, properties: { key, value } };
}

const MAX_SHARED = 10_000;

function shared(make: (label: string) => NamedNode): (label: string) => NamedNode {
  const made = new Map<string, NamedNode>();
  return (label) => {
    let node = made.get(label);
    if (node === undefined) {
      if (made.size >= MAX_SHARED) made.clear();
      node = make(label);
      made.set(label, node);
    }
    return node;
  };
}
