import { withoutEnd } from '../../text/without-end.ts';

/**
 * The text before the first of these marks that no word follows; undefined where a word follows each. A pattern that ends in `\W*$` would look at each
 * run of marks within the text from each place in it.
 */
export function beforeMark(text: string, mark: RegExp): string | undefined {
  const { length } = withoutEnd(text, /\W/);
  const at = text.slice(length).search(mark);
  return at === -1 ? undefined : text.slice(0, length + at);
}
