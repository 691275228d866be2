/** The parts of a system, in the form in which the reader of a document needs them. */
import type { NodeKey } from '../../core/graph-model.ts';
import type { MarkdownDocument, Section } from '../markdown/document.ts';
import type { Abbreviation } from './abbreviations.ts';
import type { Definition } from './definitions.ts';
import { isGlossaryTitle } from './glossary.ts';
import { findHeadedNames } from './headed-names.ts';
import { conceptKeyOf } from './names.ts';
import { NO_NAMES, type PartNames, partNamesOf } from './part-names.ts';
import { type FoundParts, findParts, type Part } from './parts.ts';
import { nameOfHeading } from './title.ts';

export interface DocumentParts {
  /** Parts that the document describes, and so makes exist. */
  readonly defined: readonly Part[];
  /** Names of headings, and of systems that the document often mentions. They are things if some sentence says that something works with them. */
  readonly headed: readonly Definition[];
  readonly names: PartNames;
  /** The part that is named by the heading of a section, or of one around it. */
  around(section: Section): NodeKey | undefined;
}

/** The parts of a document that does not describe a system in prose: none. */
export const NO_PARTS: DocumentParts = { defined: [], headed: [], names: NO_NAMES, around: () => undefined };

/** @param abbreviations those that the document introduces */
export function partsOf(
  document: MarkdownDocument,
  title: string,
  titleLine: number,
  abbreviations: readonly Abbreviation[],
): DocumentParts {
  const found = withoutGlossary(findParts(document, title, titleLine), title);
  const defined = found.parts.filter(({ standing }) => standing === 'defined');
  const headings = findHeadedNames(document, title, titleLine);
  const headed = [...headings, ...found.often.filter(({ key }) => !headings.some((one) => one.key === key))];
  const keys = new Set(defined.map(({ key }) => key));
  return {
    defined,
    headed,
    names: partNamesOf({
      ...found,
      parts: [...found.parts, ...shortForms(abbreviations, found.parts, headed)],
    }),
    around: (section) => {
      for (let at: Section | undefined = section; at !== undefined; at = at.parent) {
        const key = conceptKeyOf(nameOfHeading(at.title));
        if (keys.has(key)) return key;
      }
      return undefined;
    },
  };
}

/** A glossary is no part of the system whose terms it has. */
function withoutGlossary(found: FoundParts, title: string): FoundParts {
  const key = conceptKeyOf(nameOfHeading(title));
  return isGlossaryTitle(title) ? { ...found, parts: found.parts.filter((part) => part.key !== key) } : found;
}

/** The parts under the short forms that the document introduces for them. */
function shortForms(
  abbreviations: readonly Abbreviation[],
  parts: readonly Part[],
  headed: readonly Definition[],
): readonly Part[] {
  return abbreviations.flatMap(({ short, key }) => {
    const part = parts.find((one) => one.key === key);
    if (part !== undefined) return { ...part, short };
    const name = headed.find((one) => one.key === key);
    return name === undefined ? [] : { ...name, standing: 'spoken' as const, short };
  });
}
