import { reasonOf } from './errors.ts';

/** Indented JSON that ends with a line feed. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The value of a JSON text; undefined if it is not JSON, for callers that need no reason. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // JSON.parse throws for nothing else than such text.
    return undefined;
  }
}

/**
 * What is wrong with a text, and at which character.
 * @param error the error of JSON.parse for this text
 */
export function jsonFault(text: string, error: unknown): { readonly at: number; readonly reason: string } {
  const reason = reasonOf(error);
  return {
    at: positionIn(reason) ?? firstFault(text),
    // V8 quotes a part of the text here, which may be several lines.
    reason: reason.replace(/,\s*(?:\.\.\.)?"[\s\S]*$/, ''),
  };
}

function positionIn(reason: string): number | undefined {
  const position = /position (\d+)/.exec(reason)?.[1];
  return position === undefined ? undefined : Number(position);
}

/** Where a text stops being JSON, if V8 does not say so: the end of the longest beginning that could still be completed. */
function firstFault(text: string): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (mayGoOn(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether JSON.parse would accept this beginning of a text, or only misses the rest of it. */
function mayGoOn(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const reason = reasonOf(error);
    const wantsMore = /end of JSON|Unterminated|Expected .* at position|double-quoted/.test(reason);
    return wantsMore && (positionIn(reason) ?? text.length) >= text.length;
  }
}
