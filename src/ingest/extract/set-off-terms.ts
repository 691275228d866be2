/** Terms that a sentence sets off where it says what they are: `A *Shelf* is a place for mugs.` */
import type { Paragraph } from '../markdown/document.ts';
import { lineAt, type RichText, textOf } from '../markdown/rich-text.ts';
import type { Definition } from './definitions.ts';
import { conceptKeyOf, foldName, isCapitalised, isName, isQualifier, isTelling, isVerb } from './names.ts';
import { isNominal } from './title.ts';

const ARTICLE_AT_START = /^(An?|The|Each|Every)\s$/;
const ARTICLE = /[.!]\s(An?|The|Each|Every)\s$/;

/** A description goes no further, even if its sentence does. */
const MAX_DESCRIPTION_LENGTH = 1000;

/** The terms that sentences of a paragraph set off and define: `A *Shelf* is a place for mugs.` */
export function defineSetOff({ text, place }: Paragraph): Definition[] {
  if (place !== undefined) return [];
  return text.marks.flatMap((mark) => {
    if (mark.kind !== 'emphasis' && mark.kind !== 'strong') return [];
    const before = text.text.slice(Math.max(0, mark.start - 12), mark.start);
    const article = (mark.start < 8 ? ARTICLE_AT_START : ARTICLE).exec(before)?.[1];
    if (article === undefined) return [];
    const label = textOf(text, mark).trim();
    const behind = text.text.slice(mark.end, mark.end + 30);
    if (!/^\s(?:is|represents)\s(?:an?|the|any|one|essentially)\s/.test(behind)) return [];
    const [first = ''] = label.split(' ');
    if (!isCapitalised(label) || !isDefinable(label) || isVerb(first) || isQualifier(first)) return [];
    // `The *Answer* is a no` tells of one, and only `A *Team* is a group` of what any is.
    if (!/^An?$/.test(article) && !isTelling(label)) return [];
    const told = text.text.slice(mark.start, mark.end + MAX_DESCRIPTION_LENGTH);
    const end = told.indexOf('. ', mark.end - mark.start);
    return [
      {
        key: conceptKeyOf(label),
        label,
        type: 'Concept' as const,
        line: lineAt(text, mark.start),
        confidence: 0.6,
        description: end === -1 ? told : told.slice(0, end + 1),
      },
    ];
  });
}

/** Whether a text tells of any one of them by a name that it sets off: `A *Shelf* typically holds mugs.` below "Shelf". */
export function setsOff(prose: RichText | undefined, name: string): boolean {
  return (
    prose?.marks.some(
      (mark) =>
        (mark.kind === 'emphasis' || mark.kind === 'strong') &&
        foldName(textOf(prose, mark)) === foldName(name) &&
        /(?:^|[.!]\s)(?:An?|The|Each|Every)\s$/.test(
          prose.text.slice(Math.max(0, mark.start - 8), mark.start),
        ),
    ) ?? false
  );
}

/** Whether a term can be defined: it is a noun phrase written as a name, not an instruction, a setting or a piece of code. */
export function isDefinable(label: string): boolean {
  return (
    isName(label) &&
    label.split(' ').length <= 4 &&
    isNominal(label[0] === undefined ? label : label[0].toUpperCase() + label.slice(1))
  );
}
