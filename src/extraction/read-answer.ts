import { jsonrepair } from 'jsonrepair';
import { ModelError } from '../core/model-error.ts';
import { type Answer, answerOf } from './answer.ts';

export interface ReadAnswer {
  readonly answer: Answer;
  /** Whether it was almost JSON only. */
  readonly wasRepaired: boolean;
}

/**
 * Takes the answer out of what a model wrote. It is mended once where it is almost JSON: in a fence, with prose around it, cut off, with single
 * quotes.
 * @throws ModelError `malformed`
 */
export function readAnswer(text: string): ReadAnswer {
  const asIs = parsed(() => JSON.parse(text));
  if (asIs !== undefined) return { answer: asIs, wasRepaired: false };
  const mended = parsed(() => JSON.parse(jsonrepair(jsonWithin(text))));
  if (mended !== undefined) return { answer: mended, wasRepaired: true };
  throw new ModelError('malformed', 'the answer is no JSON of nodes and edges, not even when it is mended');
}

function parsed(parse: () => unknown): Answer | undefined {
  try {
    return answerOf(parse());
  } catch {
    // What is thrown says only that this is no JSON.
    return undefined;
  }
}

/** From the first brace on; to the end of its fence, or to the last brace where something follows that. */
function jsonWithin(text: string): string {
  const start = text.indexOf('{');
  if (start === -1) return text;
  const body = text.slice(start);
  const fence = body.indexOf('\n```');
  if (fence !== -1) return body.slice(0, fence);
  const rest = body.slice(body.lastIndexOf('}') + 1);
  return /^[\s\]}]*[A-Za-z]/.test(rest) && !/["[{:,]/.test(rest)
    ? body.slice(0, body.length - rest.length)
    : body;
}
