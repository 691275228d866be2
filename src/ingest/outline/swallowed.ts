import type { OutlineAnchor, OutlineFinding } from '../../core/outline.ts';
import { AnchorNames } from './anchor-names.ts';
import type { SourceLines } from './source-lines.ts';

/** What a code fence without an end hides, and what would be there if it had one. */
export interface Swallowed {
  readonly anchors: readonly OutlineAnchor[];
  /** The names of link definitions, in lower case. */
  readonly labels: ReadonlySet<string>;
}

export const NOTHING_SWALLOWED: Swallowed = { anchors: [], labels: new Set() };

const HEADING = /^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/;
const ID = /<[a-z][^<>\n]{0,200}?\s(?:id|name)=["']([^"'\n]{1,200})["']/gi;
const DEFINITION = /^ {0,3}\[([^[\]\n]{1,500})\]:/;

/**
 * Reads roughly what the lines below the fences define, so that a missing end is one finding, and not one for each link to something that it hides.
 * @param fences findings of fences that are not closed; at least one
 */
export function swallowedBy(fences: readonly OutlineFinding[], lines: SourceLines): Swallowed {
  const names = new AnchorNames();
  const anchors: OutlineAnchor[] = [];
  const labels = new Set<string>();
  const first = Math.min(...fences.map(({ line }) => line));
  for (let line = first + 1; line <= lines.count; line += 1) {
    const source = lines.at(line);
    const title = HEADING.exec(source)?.[1];
    if (title !== undefined) anchors.push({ anchor: names.ofHeading(plainTitle(title)), line });
    for (const [, anchor = ''] of source.matchAll(ID)) anchors.push({ anchor, line });
    const label = DEFINITION.exec(source)?.[1];
    if (label !== undefined) labels.add(label.trim().toLowerCase());
  }
  return { anchors, labels };
}

function plainTitle(title: string): string {
  return title.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/[`*]/g, '');
}
