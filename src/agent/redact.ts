import { cutText } from '../text/cut-text.ts';

const MAX_MESSAGE_LENGTH = 300;
/** Keys as OpenAI, OpenRouter and others make them. Some echo them partly as asterisks. */
const KEY_SHAPE = /\b(?:sk|pk|rk)-[\w*.-]{6,}|\bBearer\s+\S+/g;
const HIDDEN = '[key]';

/** The words of an API or a library in one line, without the key and without anything that looks like one. */
export function redacted(text: string, key: string | undefined): string {
  const without = key === undefined || key === '' ? text : text.replaceAll(key, HIDDEN);
  const line = without.replace(KEY_SHAPE, HIDDEN).replace(/\s+/g, ' ').trim();
  return cutText(line, MAX_MESSAGE_LENGTH);
}
