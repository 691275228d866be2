import type { Outline } from '../../core/outline.ts';
import type { MarkdownSource } from '../markdown/source.ts';
import { AnchorNames } from './anchor-names.ts';
import { Anchors } from './anchors.ts';
import { inlineBlocks } from './inline-blocks.ts';
import { Sections } from './sections.ts';

/** The structure of a markdown file that was parsed for its facts: linear in its length, and total. */
export function outlineOf(source: MarkdownSource): Outline {
  const names = new AnchorNames();
  const sections = new Sections(names, lineCount(source.text));
  const anchors = new Anchors(names);
  for (const block of inlineBlocks(source)) {
    if (block.level > 0) sections.add(block);
    anchors.add(block);
  }
  return {
    sections: sections.finish(),
    anchors: anchors.finish(),
    links: [],
    findings: [],
    switches: [],
    fields: Object.fromEntries(source.frontMatter.keyLines),
    names: [],
    isOpenEnded: false,
  };
}

/** Of a file without structure: one that is no text, or cannot be read. */
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

/** A line feed at the end begins no further line. */
function lineCount(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
