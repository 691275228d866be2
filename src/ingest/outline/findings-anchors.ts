import type { OutlineAnchor, OutlineFinding, OutlineSection } from '../../core/outline.ts';

const RULE = 'duplicate-anchor';
/** Deeper headings are captions and lists of members rather than places to link to. */
const MAX_LEVEL = 2;
/** Headings without text between them are examples of headings. */
const MIN_LINES = 2;

/**
 * Ids that two parts of a document give themselves, and equal headings close together, whose ids differ by a number that changes when one of them moves.
 * @param ownIds the ids that headings give themselves, with their lines
 */
export function anchorFindings(
  sections: readonly OutlineSection[],
  anchors: readonly OutlineAnchor[],
  ownIds: readonly OutlineAnchor[],
): OutlineFinding[] {
  const findings: OutlineFinding[] = [];
  const given = [...ownIds, ...anchors].sort((a, b) => a.line - b.line);
  const first = new Map<string, number>();
  for (const { anchor, line } of given) {
    const before = first.get(anchor);
    if (before === undefined) first.set(anchor, line);
    else if (before !== line)
      findings.push(findingOf(line, anchor, `the id "${anchor}" is given twice, first in line ${before}`));
  }
  return [...findings, ...equalSiblings(sections)];
}

function equalSiblings(sections: readonly OutlineSection[]): OutlineFinding[] {
  const first = new Map<string, number>();
  return sections.flatMap(({ parent, level, title, anchor, line }) => {
    if (level > MAX_LEVEL) return [];
    const key = `${parent} ${level} ${title}`;
    const before = first.get(key);
    if (before === undefined) first.set(key, line);
    // If its id does not end in a number, the heading has an id of its own.
    if (before === undefined || title === '' || line - before <= MIN_LINES || !/-\d+$/.test(anchor))
      return [];
    const message = `the heading "${title}" stands in line ${before} too, so its anchor is "${anchor}" only as long as neither moves`;
    return [findingOf(line, anchor.replace(/-\d+$/, ''), message)];
  });
}

function findingOf(line: number, target: string, message: string): OutlineFinding {
  return { rule: RULE, line, column: 1, message, target };
}
