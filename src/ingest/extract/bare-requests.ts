/**
 * Requests whose path has no slash in front, as consoles take them and some writers put them: `PUT _cluster/settings`,
 * `GET movies/_search`. Only where code consists of one, since prose is full of words around slashes.
 */
import { type Mark, type RichText, textOf } from '../markdown/rich-text.ts';
import { type Endpoint, pairEndpoints } from './endpoint-text.ts';

const REQUEST =
  /^\s*(?:(?:\/\/|#|>)\s*)?(GET|POST|PUT|PATCH|DELETE)\s+((?:[A-Za-z_][\w.*-]{0,80}\/[^\s"'`\\|;]{0,400}|_[a-z]\w{1,60})(?:\?\S{0,400})?)(?:\s+HTTP\/[\d.]+)?\s*$/;
const MEDIA_TYPE = /^(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]+$/;
const HOST = /^(?:localhost|(?:[\w-]+\.)+[a-z]{2,})\//i;

/** The request that a line of code consists of, commented out or not. */
export function bareRequestIn(line: string): Endpoint | undefined {
  const [, method = '', path = ''] = REQUEST.exec(line) ?? [];
  if (path === '' || MEDIA_TYPE.test(path)) return undefined;
  return pairEndpoints(method, `/${path.replace(HOST, '')}`)[0];
}

/** The code spans of a text that are such requests. */
export function bareRequestsOf(text: RichText): { mark: Mark; endpoint: Endpoint }[] {
  return text.marks.flatMap((mark) => {
    const endpoint = mark.kind === 'code' ? bareRequestIn(textOf(text, mark)) : undefined;
    return endpoint === undefined ? [] : [{ mark, endpoint }];
  });
}
