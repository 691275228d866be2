import { jsonrepair } from 'jsonrepair';
import { ModelError } from '../core/model-error.ts';
import { type Answer, answerOf } from './answer.ts';
import { type MapTypes, NO_MAP_TYPES } from './map-types.ts';

export interface ReadAnswer {
  readonly answer: Answer;
  /** Whether it was only almost JSON. */
  readonly wasRepaired: boolean;
}

/** Many times as much as a document gives. */
const MAX_CHARACTERS = 1_000_000;
/** Prose may contain braces, but not this many. */
const MOST_OBJECTS = 20;
const ANSWER_BEGINS = /\{\s*["'\u201c]?(?:nodes|edges|entities|relationships)\b/;

/**
 * Extracts the answer from what a model has written. It is mended once if it is almost JSON: in a fence, surrounded by prose, cut off, or with single
 * quotes.
 * @throws ModelError `malformed`
 */
export function readAnswer(text: string, types: MapTypes = NO_MAP_TYPES): ReadAnswer {
  if (text.length > MAX_CHARACTERS)
    throw new ModelError('malformed', `the answer has ${text.length} characters: too long`);
  const asIs = parsed(() => JSON.parse(text), types);
  if (asIs !== undefined) return { answer: asIs, wasRepaired: false };
  const mended = answerWithin(text, types) ?? parsed(() => JSON.parse(jsonrepair(jsonWithin(text))), types);
  if (mended !== undefined) return { answer: mended, wasRepaired: true };
  throw new ModelError('malformed', 'the answer is not JSON of nodes and edges, and cannot be repaired');
}

function parsed(parse: () => unknown, types: MapTypes): Answer | undefined {
  try {
    return answerOf(parse(), types);
  } catch {
    // The error only says that this is not JSON.
    return undefined;
  }
}

/** The first object in a text that is an answer without being mended, preferably one with facts. */
function answerWithin(text: string, types: MapTypes): Answer | undefined {
  let empty: Answer | undefined;
  let start = text.indexOf('{');
  for (let tries = 0; start !== -1 && tries < MOST_OBJECTS; tries += 1) {
    const end = endOfObject(text, start);
    const answer =
      end === undefined
        ? undefined
        : parsed(() => JSON.parse(withoutSpareCommas(text.slice(start, end))), types);
    if (answer !== undefined && answer.nodes.length + answer.edges.length > 0) return answer;
    empty ??= answer;
    // There may be some within text that is not JSON.
    start = text.indexOf('{', answer === undefined ? start + 1 : end);
  }
  return empty;
}

/** The most common mistake is mended without looking into strings: jsonrepair takes some code in them for the end of a string. */
function withoutSpareCommas(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|,(?=\s*[\]}])/gs, (part) => (part === ',' ? '' : part));
}

/** The position after the brace that closes the one at `start`. Braces in strings do not count. */
function endOfObject(text: string, start: number): number | undefined {
  const marks = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/gs;
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '{') depth += 1;
    if (mark[0] === '}') depth -= 1;
    if (depth === 0) return marks.lastIndex;
  }
  return undefined;
}

/** From the brace that begins an answer, else from the first one; to the end of its fence, or to the last brace if something follows that. */
function jsonWithin(text: string): string {
  const begin = text.search(ANSWER_BEGINS);
  const start = begin === -1 ? text.indexOf('{') : begin;
  if (start === -1) return text;
  const body = text.slice(start);
  const fence = body.indexOf('\n```');
  if (fence !== -1) return body.slice(0, fence);
  const rest = body.slice(body.lastIndexOf('}') + 1);
  return /^[\s\]}]*[A-Za-z]/.test(rest) && !/["[{:,]/.test(rest)
    ? body.slice(0, body.length - rest.length)
    : body;
}
