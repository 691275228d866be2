import { foldSpace } from '../text/fold-space.ts';

/** A longer line is not prose. Looking for markup in a hostile line of brackets alone would take hours. */
const MAX_LINE_LENGTH = 4000;

/** The target is made by a template, in angle brackets, or plain. */
const LINK = /!?\[([^\]]*)\]\((?:\{[{%][^{}]*\}+[^)\s]*|<[^<>]*>|[^)\s]*)(?:\s+"[^"]*")?\)/g;
/** A shortcode of Hugo. Other templates are found more often in examples than in use. */
const SHORTCODE = /\{\{[<%][^{}]*[%>]\}\}/g;
const SHOWN_BY_SHORTCODE = /\s(?:caption|title)="([^"]*)"/;

/** Code within a line. */
const CODE = /``(?!`)(.*?[^`])``(?!`)|`([^`]+)`/g;
/**
 * Each piece of code in a line is replaced by a character of the private use area until the markup is removed. There are enough for all that a line
 * can have.
 */
const FIRST_MARK = 0xe000;
const MARKS = /[\ue000-\uf8ff]/g;
const FENCE = /^\s*(?:>\s?)*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})\s*(.*)$/;

/** A line with nothing but the beginning of a tag, whose attributes go on in the next lines. */
const BEGINS_TAG = /^\s*<[A-Za-z][\w.-]*(?:\s[^<>]*)?$/;
/** What ends such a tag, or tells that it is none. The arrow of a function is neither. */
const STOPS_TAG = /<|(?<!=)>/;
/** A tag with more lines is no tag. */
const MAX_TAG_LINES = 30;

/** What is behind a block of code rather than in it. */
const ENDS_BLOCK = /^\s*(?:<\/[A-Za-z]|$)/;

/** Stands for the fence of a block whose beginning is not known. */
const ANY_FENCE = 'any';

/**
 * What a reader sees of a line of markdown, precise enough for a snippet, but not for rendering. Code stays as written: in it `<name>`, `__init__`
 * and `||` are not markup. Very long lines keep their markup.
 */
export function plainText(line: string): string {
  if (line.length > MAX_LINE_LENGTH || !line.includes('`')) return withoutMarkup(line);
  const codes: string[] = [];
  const marked = line.replace(MARKS, ' ').replace(CODE, (_, double: string | undefined, single: string) => {
    codes.push((double ?? single).replaceAll('\\|', '|'));
    return String.fromCharCode(FIRST_MARK + codes.length - 1);
  });
  const plain = withoutMarkup(marked).replace(MARKS, (mark) => codes[mark.charCodeAt(0) - FIRST_MARK] ?? '');
  return foldSpace(plain);
}

export interface PlainLine {
  /** Empty if there is nothing but markup. */
  readonly text: string;
  /** Whether it is in a block of code. */
  readonly isCode: boolean;
}

/** What a reader sees of each line of a text, which may begin or end within a block of code. Lines that are only markup are left out. */
export function plainLines(text: string): string[] {
  return readLines(text).map(({ text }) => text);
}

/** The same lines with their positions. */
export function readLines(text: string): PlainLine[] {
  const lines = text.split('\n');
  let fence = beginsInCode(lines) ? ANY_FENCE : '';
  let tagEnd = -1;
  return lines.map((line, at) => {
    if (at <= tagEnd) {
      return { text: at < tagEnd ? '' : plainText(line.slice(line.search(STOPS_TAG) + 1)), isCode: false };
    }
    const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence === '') {
      if (mark !== '' && !info.includes('`')) fence = mark;
      tagEnd = tagEndOf(lines, at);
      if (tagEnd > at) return { text: '', isCode: false };
      return { text: isMarkup(line) ? '' : plainText(line), isCode: false };
    }
    if (mark === '' || info !== '' || !(fence === ANY_FENCE || mark.startsWith(fence)))
      return { text: foldSpace(line), isCode: true };
    fence = '';
    return { text: '', isCode: true };
  });
}

/**
 * The first fence ends a block that began before the text if it has no language, and either the next one has, which can only begin a block, or it is
 * directly below a line, and an empty line, nothing, or the end of an element follows.
 */
function beginsInCode(lines: readonly string[]): boolean {
  const [first, second] = lines.flatMap((line, at) => {
    const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
    return mark === '' || info.includes('`') ? [] : [{ at, mark, info }];
  });
  if (first === undefined || first.info !== '') return false;
  if (second !== undefined && second.info !== '' && second.mark.startsWith(first.mark)) return true;
  return first.at > 0 && lines[first.at - 1]?.trim() !== '' && ENDS_BLOCK.test(lines[first.at + 1] ?? '');
}

/** The line in which a tag ends that begins in this line; -1 if none does that goes on. */
function tagEndOf(lines: readonly string[], start: number): number {
  if (!BEGINS_TAG.test(lines[start] ?? '')) return -1;
  for (let at = start + 1; at < Math.min(lines.length, start + MAX_TAG_LINES); at += 1) {
    const line = lines[at] ?? '';
    const end = line.search(STOPS_TAG);
    if (end >= 0) return line[end] === '>' ? at : -1;
    if (line.trim() === '') return -1;
  }
  return -1;
}

function withoutMarkup(line: string): string {
  if (line.length > MAX_LINE_LENGTH) return foldSpace(line);
  return line
    .replace(/<!--.*?(?:-->|$)/g, ' ')
    .replace(LINK, '$1')
    .replace(SHORTCODE, (code) => SHOWN_BY_SHORTCODE.exec(code)?.[1] ?? ' ')
    .replace(/!?\[\[([^\]|]*\|)?([^\]]*)\]\]/g, '$2')
    .replace(/\[([^\]]+)\]\[[^\]]*\]/g, '$1')
    .replace(/<\/?[A-Za-z][^>]*>/g, ' ')
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+(?:\[[ xX]\]\s+)?|\d{1,9}[.)]\s+)+/, '')
    .replace(/(\*{1,3}|_{1,3}|~~)(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/`+([^`]*)`+/g, '$1')
    .replace(/\s*\|\s*/g, ' | ')
    .replace(/^[\s|]+|[\s|]+$/g, '')
    .replace(/\\([\\`*_{}[\]()#+.!|>~-])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether an item of a list or a row of a table begins in a line. */
export function beginsItem(line: string): boolean {
  return /^\s*(?:>\s?)*(?:(?:[-*+]|\d{1,9}[.)])\s+\S|\|.*\|\s*$)/.test(line.slice(0, MAX_LINE_LENGTH));
}

/** Whether a line is a fence, a rule, the underline of a heading or of a table head, or only a tag. */
export function isMarkup(line: string): boolean {
  // Trimmed first: space at the ends would belong to three parts of the pattern, and be parted in all ways.
  return /^(?:(?:`{3,}|~{3,}).*|[-=*_|:\s+]+|<[^>]*>|<!--.*-->|import\s.+from\s.+|:{3,}.*)?$/.test(
    line.trim(),
  );
}
