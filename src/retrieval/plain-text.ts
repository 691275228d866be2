/** A longer line is no prose. To find markup in a hostile one of brackets alone would take hours. */
const MAX_LINE_LENGTH = 4000;

/** A target that a template makes, one in angle brackets, or a plain one. */
const LINK = /!?\[([^\]]*)\]\((?:\{[{%][^{}]*\}+[^)\s]*|<[^<>]*>|[^)\s]*)(?:\s+"[^"]*")?\)/g;
/** Hugo's. Other templates stand in examples more often than they are at work. */
const SHORTCODE = /\{\{[<%][^{}]*[%>]\}\}/g;
const SHOWN_BY_SHORTCODE = /\s(?:caption|title)="([^"]*)"/;

/** What a reader sees of a line of markdown, near enough: for a snippet, not for rendering. Very long lines keep their markup. */
export function plainText(line: string): string {
  if (line.length > MAX_LINE_LENGTH) return line.replace(/\s+/g, ' ').trim();
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

/** Fences, rules, the lines under headings and table heads, and what is only a tag. */
export function isMarkup(line: string): boolean {
  return /^\s*(?:(?:`{3,}|~{3,}).*|[-=*_|:\s+]+|<[^>]*>|<!--.*-->|import\s.+from\s.+|:{3,}.*)?\s*$/.test(
    line,
  );
}
