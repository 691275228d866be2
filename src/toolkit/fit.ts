import { cutText } from '../text/cut-text.ts';
import type { ToolCall, ToolReply } from './call.ts';
import type { Found, FoundList } from './tool.ts';

type Head = Pick<ToolReply, 'call' | 'duration_ms' | 'revision'>;

const LONGEST_TEXT = 16 * 1024;
const SHORTEST_TEXT = 32;
/** The number of characters that an item of a list counts as. Lists are cut like texts. */
const CHARACTERS_OF_ITEM = 50;
/** How much of an argument is repeated in the answer. */
const LONGEST_ARGUMENT = 300;
const CUT_MARK = '… (cut)';
const TOO_LONG = 'this does not fit under the ceiling of tokens, not even cut: ask for less, or of a part';

/**
 * As much of an answer as fits into this many tokens, with how to get the rest. If not even the head fits, which says what was asked and how to go
 * on, the answer consists of that alone.
 */
export function fitted(
  given: Head,
  found: Found,
  ceilingTokens: number,
  countTokens: (text: string) => number,
): ToolReply {
  const tokensOf = (reply: ToolReply) => countTokens(JSON.stringify(reply));
  const head = { ...given, call: echoed(given.call) };
  const { list } = found;
  const whole = { ...head, ...found.fields };
  if (list === undefined) return cutTexts(head, whole, ceilingTokens, tokensOf);
  const shown = (count: number): ToolReply => ({ ...whole, ...listed(list, count, given.call) });
  const all = shown(list.items.length);
  if (tokensOf(all) <= ceilingTokens) return all;
  let [fits, tooMany] = [0, list.items.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (tokensOf(shown(middle)) <= ceilingTokens) fits = middle;
    else tooMany = middle;
  }
  // A single item that is too long is shown cut, so that the caller can go on.
  return fits > 0 ? shown(fits) : cutTexts(head, shown(1), ceilingTokens, tokensOf);
}

function listed(list: FoundList, count: number, call: ToolCall): Readonly<Record<string, unknown>> {
  const { name, items, offset, isText = false, beyond = 0 } = list;
  const shown = items.slice(0, count);
  const left = items.length - shown.length + beyond;
  const next = offset + shown.length;
  const args = {
    ...(typeof call.args === 'object' ? call.args : {}),
    ...(list.argumentsFrom?.(next) ?? { offset: next }),
  };
  return {
    [name]: isText ? shown.join('\n') : shown,
    ...(items.length === 0 && offset > 0 && !isText ? { note: `there is nothing from ${offset} on` } : {}),
    ...(left > 0 ? { more: { left, call: { tool: call.tool, args } } } : {}),
  };
}

/** A written content, which may be a megabyte, is not repeated. */
function echoed({ tool, args }: ToolCall): ToolCall {
  return { tool, args: shortened(args, LONGEST_ARGUMENT) };
}

/** Cuts the longest texts and lists of an answer until it fits. */
function cutTexts(
  head: Head,
  reply: ToolReply,
  ceilingTokens: number,
  tokensOf: (reply: ToolReply) => number,
): ToolReply {
  if (tokensOf(reply) <= ceilingTokens) return reply;
  const { call: _call, duration_ms: _duration, revision: _revision, more, ...rest } = reply;
  const further = more === undefined ? {} : { more };
  for (let length = LONGEST_TEXT; length >= SHORTEST_TEXT; length /= 2) {
    const fields = Object.entries(rest).map(([name, value]) => [name, shortened(value, length)] as const);
    const shorter = { ...head, ...Object.fromEntries(fields), ...further };
    if (tokensOf(shorter) <= ceilingTokens) return shorter;
  }
  const { error } = rest;
  // The reason why there is no answer is given whatever the ceiling is: without it this would look like an answer.
  if (error !== undefined)
    return { ...head, error: { ...error, message: cutText(error.message, LONGEST_ARGUMENT, CUT_MARK) } };
  return { ...head, note: TOO_LONG, ...further };
}

function shortened(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') return cutText(value, maxLength, CUT_MARK);
  if (Array.isArray(value)) {
    const most = Math.max(1, Math.floor(maxLength / CHARACTERS_OF_ITEM));
    const items = value.slice(0, most).map((item) => shortened(item, maxLength));
    return value.length > most ? [...items, `… ${value.length - most} more`] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, shortened(field, maxLength)]),
  );
}
