/**
 * Inline rules that markdown-it does not have: wikilinks, HTML and JSX tags, comments and template expressions, and code spans that remember how many source
 * lines they cover. Each rule looks at most a fixed distance ahead, so that hostile text takes linear time.
 */

import type { StateInline } from 'markdown-it';
import { newlinesIn } from '../../words/pieces.ts';
import { NextPlace } from './next-place.ts';
import { isTagName, parseAttributes, scanTag } from './tags.ts';

type InlineRule = (state: StateInline, silent: boolean) => boolean;

const MAX_WIKILINK_LENGTH = 500;
const MAX_COMMENT_LENGTH = 20_000;

/** Code points. */
const BACKTICK = 0x60;
const BANG = 0x21;
const BRACE = 0x7b;
const BRACKET = 0x5b;
const LESS = 0x3c;

/** What may follow `[[text]]` so that it is a link whose text is in brackets: `[[Back to top]](#)`, as generators of API clients write it. */
const LINK_BEHIND =
  /\((?:[#/]|\.{1,2}\/|[a-z][a-z\d+.-]{0,20}:\/\/|[^\s()<>]{1,200}\.(?:mdx?|markdown|html?)(?=[#?)]))[^\s()<>]{0,500}\)/iy;

/** `[[Page]]`, `[[Page|alias]]`, `![[Page]]`: one token with the page in `content` and the text that is shown in `info`. */
export const wikilink: InlineRule = (state, silent) => {
  const embed = state.src.charCodeAt(state.pos) === BANG;
  const open = embed ? state.pos + 1 : state.pos;
  if (state.src.charCodeAt(open) !== BRACKET || state.src.charCodeAt(open + 1) !== BRACKET) return false;
  const inner = state.src.slice(open + 2, Math.min(open + 2 + MAX_WIKILINK_LENGTH, state.posMax));
  const length = inner.indexOf(']]');
  if (length < 1) return false;
  const [target = '', ...alias] = inner.slice(0, length).split('|');
  if (target.trim() === '' || /[[\]\n]/.test(target)) return false;
  LINK_BEHIND.lastIndex = open + 2 + length + 2;
  if (!embed && LINK_BEHIND.test(state.src)) return false;
  if (!silent) {
    const token = state.push('wikilink', '', 0);
    token.content = target.replace(/\\$/, '').trim();
    token.info = alias.join('|').trim();
    token.markup = embed ? '!' : '';
  }
  state.pos = open + 2 + length + 2;
  return true;
};

/** `<b>`, `</b>`, `<Route method="GET">`: one token for each tag, with its name in `tag` and its attributes in `meta`. */
export const tag: InlineRule = (state, silent) => {
  if (state.src.charCodeAt(state.pos) !== LESS) return false;
  const scanned = scanTag(state.src, state.pos, state.posMax);
  if (scanned === undefined || !isTagName(scanned, state.src.charCodeAt(state.pos - 1))) return false;
  if (!silent) {
    const nesting = scanned.closing ? -1 : 1;
    const token = state.push('tag', scanned.name, 0);
    token.info = nesting === 1 ? (scanned.selfClosing ? 'void' : 'open') : 'close';
    token.meta = { attributes: parseAttributes(scanned.attributes), newlines: newlinesIn(scanned.source) };
  }
  state.pos += scanned.source.length;
  return true;
};

const COMMENTS = [
  ['<!--', '-->'],
  ['<%', '%>'],
  ['<?', '?>'],
  ['{/*', '*/}'],
  ['{%', '%}'],
  ['{{<', '>}}'],
  ['{{%', '%}}'],
].map(([opening = '', closing = '']) => ({ opening, closing, next: new NextPlace(closing) }));

/**
 * Comments and expressions of template languages (ERB, Liquid, Hugo). A reader sees nothing of them, except for the attributes of a shortcode,
 * `{{< page-relref caption="POST /x" >}}`, which are in `meta` as those of a tag.
 */
export const comment: InlineRule = (state, silent) => {
  const first = state.src.charCodeAt(state.pos);
  if (first !== LESS && first !== BRACE) return false;
  for (const { opening, closing, next } of COMMENTS) {
    if (!state.src.startsWith(opening, state.pos)) continue;
    const from = state.pos + opening.length;
    const at = next.after(state, from);
    const end = at + closing.length;
    if (at === -1 || end > Math.min(from + MAX_COMMENT_LENGTH, state.posMax)) return false;
    if (!silent) {
      const source = state.src.slice(from, at);
      const attributes = opening.startsWith('{{') ? parseAttributes(source) : undefined;
      state.push('comment', '', 0).meta = { newlines: newlinesIn(source), attributes };
    }
    state.pos = end;
    return true;
  }
  return false;
};

/** CommonMark code spans. `meta.newlines` keeps line numbers right after a span over several lines. */
export const codeSpan: InlineRule = (state, silent) => {
  if (state.src.charCodeAt(state.pos) !== BACKTICK) return false;
  let from = state.pos + 1;
  while (from < state.posMax && state.src.charCodeAt(from) === BACKTICK) from += 1;
  const markup = state.src.slice(state.pos, from);
  const close = closingRun(state, from, markup.length);
  if (close === -1) {
    if (!silent) state.pending += markup;
    state.pos = from;
    return true;
  }
  if (!silent) {
    const source = state.src.slice(from, close);
    const token = state.push('code_inline', 'code', 0);
    const content = source.replace(/\n/g, ' ');
    const isPadded = content.startsWith(' ') && content.endsWith(' ') && /[^ ]/.test(content);
    token.content = isPadded ? content.slice(1, -1) : content;
    token.meta = { newlines: newlinesIn(source) };
  }
  state.pos = close + markup.length;
  return true;
};

/** Where the next run of exactly `length` backticks begins. Runs are listed once for each text. */
function closingRun(state: StateInline, from: number, length: number): number {
  if (!state.backticksScanned) {
    state.backticksScanned = true;
    state.backticks = {};
    for (const run of state.src.matchAll(/`+/g)) state.backticks[run[0].length] = run.index;
  }
  if ((state.backticks[length] ?? -1) < from) return -1;
  const runs = /`+/g;
  runs.lastIndex = from;
  for (let run = runs.exec(state.src); run !== null; run = runs.exec(state.src)) {
    if (run.index + run[0].length > state.posMax) return -1;
    if (run[0].length === length) return run.index;
  }
  return -1;
}
