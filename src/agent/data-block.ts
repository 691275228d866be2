import { hash } from 'node:crypto';

const MARK_DIGITS = 12;

/**
 * Marks something that was found as data and nothing else: it may contain text of documents that gives orders to its reader. The mark at both ends is
 * derived from the content, and does not occur in it.
 * @param source where the content comes from: without quotes and line feeds
 */
export function dataBlock(source: string, content: unknown): string {
  return textBlock(source, JSON.stringify(content));
}

/** As {@link dataBlock}, for a text that is not encoded as JSON. */
export function textBlock(source: string, text: string): string {
  let mark = markOf(text);
  while (text.includes(mark)) mark = markOf(mark);
  return `<data ${mark} from="${source}">\n${text}\n</data ${mark}>`;
}

function markOf(text: string): string {
  return hash('sha256', text).slice(0, MARK_DIGITS);
}
