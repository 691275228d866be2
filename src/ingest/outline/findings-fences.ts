import type { OutlineFinding } from '../../core/outline.ts';
import type { Token } from '../markdown/parser.ts';
import type { MarkdownSource } from '../markdown/source.ts';
import type { SourceLines } from './source-lines.ts';

/** A longer fence is shown by its length. */
const MAX_SHOWN_MARKUP = 20;

/** A fence with the lines of the file that it covers, from 1. */
interface Fence {
  readonly token: Token;
  readonly line: number;
  readonly endLine: number;
}

/**
 * Code fences that are not closed. If the end of a fence is missing, it is mostly ended by the next fence, which it swallows. So the fence to report is the one
 * that contains something that cannot be part of it.
 */
export function fenceFindings({ tokens, bodyLine }: MarkdownSource, lines: SourceLines): OutlineFinding[] {
  const fences: Fence[] = [];
  for (const token of tokens) {
    if (token.type !== 'fence' || token.map === null || token.markup === '<pre>') continue;
    fences.push({ token, line: token.map[0] + bodyLine, endLine: token.map[1] + bodyLine - 1 });
  }
  if (fences.length === 0) return [];
  const swallowing = fences.filter(({ token }) => swallowsFence(token));
  if (swallowing.length > 0) {
    const originOf = originsOf(fences, lines);
    const origins = new Set(swallowing.map((fence) => originOf.get(fence) ?? fence));
    return [...origins].map((fence) => finding(fence, lines));
  }
  const open = fences.find((fence) => !isClosed(fence, lines));
  if (open === undefined) return [];
  const origin = originsOf(fences, lines).get(open) ?? open;
  if (origin !== open) return [finding(origin, lines)];
  return [finding(fences.find(({ token }) => swallowsProse(token)) ?? open, lines)];
}

/**
 * For each fence, the one from which on ends are taken for beginnings. Between fences that are read correctly there is prose, with empty lines around it; text
 * that touches both fences is code.
 */
function originsOf(fences: readonly Fence[], lines: SourceLines): ReadonlyMap<Fence, Fence> {
  const origins = new Map<Fence, Fence>();
  let before: Fence | undefined;
  for (const fence of fences) {
    const origin =
      before !== undefined && isBetweenCode(before, fence, lines) ? origins.get(before) : undefined;
    origins.set(fence, origin ?? fence);
    before = fence;
  }
  return origins;
}

function isBetweenCode(before: Fence, fence: Fence, lines: SourceLines): boolean {
  if (fence.token.info.trim() !== '' || fence.line - before.endLine < 2) return false;
  return lines.at(before.endLine + 1).trim() !== '' && lines.at(fence.line - 1).trim() !== '';
}

function finding({ token, line }: Fence, lines: SourceLines): OutlineFinding {
  const column = Math.max(lines.at(line).indexOf(token.markup), 0) + 1;
  const message = `this code fence is not closed: a line ${shownMarkup(token.markup)} is missing`;
  return { rule: 'unclosed-fence', line, column, message };
}

function shownMarkup(markup: string): string {
  return markup.length <= MAX_SHOWN_MARKUP
    ? `"${markup}"`
    : `of ${markup.length} times "${markup.charAt(0)}"`;
}

function isClosed({ token, line, endLine }: Fence, lines: SourceLines): boolean {
  if (endLine <= line) return false;
  const last = lines
    .at(endLine)
    .replace(/^[\s>]*/, '')
    .trimEnd();
  return last.length >= token.markup.length && last.split(token.markup.charAt(0)).join('') === '';
}

const SHOWS_MARKDOWN = /^\s*(?:md|mdx|markdown|text|txt|plain\w*|rst|qmd|rmd|astro|vue|svelte)\b/i;

/** In a fence of plain text, only prose is to be expected. */
const IS_TEXT = /^\s*(?:text|txt|plain\w*)\b/i;

/** Whether a fence contains the beginning of another fence, with a language. */
function swallowsFence({ info, content, markup }: Token): boolean {
  if (SHOWS_MARKDOWN.test(info) && !IS_TEXT.test(info)) return false;
  const first = markup.charAt(0);
  if (!content.includes(markup)) return false;
  return content.split('\n').some((line) => {
    const start = /^ {0,3}(`{3,}|~{3,})[ \t]*[A-Za-z][^`]*$/.exec(line)?.[1];
    return start?.startsWith(first) && start.length >= markup.length;
  });
}

/** Whether a fence contains a heading or a paragraph with a link, which no language has. */
function swallowsProse({ info, content }: Token): boolean {
  if (SHOWS_MARKDOWN.test(info)) return false;
  return (
    /(?:^|\n)\n#{2,6} \S[^\n]*\n(?:\n|$)/.test(content) ||
    /\n\n[A-Z][^\n]*[a-z] \[[^\]\n]+\]\([^)\n]+\)/.test(content)
  );
}
