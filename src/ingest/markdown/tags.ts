/** HTML and JSX tags in text: where a tag ends, whether it is one, and what its attributes say. */

export interface ScannedTag {
  readonly name: string;
  readonly attributes: string;
  readonly closing: boolean;
  readonly selfClosing: boolean;
  /** The tag as it is written, from `<` to `>`. */
  readonly source: string;
}

/** Longer tags are text. */
const MAX_TAG = 4_000;
const NAME = /[A-Za-z][\w.:-]*/y;

/**
 * Reads the tag at `start`. Quoted values and JSX expressions may contain `>` and line breaks.
 * @returns undefined if no tag begins there
 */
export function scanTag(source: string, start: number, end: number): ScannedTag | undefined {
  const closing = source.charAt(start + 1) === '/';
  NAME.lastIndex = start + (closing ? 2 : 1);
  const name = NAME.exec(source)?.[0];
  if (name === undefined) return undefined;
  const from = start + (closing ? 2 : 1) + name.length;
  const close = findTagEnd(source, from, Math.min(end, start + MAX_TAG));
  if (close === -1) return undefined;
  const selfClosing = source.charAt(close - 1) === '/';
  return {
    name,
    attributes: source.slice(from, selfClosing ? close - 1 : close),
    closing,
    selfClosing,
    source: source.slice(start, close + 1),
  };
}

function findTagEnd(source: string, from: number, limit: number): number {
  if (!/[\s/>]/.test(source.charAt(from))) return -1;
  let depth = 0;
  let quote = '';
  for (let at = from; at < limit; at += 1) {
    const character = source.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'" || (character === '`' && depth > 0)) quote = character;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (depth <= 0 && character === '>') return at;
    else if (depth <= 0 && (character === '<' || character === '`')) return -1;
  }
  return -1;
}

const EMPTY_LINE = /\n[ \t]*\n/;

/**
 * Returns a function that says whether a tag which begins at `start` or later ends at an offset. It is to be asked for offsets in order: each place where a tag
 * may begin is looked at once.
 */
export function tagEndsFrom(source: string, start: number): (at: number) => boolean {
  let seen = start;
  let end = -1;
  return (at) => {
    const from = seen;
    for (const { index } of source.slice(from, at).matchAll(/<[A-Za-z]/g)) {
      if (from + index <= end) continue;
      const tag = scanTag(source, from + index, source.length)?.source ?? '';
      if (tag === '' || EMPTY_LINE.test(tag) || isOfType(source, from + index, tag)) continue;
      end = from + index + tag.length - 1;
    }
    seen = Math.max(at, end + 1);
    return end === at;
  };
}

/** Whether it only looks like a tag: a type behind the name of another one, and a quote below it: `Returns a List<String` above `> Or fails`. */
function isOfType(source: string, start: number, tag: string): boolean {
  return /\w/.test(source.charAt(start - 1)) && /^<[A-Z]\w*\s+>$/.test(tag);
}

const SLASH = 0x2f;
const EQUALS = 0x3d;

/**
 * Whether what looks like a tag is one. Docs write parameters in the same way (`/users/<id>`, `<application_id>`), and readers understand them as such. So an
 * unknown name in lower case, in capitals or inside a path is text.
 * @param before the code of the character before the tag, NaN at the start
 */
export function isTagName(tag: ScannedTag, before: number): boolean {
  if (before === SLASH || before === EQUALS) return false;
  const lower = tag.name.toLowerCase();
  if (HTML_NAMES.has(lower)) return true;
  if (/^[A-Z][A-Z0-9_]+$/.test(tag.name)) return false;
  if (/^[A-Z]/.test(tag.name) || tag.name.includes('-')) return true;
  return tag.closing || tag.selfClosing || tag.attributes.includes('=');
}

/** Values that are plain strings: `a="b"`, `a='b'`, `a={"b"}`, `a=b`. Not included are `:a="b"` and the like, which are expressions of Vue. */
export function parseAttributes(source: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const match of source.matchAll(ATTRIBUTE)) {
    const [, name, ...values] = match;
    const value = values.find((candidate) => candidate !== undefined);
    if (name !== undefined && value !== undefined) attributes.set(name, value);
  }
  return attributes;
}

const ATTRIBUTE =
  /(?<![\w:@#.-])([A-Za-z_][\w:.-]*)=(?:"([^"]*)"|'([^']*)'|\{\s*"([^"]*)"\s*\}|\{\s*'([^']*)'\s*\}|\{\s*`([^`]*)`\s*\}|([^\s"'`{}<>]+))/g;

/** Tags that stand within a line of text. Every other tag ends the sentence before it. */
export const INLINE_NAMES: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

const HTML_NAMES: ReadonlySet<string> = new Set([
  ...INLINE_NAMES,
  ...'address article aside audio base blockquote body br button canvas caption center col colgroup dd details dialog div dl dt fieldset figcaption figure footer form frame h1 h2 h3 h4 h5 h6 head header hr html iframe input legend li link main map menu meta nav noscript object ol optgroup option p param picture pre progress script section select source style summary svg table tbody td template textarea tfoot th thead title tr track ul video path circle rect line'.split(
    ' ',
  ),
]);
