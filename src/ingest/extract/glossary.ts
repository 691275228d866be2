/** Terms of a glossary with a heading for each: `### Bootstrap provider` in `glossary.md`, or below "Terminology". */
import type { Section } from '../markdown/document.ts';
import { withoutShortForm } from './abbreviations.ts';
import type { Definition } from './definitions.ts';
import { firstProse } from './first-prose.ts';
import { conceptKeyOf, isName } from './names.ts';

const GLOSSARY =
  /^(?:(?:[\p{L}-]+\s){0,3}(?:glossary|terminology|vocabulary|nomenclature|lexicon)|(?:key|terms\s(?:and|&))\sdefinitions)(?:\sof\s.{1,60})?$/iu;
const GLOSSARY_FILE = /(?:^|[/_-])(?:glossary|terminology|vocabulary)\.\w+$/i;
/** Headings that explain the glossary and define no term. */
const NO_TERM = /^(?:how|what|when|why|where|who|which|using|adding|see|more|about)\s/i;

/** Whether a whole document is a glossary. */
export function isGlossary(path: string, title: string): boolean {
  return GLOSSARY_FILE.test(path) || isGlossaryTitle(title);
}

export function isGlossaryTitle(title: string): boolean {
  return GLOSSARY.test(title);
}

/**
 * The term that a section of a glossary defines by its first sentence. Sections below a term belong to it and define none.
 * @param whole whether the whole document is a glossary
 */
export function findGlossaryTerm(section: Section, title: string, whole: boolean): Definition | undefined {
  const label = withoutShortForm(section.title);
  if (section.level === 0 || section.title === title || GLOSSARY.test(label) || NO_TERM.test(label))
    return undefined;
  if (!isName(label) || !isInGlossary(section.parent, title, whole)) return undefined;
  const prose = firstProse(section);
  if (prose === undefined) return undefined;
  return {
    key: conceptKeyOf(label),
    label,
    type: 'Concept',
    line: section.line,
    confidence: 0.85,
    description: prose.text,
  };
}

/** Whether only letters of the alphabet, and groups without a sentence of their own, stand between a glossary and the section. */
function isInGlossary(around: Section | undefined, title: string, whole: boolean): boolean {
  for (let at = around; at !== undefined && at.level > 0; at = at.parent) {
    if (GLOSSARY.test(at.title)) return true;
    if (!whole) return false;
    if (at.title !== title && isName(at.title) && opensWithProse(at)) return false;
  }
  return whole;
}

/** How many blocks may stand above the first sentence of a section. */
const MAX_ABOVE = 5;

function opensWithProse(section: Section): boolean {
  return firstProse({ ...section, blocks: section.blocks.slice(0, MAX_ABOVE) }) !== undefined;
}
