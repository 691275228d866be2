import type { ToolReply } from './call.ts';
import type { Found, FoundList } from './tool.ts';

type Head = Pick<ToolReply, 'call' | 'duration_ms' | 'revision'>;

const SHORTEST_TEXT = 200;
const CUT_MARK = '… (cut)';

/** As much of an answer as fits into so many tokens, with how to get the rest. */
export function fitted(
  head: Head,
  found: Found,
  ceilingTokens: number,
  countTokens: (text: string) => number,
): ToolReply {
  const tokensOf = (reply: ToolReply) => countTokens(JSON.stringify(reply));
  const { list } = found;
  const whole = { ...head, ...found.fields };
  if (list === undefined) return cutTexts(whole, ceilingTokens, tokensOf);
  const shown = (count: number): ToolReply => ({ ...whole, ...listed(list, count, head) });
  const all = shown(list.items.length);
  if (tokensOf(all) <= ceilingTokens) return all;
  let [fits, tooMany] = [0, list.items.length];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (tokensOf(shown(middle)) <= ceilingTokens) fits = middle;
    else tooMany = middle;
  }
  // One item that is too long for itself is shown cut, so that whoever goes on gets further.
  return fits > 0 ? shown(fits) : cutTexts(shown(1), ceilingTokens, tokensOf);
}

function listed(list: FoundList, count: number, { call }: Head): Readonly<Record<string, unknown>> {
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
    ...(left > 0 ? { more: { left, call: { tool: call.tool, args } } } : {}),
  };
}

/** The longest texts of an answer are cut until it fits. */
function cutTexts(
  reply: ToolReply,
  ceilingTokens: number,
  tokensOf: (reply: ToolReply) => number,
): ToolReply {
  let cut = reply;
  for (let length = 16 * 1024; tokensOf(cut) > ceilingTokens && length >= SHORTEST_TEXT; length /= 2) {
    const { call, ...rest } = reply;
    cut = { ...reply, ...(shortened(rest, length) as object), call };
  }
  return cut;
}

function shortened(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') {
    return value.length > maxLength ? `${value.slice(0, maxLength).toWellFormed()}${CUT_MARK}` : value;
  }
  if (Array.isArray(value)) {
    const most = Math.max(1, Math.floor(maxLength / 50));
    const items = value.slice(0, most).map((item) => shortened(item, maxLength));
    return value.length > most ? [...items, `… ${value.length - most} more`] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, shortened(field, maxLength)]),
  );
}
