import { BETWEEN_HEADINGS } from '../core/headings.ts';
import { indexedTermsOf } from '../words/tokens.ts';
import { beginsItem, readLines } from './plain-text.ts';
import { inWholeSentences, type ReadLine, sentenceBefore, sentenceBehind } from './whole-sentences.ts';

const MAX_LENGTH = 300;
const MAX_HEADINGS_LENGTH = 100;
/** Only this much of a longer line is looked at. */
const MAX_LINE_LENGTH = 5_000;
const BEGINNING_WEIGHT = 0.1;
/** How much a snippet of sentences may exceed its room in order to begin and end with whole sentences. */
const MAX_REST_LENGTH = 200;
const BETWEEN_ITEMS = ' · ';

export interface Snippet {
  readonly text: string;
  /** The index of the first line of the passage that is shown; 0 if only headings are. */
  readonly line: number;
}

/** How to make a snippet. */
export interface SnippetOptions {
  /** How much the occurrence of a term says. */
  readonly weights: ReadonlyMap<string, number>;
  /** Whether whole sentences are shown, and headings in addition to the room: for readers who see nothing else. Default false. */
  readonly isOfSentences?: boolean;
}

/** A line of a passage as a reader sees it. */
interface ShownLine extends ReadLine {
  /** The index in the passage. */
  readonly index: number;
  /** The separator from the line before: items of lists and rows of tables are not one sentence. */
  readonly separator: string;
}

/**
 * The lines of a passage that say most about what is asked, as one line of text after the headings: consecutive ones, as many as fit, with a dot
 * before each item and row.
 */
export function snippetOf(
  text: string,
  headings: readonly string[],
  { weights, isOfSentences = false }: SnippetOptions,
): Snippet {
  const lines = shownLines(text);
  const path = headingsText(headings);
  const last = headings.at(-1);
  const body = lines.filter(({ text }, index) => index > 0 || text !== last);
  const room = MAX_LENGTH - (path === '' || isOfSentences ? 0 : path.length + 2);
  const { text: said, line } = bestStretch(body, weights, room, isOfSentences ? MAX_REST_LENGTH : 0);
  // The text often names its speaker already.
  if (path === '' || said.startsWith(path)) return { text: said, line };
  return { text: said === '' ? path : `${path}: ${said}`, line };
}

function shownLines(text: string): ShownLine[] {
  const written = text.split('\n');
  let isList = false;
  let goesOnAt = -1;
  return readLines(text).flatMap(({ text, isCode }, index) => {
    if (text === '') return [];
    const isItem = !isCode && beginsItem(written[index] ?? '');
    // A line at the margin after an empty line does not belong to the last item.
    const endsList =
      isList && !isItem && written[index - 1]?.trim() === '' && /^\S/.test(written[index] ?? '');
    isList = isItem || (isList && !endsList);
    const goesOn = index === goesOnAt && !isItem && !isCode;
    const isHeading = /^\s{0,3}#{1,6}\s/.test(written[index] ?? '');
    if (!isCode && !isHeading) goesOnAt = index + 1;
    return [{ text, index, goesOn, separator: isItem || endsList ? BETWEEN_ITEMS : ' ' }];
  });
}

function headingsText(headings: readonly string[]): string {
  const path = headings.join(BETWEEN_HEADINGS);
  return path.length <= MAX_HEADINGS_LENGTH ? path : cutAt(headings.at(-1) ?? '', MAX_HEADINGS_LENGTH);
}

/** The lines from which on most is said, until the room is full. */
function bestStretch(
  shown: readonly ShownLine[],
  weights: ReadonlyMap<string, number>,
  room: number,
  restRoom: number,
): Snippet {
  const saidByLine = shown.map(({ text }) => saidIn(text, weights));
  let best = { value: -1, start: 0, end: 0 };
  for (let start = 0; start < shown.length; start += 1) {
    const said = new Map<string, number>();
    let length = 0;
    let end = start;
    for (; end < shown.length; end += 1) {
      const added = lengthOf(shown[end], end > start);
      if (end > start && length + added >= room) break;
      length += added;
      for (const [term, weight] of saidByLine[end] ?? []) said.set(term, weight);
    }
    // The words that are asked for should come early, not somewhere at the end.
    const value = sumOf(said) + BEGINNING_WEIGHT * sumOf(saidByLine[start] ?? new Map());
    if (value > best.value) best = { value, start, end };
  }
  const first = shown[best.start]?.text ?? '';
  if (first.length > room) {
    return { text: around(first, weights, room, restRoom), line: shown[best.start]?.index ?? 0 };
  }
  const rest = shown.slice(best.start + 1, best.end).map(({ separator, text }) => `${separator}${text}`);
  const before = sentenceBefore(shown, best.start, restRoom);
  const behind = sentenceBehind(shown, best.end - 1, restRoom);
  const text = [before.text, first, ...rest, behind].join('');
  return { text, line: shown[best.start - before.lines]?.index ?? 0 };
}

function lengthOf(line: ShownLine | undefined, isBehindOther: boolean): number {
  return line === undefined ? 0 : line.text.length + (isBehindOther ? line.separator.length : 0);
}

function saidIn(line: string, weights: ReadonlyMap<string, number>): Map<string, number> {
  const said = new Map<string, number>();
  for (const term of indexedTermsOf(line)) {
    const weight = weights.get(term);
    if (weight !== undefined) said.set(term, weight);
  }
  return said;
}

function sumOf(weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const weight of weights.values()) sum += weight;
  return sum;
}

/** As much of a long line as there is room for: the run of words that says most. */
function around(whole: string, weights: ReadonlyMap<string, number>, room: number, restRoom: number): string {
  const line = whole.slice(0, MAX_LINE_LENGTH);
  const words = line.split(' ');
  const values = words.map((word) => sumOf(saidIn(word, weights)));
  let best = { start: 0, last: 0, value: -1 };
  let length = 0;
  let value = 0;
  let end = 0;
  for (let start = 0; start < words.length; start += 1) {
    for (; end < words.length && length + (words[end] ?? '').length + 1 <= room - 2; end += 1) {
      length += (words[end] ?? '').length + 1;
      value += values[end] ?? 0;
    }
    if (value > best.value) best = { start, last: start, value };
    else if (value === best.value && best.last === start - 1) best.last = start;
    if (end <= start) break;
    length -= (words[start] ?? '').length + 1;
    value -= values[start] ?? 0;
  }
  // The middle, so that there is something before it and after it.
  const start = Math.floor((best.start + best.last) / 2);
  if (restRoom > 0) {
    const from = words.slice(0, start).join(' ').length + Math.min(start, 1);
    return inWholeSentences(line, from, endOfWords(line, from, room), restRoom);
  }
  const begin = start === 0 ? '' : '…';
  return cutAt(`${begin}${words.slice(start).join(' ')}`, room);
}

/** The end of the last word for which there is room. */
function endOfWords(line: string, from: number, room: number): number {
  if (line.length - from <= room) return line.length;
  const space = line.lastIndexOf(' ', from + room);
  return space > from ? space : from + room;
}

function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`.toWellFormed();
}
