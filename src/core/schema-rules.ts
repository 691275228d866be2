import type { EdgeType, NodeType } from './graph-model.ts';

/** Name of the map that comes with the package. */
export const READY_MAP = 'spec-driven';

/**
 * What a schema map says, checked and in plain data, so that threads can be handed it. Order counts: the first rule that gives a type
 * or a property to something wins.
 */
export interface SchemaRules {
  readonly rules: readonly SchemaRule[];
}

export type SchemaRule = DocumentRule | FieldRule | HeadingRule | PhraseRule;

interface Scope {
  /** Patterns of gitignore(5), relative to the docs root. Empty for all documents. */
  readonly paths: readonly string[];
}

/** The node of a document has this type. */
export interface DocumentRule extends Scope {
  readonly kind: 'document';
  readonly type: NodeType;
}

/** A key of front matter. */
export interface FieldRule extends Scope {
  readonly kind: 'field';
  /** Compared without case. */
  readonly key: string;
  /** Type of the document's node by the value, compared without case. */
  readonly types?: Readonly<Record<string, NodeType>>;
  /** The property that its value is. */
  readonly property?: string;
  /** The type of edges to what its values name. */
  readonly edge?: EdgeType;
  /** Whether the edges lead from there to the document. */
  readonly isReverse: boolean;
}

/** A heading. */
export interface HeadingRule extends Scope {
  readonly kind: 'heading';
  /** Compared without case; `*` stands for any text, the first one for the name of the node. */
  readonly heading: string;
  /** 1 to 6; any unless given. */
  readonly level?: number;
  /** The section is a node of this type. */
  readonly type?: NodeType;
  /** The type of edges to what the list below it names. */
  readonly edge?: EdgeType;
  readonly isReverse: boolean;
  /** What the list below it names are nodes of this type. */
  readonly items?: NodeType;
  /** The property that the text below it is. */
  readonly property?: string;
}

/** Words between two names in a sentence. */
export interface PhraseRule extends Scope {
  readonly kind: 'phrase';
  readonly phrase: string;
  readonly edge: EdgeType;
  readonly isReverse: boolean;
}
