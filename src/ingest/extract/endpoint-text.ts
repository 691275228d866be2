/**
 * Reads `METHOD /path` in a text: prose, code spans, headings and lines of code alike. The path keeps the document's
 * notation; host, query, fragment, version suffix and closing punctuation are removed.
 */

import type { NodeKey } from '../../core/graph-model.ts';
import { endpointKey, HTTP_METHODS } from '../../core/identity.ts';

export interface Endpoint {
  readonly key: NodeKey;
  /** The name of the endpoint: `METHOD /path`. */
  readonly label: string;
}

/** An endpoint and the offsets at which a text names it. */
export interface EndpointPlace extends Endpoint {
  readonly start: number;
  readonly end: number;
}

const METHOD = `(?:${HTTP_METHODS.join('|')})`;

/** A text that is nothing but methods: `GET`, `GET / HEAD`, `POST or PUT`. */
const METHODS_ALONE = new RegExp(`^\\s*${METHOD}(?:\\s*(?:/|,|\\||or|and)\\s*${METHOD})*\\s*$`);

const PATH_PIECE =
  '(?:[^\\s"\'`<>{}\\[\\]()|\\\\,;“”‘’]|<(?!/)[^<>\\s]{1,80}>|<\\w{1,40} \\w{1,40}>|\\{\\{?[^{}\\s]{1,80}\\}?\\}|\\{\\{? [\\w.$-]{1,40}(?: [\\w.$-]{1,40}){0,2} ?\\}?\\}|\\{\\{?[\\w.$-]{1,40}(?: [\\w.$-]{1,40}){1,2}\\}?\\}|\\[[^\\[\\]\\s]{1,80}\\]|\\([^()\\s]{1,80}\\))';

/** A host, or a variable that stands for one, in front of the path. */
const HOST =
  '(?:https?://(?:[^\\s/"\'`<>]|<[\\w.-]{1,60}>|\\{\\{ [\\w.-]{1,60} \\}\\}){1,200}|\\{\\{?\\s?[\\w.-]{1,60}\\s?\\}?\\}|\\$\\{?\\w{1,60}\\}?|<[\\w.-]{1,60}>)';

const PATH = `(?:${HOST})?(/${PATH_PIECE}{0,400})`;

const ENDPOINT = new RegExp(
  `(?<![\\w./=-])(${METHOD}(?:\\s?(?:/|\\||,)\\s?${METHOD})*)(?:\\]?\\s{0,3}:?\\s{1,20}|\\s?(?:→|->)\\s?)${PATH}`,
  'g',
);

const REQUEST_PHRASE = new RegExp(
  `(?<![\\w/.-])(${METHOD})\\s(?:HTTP\\s)?(?:requests?|calls?)\\s[^.!?;\\n"/]{0,100}?(?<=\\s)(/${PATH_PIECE}{1,400})`,
  'g',
);

/** The method behind the path: `/path (GET)`. */
const PATH_FIRST = new RegExp(`(?<![^\\s"'\`(])${PATH}\\s\\((${METHOD})\\)`, 'g');

/** A line that is nothing but a request, even if it is commented out. */
const REQUEST_LINE = new RegExp(
  `^\\s*(?:(?://|#|>)\\s*)?(${METHOD}\\s+(?:https?://\\S+|/\\S*)(?:\\s+HTTP/[\\d.]+)?)\\s*$`,
);

const WHOLE_PATH = new RegExp(`^\\s*${PATH}`);

/** Every endpoint that `text` names, in order. */
export function findEndpoints(text: string): EndpointPlace[] {
  const places: EndpointPlace[] = [];
  if (!text.includes('/')) return places;
  const request = text.replace(/\s{1,20}HTTP\/[\d.]{1,3}\s*$/, '').trim();
  for (const match of text.matchAll(ENDPOINT)) {
    const [source, methods = '', path = ''] = match;
    for (const endpoint of makeEndpoints(methods, path, { alone: source.trim() === request })) {
      places.push({ ...endpoint, start: match.index, end: match.index + source.length });
    }
  }
  if (!/\([A-Z]+\)/.test(text)) return places;
  for (const match of text.matchAll(PATH_FIRST)) {
    const [source, path = '', method = ''] = match;
    for (const endpoint of makeEndpoints(method, path)) {
      places.push({ ...endpoint, start: match.index, end: match.index + source.length });
    }
  }
  return places.sort((a, b) => a.start - b.start);
}

/** The request that a line of code consists of, without the comment mark in front. */
export function requestLine(line: string): string | undefined {
  return REQUEST_LINE.exec(line)?.[1];
}

/** Endpoints whose method and path stand in one sentence with a request between them: `a POST request to /path`. */
export function findRequestPhrases(text: string): EndpointPlace[] {
  const places: EndpointPlace[] = [];
  if (!text.includes('/') || !/\b(?:request|call)/.test(text)) return places;
  for (const match of text.matchAll(REQUEST_PHRASE)) {
    const [source, method = '', path = ''] = match;
    const start = match.index + source.length - path.length;
    for (const endpoint of makeEndpoints(method, path)) {
      places.push({ ...endpoint, start, end: start + endpoint.label.length - method.length - 1 });
    }
  }
  return places;
}

/** The endpoints that a text of methods and a path make together, in two cells or two attributes of an element. */
export function pairEndpoints(methods: string, path: string): Endpoint[] {
  const found = WHOLE_PATH.exec(path.trim())?.[1];
  return found === undefined ? [] : makeEndpoints(methods.toUpperCase(), found, { alone: true });
}

/** Whether a text is one HTTP method, or a list of them. */
export function isMethods(text: string): boolean {
  return METHODS_ALONE.test(text);
}

/** Whether a text is a path, alone or with a host in front. */
export function isPath(text: string): boolean {
  const match = WHOLE_PATH.exec(text);
  return (
    match !== null && match[0].length === text.trimEnd().length && cleanPath(match[1] ?? '') !== undefined
  );
}

/** @param alone whether nothing else stands beside it, so that even `GET /` counts as an endpoint */
function makeEndpoints(methods: string, rawPath: string, { alone } = { alone: false }): Endpoint[] {
  const path = cleanPath(rawPath);
  if (path === undefined || (path === '/' && !alone)) return [];
  const names = methods.match(new RegExp(METHOD, 'g')) ?? [];
  return names.map((method) => ({ key: endpointKey(method, path), label: `${method} ${path}` }));
}

/** The end of a path that stands for all paths that begin so: `/carts/1/...`. */
const OPEN_END = /\/(?:\.{3}|…)$/;

/** @returns undefined if the text is no path of an API */
function cleanPath(raw: string): string | undefined {
  const named = raw
    .replace(/[\\\u200b-\u200d\u2060\ufeff]/g, '')
    // A query may be in brackets: `/users{?page}`, `/topics/<topic>[?<metadata>]`.
    .replace(/(?:[[({]?[?#]|\{&).*$/, '')
    // The line to the next endpoint, in a diagram drawn with characters.
    .replace(/(?:-{2,}|={2,})>?$/, '')
    .replace(/(\{\{?) ([\w.$-]+) (?=\})/g, '$1$2');
  if (OPEN_END.test(named)) return undefined;
  const path = named.replace(/[.,:;!…]+$/, '').replace(/(?<=[^/])\*{2,}$/, '');
  if (path === '/') return path;
  if (!/[\p{L}\p{N}*{<:[]/u.test(path) || path.startsWith('//')) return undefined;
  return path;
}
