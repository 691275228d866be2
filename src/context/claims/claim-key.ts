import { createHash } from 'node:crypto';
import { canonicalText } from './answer-claims.ts';

/** The folder of memory in which claims of answers are stored. */
export const CLAIM_FOLDER = 'answers';

const HASH_DIGITS = 8;
const MAX_WORDS = 8;
const MAX_CHARACTERS = 60;

/** The key of a claim's entry: some of its words, and a hash of its text that ignores case, white space and punctuation at its ends. */
export function claimKey(text: string): string {
  const canonical = canonicalText(text);
  const hash = createHash('sha256').update(canonical).digest('hex').slice(0, HASH_DIGITS);
  const words =
    canonical
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const slug = words.slice(0, MAX_WORDS).join('-').slice(0, MAX_CHARACTERS).replace(/-+$/, '');
  return `${CLAIM_FOLDER}/${[slug.toWellFormed().replaceAll('\uFFFD', ''), hash].filter((part) => part !== '').join('-')}`;
}
