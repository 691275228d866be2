/**
 * Names that are the title of a page or of a section, even if the text below does not say what they are: `## Dead letter queue` above
 * "Jobs that failed three times." Each is a thing if a sentence of that page or of another one says that something works with it.
 */
import type { MarkdownDocument } from '../markdown/document.ts';
import type { Definition } from './definitions.ts';
import { firstProse, firstProseOf } from './first-prose.ts';
import { conceptKeyOf, isTelling } from './names.ts';
import { isNominal, nameOfHeading } from './title.ts';

/** Headings of deeper levels name details. */
const MAX_LEVEL = 3;
const MAX_WORDS = 3;

/** One definition for each name, at its first place. */
export function findHeadedNames(document: MarkdownDocument, title: string, titleLine: number): Definition[] {
  const names = new Map<string, Definition>();
  const add = (heading: string, line: number, description: string) => {
    const label = nameOfHeading(heading);
    if (!isNameOfPart(label)) return;
    const key = conceptKeyOf(label);
    if (!names.has(key)) names.set(key, { key, label, type: 'Concept', line, confidence: 0.45, description });
  };
  add(title, titleLine, firstProseOf(document.sections.slice(0, 2))?.text ?? '');
  for (const section of document.sections)
    if (section.level > 0 && section.level <= MAX_LEVEL)
      add(section.title, section.line, firstProse(section)?.text ?? '');
  return [...names.values()];
}

/** Whether a heading can be the name of a part, possibly in small letters. Headings that end like `Caching` or `Migration` say what is done. */
function isNameOfPart(label: string): boolean {
  if (label.split(' ').length > MAX_WORDS || /(?:ing|[ts]ion|updates?)$/i.test(label)) return false;
  return isTelling(label) && isNominal(label.charAt(0).toUpperCase() + label.slice(1));
}
