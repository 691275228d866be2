import type { Outline } from '../core/outline.ts';
import type { Docs } from './docs.ts';
import { relationLines } from './entity-mentions.ts';
import type { RuleFinding } from './finding.ts';

/** Things that a Relationships section names and about which nothing else is said anywhere, neither in other parts of this document nor in another one. */
export function checkEntities(docs: Docs, path: string, outline: Outline): RuleFinding[] {
  const lists = relationLines(outline);
  if (lists === undefined) return [];
  const findings: RuleFinding[] = [];
  for (const { key, label, lines, declares } of docs.view.mentionsIn(path)) {
    const [line] = lines;
    if (!declares || !key.startsWith('concept:') || line === undefined || !lines.every(lists)) continue;
    // Nothing is said in the other parts of this document.
    if (docs.entities.isSaid(key)) continue;
    const suggestion = docs.entities.suggestionFor(label);
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
