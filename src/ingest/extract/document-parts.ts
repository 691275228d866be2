/** The parts of a system as the reader of a document asks for them. */
import type { NodeKey } from '../../core/graph-model.ts';
import type { MarkdownDocument, Section } from '../markdown/document.ts';
import { conceptKeyOf } from './names.ts';
import { NO_NAMES, type PartNames, partNamesOf } from './part-names.ts';
import { findParts, type Part } from './parts.ts';

export interface DocumentParts {
  /** Those that the document says something of, by which they exist. */
  readonly defined: readonly Part[];
  readonly names: PartNames;
  /** The part that a section, or one around it, is headed by. */
  around(section: Section): NodeKey | undefined;
}

/** Those of a document that describes no system in prose. */
export const NO_PARTS: DocumentParts = { defined: [], names: NO_NAMES, around: () => undefined };

export function partsOf(document: MarkdownDocument, title: string, titleLine: number): DocumentParts {
  const found = findParts(document, title, titleLine);
  const defined = found.parts.filter(({ standing }) => standing === 'defined');
  const keys = new Set(defined.map(({ key }) => key));
  return {
    defined,
    names: partNamesOf(found),
    around: (section) => {
      for (let at: Section | undefined = section; at !== undefined; at = at.parent) {
        const key = conceptKeyOf(at.title);
        if (keys.has(key)) return key;
      }
      return undefined;
    },
  };
}
