import { hash } from 'node:crypto';

const MARK_DIGITS = 12;

/**
 * What was found, as data and nothing else: it may hold text of documents that speaks to whoever reads it. The mark at both ends follows from
 * the content, and is nowhere in it.
 * @param source where it is from: no quotes, no line feeds
 */
export function dataBlock(source: string, content: unknown): string {
  return textBlock(source, JSON.stringify(content));
}

/** As {@link dataBlock}, of a text as it is. */
export function textBlock(source: string, text: string): string {
  let mark = markOf(text);
  while (text.includes(mark)) mark = markOf(mark);
  return `<data ${mark} from="${source}">\n${text}\n</data ${mark}>`;
}

function markOf(text: string): string {
  return hash('sha256', text).slice(0, MARK_DIGITS);
}
