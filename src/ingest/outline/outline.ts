import type { Outline, OutlineAnchor } from '../../core/outline.ts';
import { lastUpTo } from '../last-up-to.ts';
import type { MarkdownSource } from '../markdown/source.ts';
import { AnchorNames } from './anchor-names.ts';
import { Anchors } from './anchors.ts';
import { definitionLinks } from './definitions.ts';
import { anchorFindings } from './findings-anchors.ts';
import { fenceFindings } from './findings-fences.ts';
import { frontMatterFindings } from './findings-front-matter.ts';
import { References } from './findings-references.ts';
import { tableFindings } from './findings-tables.ts';
import { frontMatterLinks } from './front-matter-links.ts';
import { furtherNames } from './further-names.ts';
import { ownId } from './heading-text.ts';
import { includesOf } from './includes.ts';
import { indentedListLinks } from './indented-lists.ts';
import { inlineBlocks } from './inline-blocks.ts';
import { labelsOf } from './labels.ts';
import { Links } from './links.ts';
import { Sections } from './sections.ts';
import { SourceLines } from './source-lines.ts';
import { NOTHING_SWALLOWED, swallowedBy } from './swallowed.ts';
import { lintSwitches } from './switches.ts';

/** The structure of a markdown file that was parsed for its facts. Takes linear time in the file's length, and never throws. */
export function outlineOf(source: MarkdownSource): Outline {
  const names = new AnchorNames();
  const sections = new Sections(names, lineCount(source.text));
  const anchors = new Anchors(names);
  const lines = new SourceLines(source.text);
  const links = new Links(source.places, lines);
  const references = new References(source, lines);
  const ownIds: OutlineAnchor[] = [];
  for (const block of inlineBlocks(source)) {
    if (block.level > 0) sections.add(block);
    const own = block.level > 0 ? ownId(block) : undefined;
    if (own !== undefined) ownIds.push({ anchor: own, line: block.line });
    anchors.add(block);
    links.add(block, sections.count - 1);
    references.add(block);
  }
  const fences = fenceFindings(source, lines);
  const swallowed = fences.length > 0 ? swallowedBy(fences, lines) : NOTHING_SWALLOWED;
  const all = sections.finish();
  const sectionAt = (line: number) => lastUpTo(all, (section) => section.line, line);
  const type = source.frontMatter.data.get('type');
  const includes = includesOf(source);
  const labels = labelsOf(source);
  return {
    sections: all,
    anchors: [...anchors.finish(), ...swallowed.anchors],
    links: inDocumentOrder([
      ...frontMatterLinks(source.frontMatter, lines),
      ...links.finish(),
      ...definitionLinks(source, lines, sectionAt),
      ...indentedListLinks(source, lines, sectionAt),
    ]),
    findings: inDocumentOrder([
      ...frontMatterFindings(source, lines),
      ...anchorFindings(all, anchors.given(), ownIds),
      ...tableFindings(source, lines),
      ...fences,
      ...references.finish().filter(({ target = '' }) => !swallowed.labels.has(target.toLowerCase())),
    ]),
    switches: lintSwitches(source),
    fields: Object.fromEntries(source.frontMatter.keyLines),
    ...(typeof type === 'string' ? { type: type.slice(0, MAX_TYPE) } : {}),
    names: furtherNames(source.frontMatter),
    ...(labels.length > 0 ? { labels } : {}),
    ...(includes.files.length > 0 ? { includes: includes.files } : {}),
    isOpenEnded: includes.isOpenEnded,
  };
}

function inDocumentOrder<Placed extends { readonly line: number; readonly column: number }>(
  all: Placed[],
): Placed[] {
  return all.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** The outline of a file without structure: one that is no text, or cannot be read. */
export const EMPTY_OUTLINE: Outline = {
  sections: [],
  anchors: [],
  links: [],
  findings: [],
  switches: [],
  fields: {},
  names: [],
  isOpenEnded: false,
};

const MAX_TYPE = 100;

/** A line feed at the end does not begin another line. */
function lineCount(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
