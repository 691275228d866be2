import { contentKindOf } from '../../source/file-kind.ts';
import { titleOf } from '../extract/title.ts';
import { parseMarkdown } from '../markdown/parse.ts';
import { passagesOf, passagesOfText, type TextListener } from './passages.ts';

/**
 * The texts of the passages of a file, with title and headings, by their hashes.
 * @param path relative to the docs root that contains the file
 * @param keyOf makes a key of a hash
 */
export function passageTexts(
  path: string,
  text: string,
  keyOf: (textHash: Uint8Array) => string,
): Map<string, string> {
  const texts = new Map<string, string>();
  const tell: TextListener = (textHash, title, headings, said) => {
    // Most headings begin with the title.
    const name = headings.startsWith(title) ? '' : title;
    texts.set(keyOf(textHash), [name, headings, said].filter((part) => part !== '').join('\n'));
  };
  if (contentKindOf(path) === 'markdown') {
    const document = parseMarkdown(path, text);
    passagesOf(document, titleOf(document).title, tell);
  } else {
    passagesOfText(path, text, tell);
  }
  return texts;
}
