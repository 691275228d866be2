/** Numbers by which people call a document that does not say its own: `decisions/0007-split-state.md` is ADR 7. */

import { basename, dirname } from 'node:path/posix';
import { identifierOf } from '../../words/identifiers.ts';
import { wordsOf } from '../../words/tokens.ts';

/** A date or a month begins in the same way, and is no number of a document. */
const NUMBERED =
  /^(?!\d{4}[-_.]?\d\d[-_.]?\d\d|(?:19|20)\d\d[-_.](?:0[1-9]|1[0-2])(?:[-_.]|$))(?:([a-z]+)[-_ ]?)?(\d{1,5})(?=[-_. ]|$)/i;
/** Shorter numbers only sort files, unless the folder is one of records. */
const MIN_DIGITS = 3;
/** Folders of records that are called by their numbers, and of decisions, which are called ADR wherever they are kept. */
const OF_RECORDS = /^(?:adrs?|rfcs?|decisions?|records?|proposals?)$/;
const OF_DECISIONS = /^decisions?$/;
/** Shorter names of folders have no initials that anybody uses. */
const MIN_INITIALS = 3;

/** Identifiers made of the number that begins a file's name, and of the names that its kind has: by the file, by its folder, by the folder's initials. */
export function documentNumbersOf(path: string): string[] {
  const [, prefix, number] = NUMBERED.exec(basename(path)) ?? [];
  if (number === undefined) return [];
  const names =
    prefix === undefined ? namesOfFolder(basename(dirname(path)), number) : [prefix.toLowerCase()];
  return [...new Set(names)].map((name) => identifierOf([name, number]));
}

function namesOfFolder(folder: string, number: string): string[] {
  const words = wordsOf(folder).filter((word) => /^[a-z]+$/.test(word));
  const last = words.at(-1);
  if (last === undefined || (number.length < MIN_DIGITS && !words.some((word) => OF_RECORDS.test(word))))
    return [];
  const names = [last.replace(/ies$/, 'y').replace(/s$/, '')];
  if (words.some((word) => OF_DECISIONS.test(word))) names.push('adr', 'decision');
  if (words.length >= MIN_INITIALS) names.push(words.map((word) => word[0]).join(''));
  return names;
}
