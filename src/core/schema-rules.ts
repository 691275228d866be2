import type { EdgeType, NodeType } from './graph-model.ts';

/** The name of the schema map that comes with the package. */
export const READY_MAP = 'spec-driven';

/**
 * What a schema map says, checked, and in plain data that can be passed to threads. The order counts: the first rule that gives something a type
 * or a property wins.
 */
export interface SchemaRules {
  readonly rules: readonly SchemaRule[];
}

export type SchemaRule = DocumentRule | FieldRule | HeadingRule | PhraseRule;

interface Scope {
  /** Patterns as in gitignore(5), relative to the docs root, of the documents that the rule is for. Empty for all. */
  readonly paths: readonly string[];
}

/** Gives the node of a document its type. */
export interface DocumentRule extends Scope {
  readonly kind: 'document';
  readonly type: NodeType;
}

/** Reads a key of front matter. */
export interface FieldRule extends Scope {
  readonly kind: 'field';
  /** Compared without case. */
  readonly key: string;
  /** The type of the document's node for each value, compared without case. */
  readonly types?: Readonly<Record<string, NodeType>>;
  /** The property that gets the value. */
  readonly property?: string;
  /** The type of edges to what the values name. */
  readonly edge?: EdgeType;
  /** Whether the edges lead from what is named to the document. */
  readonly isReverse: boolean;
}

/** Reads the section below a heading. */
export interface HeadingRule extends Scope {
  readonly kind: 'heading';
  /** Compared without case; `*` stands for any text, the first one for the name of the node. */
  readonly heading: string;
  /** From 1 to 6. Default: any. */
  readonly level?: number;
  /** The section is a node of this type. */
  readonly type?: NodeType;
  /** The type of edges to what the list below the heading names. */
  readonly edge?: EdgeType;
  readonly isReverse: boolean;
  /** The type of nodes that the list below the heading names. */
  readonly items?: NodeType;
  /** The property that gets the text below the heading. */
  readonly property?: string;
}

/** Reads words between two names in a sentence. */
export interface PhraseRule extends Scope {
  readonly kind: 'phrase';
  readonly phrase: string;
  readonly edge: EdgeType;
  readonly isReverse: boolean;
}
