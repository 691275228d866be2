import { type Place, placeNamed } from './place.ts';

const URL = /\b[a-z][a-z0-9+.-]*:\/\/\S+/gi;
const LINES = String.raw`(?::\d+(?:[-\u2013]\d+)?|#L\d+(?:-L?\d+)?)`;
const NAME = String.raw`[\p{L}\p{N}_.@%~+-]`;
/** A document by its name, any file with a line, or a place of the tree outside of the docs. */
const PLACE = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_./-])\/?(?:${NAME}+\/)*${NAME}+\.(?:md|mdx|markdown|txt|rst|adoc)\b${LINES}?`,
    String.raw`(?<![\p{L}\p{N}_./-])\/?(?:${NAME}+\/)*${NAME}+\.[a-z]\w{0,9}${LINES}`,
    String.raw`(?<![\p{L}\p{N}_./-])\/?(?:context\/(?:memory|scratchpad)|graph)\/(?:${NAME}+\/)*${NAME}*[\p{L}\p{N}_]${LINES}?`,
  ].join('|'),
  'giu',
);
/** `[a name with blanks.md:3]`, also several separated by commas. */
const BRACKETED = /[[(【`]([^[\]()【】`\n]{1,400})[\])】`]/g;
const WITH_BLANKS = new RegExp(String.raw`^\S.*\s.*\.\w{1,10}${LINES}?$`, 'u');

/** The places that an answer cites, in order. Web addresses do not count. */
export function citedPlaces(answer: string): Place[] {
  const text = answer.replace(URL, ' ');
  const spaced = Array.from(text.matchAll(BRACKETED), ([, inside = '']) => inside.split(/[,;]/))
    .flat()
    .map((part) => part.trim())
    .filter((part) => WITH_BLANKS.test(part) && !containsPlaceBehindWords(part));
  const rest = spaced.reduce((left, part) => left.replaceAll(part, ' '), text);
  return [...spaced, ...Array.from(rest.matchAll(PLACE), ([found]) => found)]
    .map((found) => ({ found, at: text.indexOf(found) }))
    .sort((a, b) => a.at - b.at)
    .map(({ found }) => placeNamed(found));
}

/** `see charges/create.md:3` contains a space, but not as a part of the name. */
function containsPlaceBehindWords(part: string): boolean {
  return /^(?:see|source|sources|from|in|cf\.?|also|and|according to)[:\s]/i.test(part);
}
