import type { NodeKey } from '../core/graph-model.ts';
import type { Outline } from '../core/outline.ts';

/**
 * The docs as lint sees them: as the index has them, or as a commit would make them. Paths are relative to the docs root, with `/` between their
 * parts. Nothing outside the docs root is ever asked for.
 */
export interface LintView {
  /** Every file that is shown, documents, images and all else, in any order. Asked once for a view. */
  files(): Iterable<string>;
  /** Whether there is a file or folder that is not shown, since settings leave it out: a link to it is not broken. */
  hasUnshown(path: string): boolean;
  /** The markdown documents, in path order. */
  documents(): Iterable<string>;
  /** Why a document, or all in a folder, could not be read, by path. */
  unread(): ReadonlyMap<string, string>;
  /** The structure of a document; undefined where it is none, or could not be read. */
  outline(path: string): Outline | undefined;
  /** All documents with their structure, in path order. Only asked where one document is not enough. */
  outlines(): Iterable<{ readonly path: string; readonly outline: Outline }>;
  /** Whether another document links to this one. */
  isLinkedTo(path: string): boolean;
  /** Where documents name a node. */
  mentionsOf(key: NodeKey): Iterable<{ readonly path: string; readonly lines: readonly number[] }>;
  /** What a document names. */
  mentionsIn(path: string): Iterable<{
    readonly key: NodeKey;
    /** In the form in which the document writes it most. */
    readonly label: string;
    readonly lines: readonly number[];
    /** Whether it says that there is such a thing, by a heading, a definition or bold type, beyond a plain word. */
    readonly declares: boolean;
  }>;
  /** Labels of all nodes, to suggest one. Only asked where a name is unknown. */
  nodeLabels(): Iterable<string>;
  /** What the template of a document wants it to have; nothing for a document without one. */
  requirementsOf(path: string, outline: Outline): readonly Requirement[];
}

/** A field of front matter or a heading that a template requires. */
export interface Requirement {
  readonly kind: 'field' | 'heading';
  /** Key of the field, or title of the heading; compared without case. */
  readonly name: string;
  /** What requires it, for the message: `the template "adr"`. */
  readonly by: string;
  /** How grave it is to do without. Default: an error. */
  readonly severity?: 'warning';
}
