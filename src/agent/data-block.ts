import { hash } from 'node:crypto';

/**
 * What a tool found, as data and nothing else: it may hold text of documents that speaks to whoever reads it. The mark at both ends follows from
 * the content, so that no content can hold its own.
 */
export function dataBlock(source: string, content: unknown): string {
  const text = JSON.stringify(content);
  const mark = hash('sha256', text).slice(0, 12);
  return `<data ${mark} from="${source}">\n${text}\n</data ${mark}>`;
}
