import type { FoundPassage } from '../store/passages.ts';

/** The words in the body of a passage, each once. */
export function wordsIn({ bodyBag }: Pick<FoundPassage, 'bodyBag'>): ReadonlySet<string> {
  return new Set(bodyBag === '' ? [] : bodyBag.replace(/:\d+/g, '').split(' '));
}

/** Whether two texts share this portion of the words that either has. @param likeness from 0 to 1 */
export function isAlike(words: ReadonlySet<string>, others: ReadonlySet<string>, likeness: number): boolean {
  // With n shared words and m in either, n / m >= likeness. So this many may be missing from the others.
  const shared = (likeness * (words.size + others.size)) / (1 + likeness);
  let left = words.size - shared;
  if (left < 0 || others.size < shared) return false;
  for (const word of words) {
    if (others.has(word)) continue;
    left -= 1;
    if (left < 0) return false;
  }
  return true;
}
