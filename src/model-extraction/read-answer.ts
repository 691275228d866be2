import { jsonrepair } from 'jsonrepair';
import { ModelError } from '../core/model-error.ts';
import { type Answer, answerOf } from './answer.ts';
import { type MapTypes, NO_MAP_TYPES } from './map-types.ts';

export interface ReadAnswer {
  readonly answer: Answer;
  /** Whether it was almost JSON only. */
  readonly wasRepaired: boolean;
}

/** Many times what a document gives. */
const MAX_CHARACTERS = 1_000_000;
/** Prose may have braces of its own, but not that many. */
const MOST_OBJECTS = 20;
const ANSWER_BEGINS = /\{\s*["'\u201c]?(?:nodes|edges|entities|relationships)\b/;

/**
 * Takes the answer out of what a model wrote. It is mended once where it is almost JSON: in a fence, with prose around it, cut off, with single
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
  throw new ModelError('malformed', 'the answer is no JSON of nodes and edges, not even when it is mended');
}

function parsed(parse: () => unknown, types: MapTypes): Answer | undefined {
  try {
    return answerOf(parse(), types);
  } catch {
    // What is thrown says only that this is no JSON.
    return undefined;
  }
}

/** The first object in a text that is an answer as it stands, with facts if there is one: what needs no mending is not mended. */
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
    // Within what is no JSON there may be some.
    start = text.indexOf('{', answer === undefined ? start + 1 : end);
  }
  return empty;
}

/** The commonest slip is mended without a look at what strings hold: jsonrepair takes some code in them for the end of a string. */
function withoutSpareCommas(text: string): string {
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|,(?=\s*[\]}])/gs, (part) => (part === ',' ? '' : part));
}

/** Behind the brace that closes the one at `start`; braces in strings do not count. */
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

/**
 * From the brace on that begins an answer, else from the first; to the end of its fence, or to the last brace where something follows that.
 */
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
