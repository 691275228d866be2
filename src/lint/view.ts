import type { NodeKey } from '../core/graph-model.ts';
import type { Outline } from '../core/outline.ts';

/**
 * The docs as lint sees them: as the index has them, or as a commit would change them. Paths are relative to the docs root, with `/` between their
 * parts. Nothing outside of the docs root is ever asked for.
 */
export interface LintView {
  /** All files that are shown: documents, images and everything else, in any order. Called once for a view. */
  files(): Iterable<string>;
  /** Whether there is a file or folder that settings exclude from being shown: a link to it is not broken. */
  hasUnshown(path: string): boolean;
  /** The markdown documents, in the order of their paths. */
  documents(): Iterable<string>;
  /** Why a document, or all files of a folder, could not be read, by path. */
  unread(): ReadonlyMap<string, string>;
  /** The structure of a document; undefined if it is not one, or could not be read. */
  outline(path: string): Outline | undefined;
  /** All documents with their structure, in the order of their paths. Only called if one document is not enough. */
  outlines(): Iterable<{ readonly path: string; readonly outline: Outline }>;
  /** Whether another document links to this one. */
  isLinkedTo(path: string): boolean;
  /** Where documents name a node. */
  mentionsOf(key: NodeKey): Iterable<{ readonly path: string; readonly lines: readonly number[] }>;
  /** What a document names. */
  mentionsIn(path: string): Iterable<{
    readonly key: NodeKey;
    /** In the form that the document uses most. */
    readonly label: string;
    readonly lines: readonly number[];
    /** Whether it introduces the thing by a heading, a definition or bold type, rather than by a plain word. */
    readonly declares: boolean;
  }>;
  /** The labels of all nodes, to suggest one. Only called if a name is unknown. */
  nodeLabels(): Iterable<string>;
  /** What the template of a document requires; nothing for a document without one. */
  requirementsOf(path: string, outline: Outline): readonly Requirement[];
}

/** A field of front matter or a heading that a template requires. */
export interface Requirement {
  readonly kind: 'field' | 'heading';
  /** The key of the field, or the title of the heading; compared without letter case. */
  readonly name: string;
  /** What requires it, for the message: `the template "adr"`. */
  readonly by: string;
  /** The severity if it is missing. Default: an error. */
  readonly severity?: 'warning';
}
