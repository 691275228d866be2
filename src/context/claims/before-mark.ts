import { withoutEnd } from '../../text/without-end.ts';

/**
 * The text before the first of these marks that no word follows; undefined if a word follows each of them. A pattern that ends in `\W*$` would look
 * at each run of marks within the text once from each of its places.
 */
export function beforeMark(text: string, mark: RegExp): string | undefined {
  const { length } = withoutEnd(text, /\W/);
  const at = text.slice(length).search(mark);
  return at === -1 ? undefined : text.slice(0, length + at);
}
