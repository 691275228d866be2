import { compareTexts } from '../text/compare-texts.ts';

/**
 * The vocabulary of the knowledge graph. A document contributes mentions (this node is spoken of here) and
 * statements (this relation is said here); the graph's nodes and edges are what all contributions together say.
 */

declare const isOfMap: unique symbol;
/** The name of a type that a schema map brings. {@link isNodeType} and {@link isEdgeType} tell it from other text. */
type MapType = string & { readonly [isOfMap]: true };

/** Built-in node types in the order in which listings show them, those of a schema map behind them by name. */
export const NODE_TYPES = ['APIObject', 'Endpoint', 'Event', 'Concept', 'Document'] as const;
export type NodeType = (typeof NODE_TYPES)[number] | MapType;

/** Built-in edge types in the order in which a node lists them: specific ones first, those of a schema map behind them by name. */
export const EDGE_TYPES = [
  'requires',
  'returns',
  'triggers',
  'generates',
  'belongs_to',
  'depends_on',
  'child_of',
  'parent_of',
  'references',
  'contains',
] as const;
export type EdgeType = (typeof EDGE_TYPES)[number] | MapType;

const NODE_RANKS: ReadonlyMap<string, number> = new Map(NODE_TYPES.map((type, rank) => [type, rank]));
const EDGE_RANKS: ReadonlyMap<string, number> = new Map(EDGE_TYPES.map((type, rank) => [type, rank]));
/** Names that the tree uses for something else: sections, and the types of memory. */
const OTHER_NODES = new Set(['Section', 'Fact', 'Memory', 'Procedure', 'Topic', 'Entity', 'Meta']);
/** Lists of the graph that are not lists of one type. */
const OTHER_LISTS = new Set(['graph', 'nodes']);

/** Letters and digits, the first a capital, at most 40: `Epic`, `UserStory`. */
export function isNodeType(text: string): text is NodeType {
  return /^[A-Z][A-Za-z0-9]{0,39}$/.test(text) && !OTHER_NODES.has(text);
}

/**
 * Lower case letters, digits and `_`, at most 40: `verified_by`. Folders of incoming edges are called `<type>_of`, so no new type may be called
 * like such a folder of a built-in one.
 */
export function isEdgeType(text: string): text is EdgeType {
  if (EDGE_RANKS.has(text)) return true;
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(text) || OTHER_LISTS.has(text)) return false;
  return !EDGE_RANKS.has(`${text}_of`) && !EDGE_RANKS.has(text.replace(/_of$/, ''));
}

/** Whether a schema map brings the type. Such a type is listed only if there is a node of it, and it says more than a built-in one. */
export function isNodeTypeOfMap(type: NodeType): boolean {
  return !NODE_RANKS.has(type);
}

export function compareNodeTypes(a: NodeType, b: NodeType): number {
  return compareTypes(NODE_RANKS, a, b);
}

export function compareEdgeTypes(a: EdgeType, b: EdgeType): number {
  return compareTypes(EDGE_RANKS, a, b);
}

function compareTypes(ranks: ReadonlyMap<string, number>, a: string, b: string): number {
  const byRank = (ranks.get(a) ?? ranks.size) - (ranks.get(b) ?? ranks.size);
  return byRank || compareTexts(a, b);
}

/** All built-in types and the given ones, each once, in order. */
export function withBuiltInNodeTypes(types: Iterable<NodeType>): NodeType[] {
  return [...new Set<NodeType>([...NODE_TYPES, ...types])].sort(compareNodeTypes);
}

/** All built-in types and the given ones, each once, in order. */
export function withBuiltInEdgeTypes(types: Iterable<EdgeType>): EdgeType[] {
  return [...new Set<EdgeType>([...EDGE_TYPES, ...types])].sort(compareEdgeTypes);
}

/**
 * Identity of a node, made by the functions of `identity.ts`: `concept:`, `document:`, `endpoint:` or `event:` and a
 * canonical form. Statements may also point at `link:`, `wiki:` and `page:` keys, which the projection resolves to documents.
 */
export type NodeKey = string;

/** A language model's part in a fact: it found what no rule did, or confirmed what a rule had found. */
export interface ModelPart {
  readonly name: string;
  readonly role: 'found' | 'confirmed';
}

/**
 * Half of what makes a node exist: a heading that names it (`headed`), or a sentence that says it works with something else (`used`). Most names with
 * only one half are no things at all; those with both halves are, even if the halves are in two documents.
 */
export type Half = 'headed' | 'used';

/** One place where a document speaks of a node. */
export interface Mention {
  readonly key: NodeKey;
  readonly type: NodeType;
  /** The name as the text writes it, with white space folded and without markup. */
  readonly label: string;
  /** 1-based line in the file, front matter included. */
  readonly line: number;
  /** How certain it is that the text means this node with this type, from 0 to 1. */
  readonly confidence: number;
  /**
   * Whether this mention alone makes the node exist. One that does not (a plain word that might be a concept, a dotted
   * span that might be an event) counts only where another mention, of any document, does.
   */
  readonly declares: boolean;
  /** For a mention that does not declare the node by itself: which half of a declaration it is, if any. */
  readonly half?: Half;
  /** A sentence or two that say what the node is, in plain text. */
  readonly description?: string;
  readonly properties?: Readonly<Record<string, string>>;
  /** Absent if no language model had a part in it. */
  readonly model?: ModelPart;
}

/** One place where a document states a relation. It counts if both ends exist as nodes. */
export interface Statement {
  readonly source: NodeKey;
  readonly type: EdgeType;
  readonly target: NodeKey;
  /** 1-based line in the file. */
  readonly line: number;
  readonly confidence: number;
  /** Short code of the extraction rule that read it, with a `?` behind it if the reading is doubtful. Edges are traced to rules by it. */
  readonly rule?: string;
  /** The sentence that says it, in plain text, at most 200 characters. */
  readonly description?: string;
  /** Absent if no language model had a part in it. */
  readonly model?: ModelPart;
}

/** Something in a document that could not be read as meant. */
export interface Problem {
  /** 1-based, or 0 for the whole file. */
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

/** All that one document gives to the graph. The same path, text and extractor version give the same facts. */
export interface DocumentFacts {
  readonly title: string;
  /** Further keys of links that mean this document, besides those that follow from its path. */
  readonly aliases?: readonly NodeKey[];
  readonly mentions: readonly Mention[];
  readonly statements: readonly Statement[];
  readonly problems: readonly Problem[];
}

/** The property with the name of the model, of a node or an edge that a language model found and no rule did. */
export const EXTRACTED_BY = 'extracted_by';

/** The property with the short form of a node's name that docs introduce: `WAL`. */
export const SHORT_FORM = 'short_form';

/** The property with the name that a node's own name is a short form of. */
export const SHORT_FOR = 'short_for';

/** Weight of a node or edge grows by one with each repetition up to this. */
export const MAX_WEIGHT = 5;

export interface GraphNode {
  readonly key: NodeKey;
  readonly type: NodeType;
  readonly label: string;
  /** The label, told apart from equal labels of other nodes: `Overview (billing/overview.md)`. Unique. */
  readonly display: string;
  /** `display` as a file name under graph/nodes. Unique. */
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly weight: number;
  readonly confidence: number;
  /** One `file:line` for each document that mentions it, in path order. */
  readonly sources: readonly string[];
  readonly degree: number;
  /** When what the node's page shows last changed. */
  readonly changedMs: number;
}

export interface GraphEdge {
  readonly source: NodeKey;
  readonly type: EdgeType;
  readonly target: NodeKey;
  readonly description: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly weight: number;
  readonly confidence: number;
  /** Every `file:line` that states it, in path and line order. */
  readonly evidence: readonly string[];
}
