/**
 * Requests whose path does not begin with a slash, as consoles accept them and some authors write them: `PUT _cluster/settings`,
 * `GET movies/_search`. They are only read if code consists of one, since prose is full of words around slashes.
 */
import { type Mark, type RichText, textOf } from '../markdown/rich-text.ts';
import { type Endpoint, isPath, pairEndpoints } from './endpoint-text.ts';

const REQUEST =
  /^\s*(?:(?:\/\/|#|>)\s*)?(GET|POST|PUT|PATCH|DELETE)\s+((?:[A-Za-z_][\w.*-]{0,80}\/[^\s"'`\\|;]{0,400}|_[a-z]\w{1,60})(?:\?\S{0,400})?)(?:\s+HTTP\/[\d.]+)?\s*$/;
const MEDIA_TYPE = /^(?:application|audio|font|image|message|model|multipart|text|video)\/[\w.+-]+$/;
const HOST = /^(?:localhost|(?:[\w-]+\.)+[a-z]{2,})\//i;

/** The request that a line of code consists of, even if it is commented out. */
export function bareRequestIn(line: string): Endpoint | undefined {
  const [, method = '', path = ''] = REQUEST.exec(line) ?? [];
  if (path === '' || MEDIA_TYPE.test(path)) return undefined;
  return pairEndpoints(method, `/${path.replace(HOST, '')}`)[0];
}

/** The code spans of a text that consist of such a request. */
export function bareRequestsOf(text: RichText): { mark: Mark; endpoint: Endpoint }[] {
  return text.marks.flatMap((mark) => {
    if (mark.kind !== 'code') return [];
    const shown = textOf(text, mark);
    const endpoint = bareRequestIn(shown) ?? slashedIn(shown) ?? pathBehindVerb(text, mark, shown);
    return endpoint === undefined ? [] : [{ mark, endpoint }];
  });
}

/** Reads `/GET /v2/orders`: some authors put a slash in front of a request. */
function slashedIn(shown: string): Endpoint | undefined {
  const [, method = '', path = ''] =
    /^\s*\/(GET|POST|PUT|PATCH|DELETE)\s+(\/\S{1,400})\s*$/.exec(shown) ?? [];
  return pairEndpoints(method, path)[0];
}

/** What instructions tell the reader to delete, patch or get on a disk: `delete \`/var/cache/kilns\``, `patch \`/kiln/fire.conf\``. */
const ON_DISK =
  /^\/(?:etc|tmp|var|usr|opt|proc|mnt|node_modules)(?:\/|$)|\.(?:conf|cfg|ini|toml|lock|log|env|sh)$/i;

/**
 * Reads `- get \`/lamps/<id>\`: one lamp`. A lower-case verb is a method if a text consists of it and a path, or goes on to say what the two do. In a
 * sentence it is a verb, and the path is that of a file.
 */
function pathBehindVerb({ text }: RichText, { start, end }: Mark, shown: string): Endpoint | undefined {
  // Both are looked for from the end: text before it may be long, and is asked about at each code.
  const [behind = '', verb = ''] =
    /(get|post|put|patch|delete)\s$/.exec(text.slice(Math.max(0, start - 'delete '.length), start)) ?? [];
  if (verb === '' || text.slice(0, start - behind.length).trimEnd() !== '') return undefined;
  if (!/^\s*(?:$|[:—–]|-\s)/.test(text.slice(end))) return undefined;
  return isPath(shown) && !ON_DISK.test(shown.trim())
    ? pairEndpoints(verb.toUpperCase(), shown)[0]
    : undefined;
}
