/**
 * The structure of one markdown document: its sections, what else in it can be linked to, where its links lead, and
 * what is wrong with it by itself. The same path, text and extractor version give the same outline.
 */

import type { LintSeverity } from '../settings/lint.ts';

/** A heading, and all that stands under it. */
export interface OutlineSection {
  /** 1 to 6. */
  readonly level: number;
  /** The heading in plain text. */
  readonly title: string;
  /** The id that GitHub gives the heading, or the one that the document gives it itself (`{#id}`). Unique in the document. */
  readonly anchor: string;
  /** 1-based line of the heading in the file. */
  readonly line: number;
  /** 1-based last line of the section, sections within it included. */
  readonly endLine: number;
  /** Index of the section it stands in; -1 for a top section. */
  readonly parent: number;
}

/** Something that can be linked to and is no heading: an `id` or `name` of an element, a block's `^id`. */
export interface OutlineAnchor {
  /** As a link would name it, a block's with its `^`. */
  readonly anchor: string;
  readonly line: number;
}

export type OutlineLinkKind =
  | 'link'
  | 'image'
  /** `[text][name]`, with the target of its definition. */
  | 'reference'
  /** `[name]: target`, where the definition stands. */
  | 'definition'
  /** A page that a template names, by path or name: `[text]({{< relref "page" >}})`, `[text]({% link page.md %})`. */
  | 'template'
  | 'wikilink'
  /** `![[target]]` */
  | 'embed'
  /** `href`, `src` or `to` of an element. */
  | 'tag'
  /** A path or wikilink that front matter names. */
  | 'front-matter';

export interface OutlineLink {
  readonly kind: OutlineLinkKind;
  /** As written, without alias and title; percent-encoding kept. */
  readonly target: string;
  /** 1-based, where the link begins. */
  readonly line: number;
  /** 1-based, in characters (UTF-16 code units), where the link begins. */
  readonly column: number;
  /** Index of the innermost section it stands in; -1 above the first heading. */
  readonly section: number;
}

/** What is wrong with the document by itself, whatever the others are like. */
export interface OutlineFinding {
  /** Name of the rule. */
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** Where it is less grave than the rule is. */
  readonly severity?: LintSeverity;
  /** What the finding is about, such as the name that has no definition. */
  readonly target?: string;
  /** What would be right in place of the target. */
  readonly suggestion?: string;
}

/** Lines where rules are switched off by a comment. */
export interface LintSwitch {
  /** Undefined for all rules. */
  readonly rule?: string;
  /** 1-based, inclusive. */
  readonly fromLine: number;
  readonly toLine: number;
}

export interface Outline {
  /** In document order. */
  readonly sections: readonly OutlineSection[];
  readonly anchors: readonly OutlineAnchor[];
  /** In document order. */
  readonly links: readonly OutlineLink[];
  readonly findings: readonly OutlineFinding[];
  readonly switches: readonly LintSwitch[];
  /** Top-level keys of front matter with the line of each, in the order of the file. */
  readonly fields: Readonly<Record<string, number>>;
  /** What front matter gives as `type`, where that is a text. */
  readonly type?: string;
  /** Further names by which links reach the document: what front matter gives as `aliases`, `slug`, `permalink`, `id`, `url`. */
  readonly names: readonly string[];
  /** Names of places in it, by which links of all documents reach them, as of MyST. */
  readonly labels?: readonly string[];
  /** Markdown files whose content it takes in, as it names them. */
  readonly includes?: readonly string[];
  /** Whether other parts of it come from elsewhere (a template, what a program writes), so that it may have anchors that are not seen. */
  readonly isOpenEnded: boolean;
}
