import { createHash } from 'node:crypto';
import { entryText } from '../memory-graph/entry-text.ts';

const HASH_DIGITS = 8;
const MAX_WORDS = 8;
const MAX_CHARACTERS = 48;
/** How much of a line is used for words. */
const MAX_LINE_LENGTH = 1000;

/**
 * The key of an entry that has none: words of its first line, and a hash of everything that distinguishes it from others. The same content, time and
 * session always give the same key, so something that is read twice is stored once.
 */
export function derivedKey(
  content: Uint8Array,
  createdMs: number | undefined,
  session: string | undefined,
): string {
  const hash = createHash('sha256').update(content);
  hash.update(`\0${createdMs ?? ''}\0${session ?? ''}`);
  const slug = slugOf(entryText(content).text);
  return `${slug === '' ? 'entry' : slug}-${hash.digest('hex').slice(0, HASH_DIGITS)}`;
}

/** Up to eight words of the first line that has any, in lower case and joined by hyphens. */
function slugOf(text: string): string {
  const line = /^.*[\p{L}\p{N}].*$/mu.exec(text)?.[0] ?? '';
  const plain = line.slice(0, MAX_LINE_LENGTH).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  const slug = [...words.slice(0, MAX_WORDS).join('-')].slice(0, MAX_CHARACTERS).join('');
  return slug.replace(/-+$/, '').normalize('NFC');
}
