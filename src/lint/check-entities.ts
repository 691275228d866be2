import { nearest } from '../core/near.ts';
import type { Outline } from '../core/outline.ts';
import type { Docs } from './docs.ts';
import type { RuleFinding } from './finding.ts';

const LISTS_RELATIONS = /^(?:entity |object |resource )?relationships?(?: .{1,30})?$/i;

/**
 * Things that a Relationships section names, and of which nothing else is said anywhere: not in this document outside of such a section, and
 * not in another one.
 */
export function checkEntities(docs: Docs, path: string, outline: Outline): RuleFinding[] {
  const lists = relationLines(outline);
  if (lists === undefined) return [];
  const findings: RuleFinding[] = [];
  for (const { key, label, lines, declares } of docs.view.mentionsIn(path)) {
    const [line] = lines;
    if (!declares || !key.startsWith('concept:') || line === undefined || !lines.every(lists)) continue;
    if (isSaidElsewhere(docs, path, key)) continue;
    const suggestion = nearest(label, others(docs.view.nodeLabels(), label));
    const message = `nothing else is said of "${label}" anywhere`;
    findings.push({
      rule: 'unresolved-entity',
      line,
      column: 1,
      target: label,
      message,
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }
  return findings;
}

function isSaidElsewhere(docs: Docs, path: string, key: string): boolean {
  for (const mention of docs.view.mentionsOf(key)) {
    if (mention.path === path) continue;
    const outline = docs.view.outline(mention.path);
    const lists = outline === undefined ? undefined : relationLines(outline);
    if (lists === undefined || !mention.lines.every(lists)) return true;
  }
  return false;
}

/** Whether a line stands in a section that lists relations; undefined where there is no such section. */
function relationLines({ sections }: Outline): ((line: number) => boolean) | undefined {
  const lists = sections.filter(({ title }) => LISTS_RELATIONS.test(title));
  if (lists.length === 0) return undefined;
  return (at) => lists.some(({ line, endLine }) => at >= line && at <= endLine);
}

function* others(labels: Iterable<string>, label: string): Generator<string> {
  for (const other of labels) if (other !== label) yield other;
}
