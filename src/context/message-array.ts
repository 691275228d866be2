/** Reads a JSON array of messages so that each one can be written back byte for byte. */

import { z } from 'zod';
import { EXIT, UserError } from '../core/errors.ts';
import { parsedJson } from '../core/json-file.ts';
import { placeInFile } from '../text/place-in-text.ts';
import { type ChatMessage, messageSchema } from './messages.ts';

/** A message, and the JSON from which it was read. */
export interface WrittenMessage {
  readonly message: ChatMessage;
  readonly json: string;
}

/**
 * @param name of the file, for errors
 * @throws UserError with file, line and column if it is not a JSON array of messages
 */
export function readMessages(text: string, name: string): WrittenMessage[] {
  const plain = text.replace(/^\uFEFF/, '');
  const parts = elementsOf(plain, parsed(plain, name), name);
  return parts.map(({ json, start }, index) => {
    const read = messageSchema.safeParse(JSON.parse(json));
    if (read.success) return { message: read.data, json };
    const problem = z.prettifyError(read.error).split('\n')[0]?.replace(/^✖ /, '');
    const { path = [] } = read.error.issues[0] ?? {};
    const where = [`message ${index + 1}`, ...path.map(String)].join(', ');
    throw new UserError(`${placeInFile(name, plain, start)}: ${where}: ${problem}`, EXIT.wrongUsage);
  });
}

/** Writes messages as an array, one per line. Those that were read stay exactly as they were. */
export function writeMessages(messages: readonly (WrittenMessage | ChatMessage)[]): string {
  const lines = messages.map((one) => (isWritten(one) ? one.json : JSON.stringify(one)));
  return lines.length === 0 ? '[]\n' : `[\n${lines.join(',\n')}\n]\n`;
}

function isWritten(one: WrittenMessage | ChatMessage): one is WrittenMessage {
  return 'json' in one && 'message' in one && !('role' in one);
}

function parsed(text: string, name: string): readonly unknown[] {
  const value = parsedJson(text, name, EXIT.wrongUsage);
  if (Array.isArray(value)) return value;
  throw new UserError(
    `${placeInFile(name, text, 0)}: a chat history is an array of messages: [{"role", "content"}, …]`,
    EXIT.wrongUsage,
  );
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s"{}[\],]+/gs;

/** The text of each element of a JSON array. */
function elementsOf(
  text: string,
  values: readonly unknown[],
  name: string,
): { json: string; start: number }[] {
  const elements: { json: string; start: number }[] = [];
  let depth = 0;
  let start: number | undefined;
  let end = 0;
  const close = () => {
    if (start !== undefined) elements.push({ json: text.slice(start, end), start });
    start = undefined;
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const isOpening = token === '{' || token === '[';
    if (token === '}' || token === ']') depth -= 1;
    if (depth === 0 && token === ']') close();
    else if (depth === 1 && token === ',') close();
    else if (depth >= 1) start ??= index;
    if (isOpening) depth += 1;
    end = index + token.length;
  }
  if (elements.length !== values.length)
    throw new Error(`${name}: ${values.length} messages, ${elements.length} found`);
  return elements;
}
