import { hash } from 'node:crypto';
import { EDGE_TYPES, type EdgeType, NODE_TYPES, type NodeType } from '../core/graph-model.ts';
import type { SchemaRule, SchemaRules } from '../core/schema-rules.ts';

/** A type of a schema map, and what its rules say about where it is found. */
export interface AskedType<Type> {
  readonly type: Type;
  readonly found: readonly string[];
}

export interface AskedEdgeType extends AskedType<EdgeType> {
  /** Words that express it between two names. */
  readonly phrases: readonly { readonly words: string; readonly isReverse: boolean }[];
}

/** What a model is asked for besides the built-in types. */
export interface MapTypes {
  readonly nodes: readonly AskedType<NodeType>[];
  readonly edges: readonly AskedEdgeType[];
}

export const NO_MAP_TYPES: MapTypes = { nodes: [], edges: [] };

/** With more of them, the question would be longer than many a document. */
const MAX_TYPES = 40;
const MAX_PLACES = 4;
const MAX_WORDS = 80;

/** The types of a schema map that a text can be about. Types that it gives to documents only are found without a model, like documents. */
export function mapTypesOf(schema: SchemaRules | undefined): MapTypes {
  const rules = schema?.rules ?? [];
  const nodes = new Map<NodeType, string[]>();
  const edges = new Map<EdgeType, { found: string[]; phrases: AskedEdgeType['phrases'][number][] }>();
  for (const rule of rules) {
    if (rule.kind === 'heading') {
      const { heading, type, items } = rule;
      if (type !== undefined) noteIn(nodes, type, [`sections headed ${quoted(heading)}`]);
      if (items !== undefined) noteIn(nodes, items, [`listed under ${quoted(heading)}`]);
    }
    if (rule.kind === 'document' || rule.edge === undefined) continue;
    const known = edges.get(rule.edge) ?? { found: [], phrases: [] };
    edges.set(rule.edge, known);
    known.found.push(`${whereFound(rule)}${rule.isReverse ? ', from there to here' : ''}`);
    if (rule.kind === 'phrase') known.phrases.push({ words: rule.phrase, isReverse: rule.isReverse });
  }
  return {
    nodes: Array.from(nodes, ([type, found]) => ({ type, found: found.slice(0, MAX_PLACES) }))
      .filter(({ type }) => !NODE_TYPES.some((known) => known === type))
      .slice(0, MAX_TYPES),
    edges: Array.from(edges, ([type, { found, phrases }]) => ({
      type,
      found: found.slice(0, MAX_PLACES),
      phrases,
    }))
      .filter(({ type }) => !EDGE_TYPES.some((known) => known === type))
      .slice(0, MAX_TYPES),
  };
}

/** Empty if there are none: then the question is the same as without a map. */
export function stampOfTypes({ nodes, edges }: MapTypes): string {
  return nodes.length + edges.length === 0 ? '' : hash('sha1', JSON.stringify({ nodes, edges }));
}

function noteIn<Type>(types: Map<Type, string[]>, type: Type, found: readonly string[]): void {
  types.set(type, [...(types.get(type) ?? []), ...found]);
}

function whereFound(rule: Exclude<SchemaRule, { kind: 'document' }>): string {
  if (rule.kind === 'phrase') return `said by ${quoted(rule.phrase)}`;
  return rule.kind === 'heading' ? `lists under ${quoted(rule.heading)}` : `front matter ${quoted(rule.key)}`;
}

/** The text may be anything that a stranger has written. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, MAX_WORDS).toWellFormed());
}
