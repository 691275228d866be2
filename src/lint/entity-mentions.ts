import type { NodeKey } from '../core/graph-model.ts';
import type { Outline } from '../core/outline.ts';
import { NearNames } from '../text/near-names.ts';
import type { LintView } from './view.ts';

const LISTS_RELATIONS = /^(?:entity |object |resource )?relationships?(?: .{1,30})?$/i;

/** What is said about the things that documents name. Many documents may name the same thing: it is looked up once. */
export class EntityMentions {
  readonly #view: LintView;
  readonly #isSaid = new Map<NodeKey, boolean>();
  readonly #suggestions = new Map<string, string | undefined>();
  #labels: NearNames | undefined;

  constructor(view: LintView) {
    this.#view = view;
  }

  /** Whether any document says something about it outside of such a section. */
  isSaid(key: NodeKey): boolean {
    let isSaid = this.#isSaid.get(key);
    if (isSaid === undefined) {
      isSaid = this.#look(key);
      this.#isSaid.set(key, isSaid);
    }
    return isSaid;
  }

  suggestionFor(label: string): string | undefined {
    if (!this.#suggestions.has(label)) {
      this.#labels ??= new NearNames(this.#view.nodeLabels());
      this.#suggestions.set(label, this.#labels.nearestTo(label, label));
    }
    return this.#suggestions.get(label);
  }

  #look(key: NodeKey): boolean {
    for (const mention of this.#view.mentionsOf(key)) {
      const outline = this.#view.outline(mention.path);
      const lists = outline === undefined ? undefined : relationLines(outline);
      if (lists === undefined || !mention.lines.every(lists)) return true;
    }
    return false;
  }
}

/** A function that tells whether a line is in a section that lists relations; undefined if there is no such section. */
export function relationLines({ sections }: Outline): ((line: number) => boolean) | undefined {
  const lists = sections.filter(({ title }) => LISTS_RELATIONS.test(title));
  if (lists.length === 0) return undefined;
  return (at) => lists.some(({ line, endLine }) => at >= line && at <= endLine);
}
