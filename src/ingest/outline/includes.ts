import type { MarkdownSource } from '../markdown/source.ts';

/** The parts of a document that come from elsewhere. */
export interface Includes {
  /** The markdown files that it includes, by the names that it uses, each once. */
  readonly files: readonly string[];
  /** Whether it includes something that is not a named markdown file. */
  readonly isOpenEnded: boolean;
}

/** A heading that a template completes may have any anchor, unless it gives its own: `## Card {{% removed %}} {#card}`. */
const INCLUDE =
  /--8<--|@include|\{!|\{%-?\s*(?:include|render|for|capture)\b|\{\{[<%#][^}\n]{0,80}(?:include|readfile|snippet|shared)|\{\{\s*include|^import\s[^\n]{1,200}\.mdx?['"]|^:{3,}\s+(?:mkdocs-|[\w-]+\.[\w.-]+)|^#{1,6} (?![^\n]*\{:?[ \t]*#[\w.:-]+[ \t]*\}[ \t]*$)[^\n]*(?:\{\{|\{%|<%)|^#{1,6} +<!--/gm;
const MARKDOWN_FILE = /[^\s"'`<>{}()!:|]{1,300}\.mdx?(?=["'\s!}%>:]|$)/;
/** MyST: a fence that includes a file. */
const DIRECTIVE = /^\{include\}\s+(\S+)/;

/** What site generators include, in their various ways. Files that are only shown, as code, are left out. */
export function includesOf(source: MarkdownSource): Includes {
  const { path, body, tokens } = source;
  const directives = tokens.flatMap(({ type, info }) =>
    type === 'fence' ? (DIRECTIVE.exec(info.trim())?.[1] ?? []) : [],
  );
  const files = new Set(directives.filter((file) => MARKDOWN_FILE.test(file)));
  let isOpenEnded = files.size < new Set(directives).size || isMadeElsewhere(source);
  if (!/\{\{%|\s(?:src|file)=/.test(body) && body.search(INCLUDE) === -1)
    return { files: [...files], isOpenEnded };
  const shown = withoutCode(body, tokens);
  if (hasOpenShortcode(shown)) isOpenEnded = true;
  for (const file of sourcesOfComponents(shown, path)) files.add(file);
  const fileBehind = filesOfLines(shown);
  for (const { 0: mark, index } of shown.matchAll(INCLUDE)) {
    const file = mark.startsWith('#') ? undefined : fileBehind(index);
    if (file === undefined) isOpenEnded = true;
    else files.add(file);
  }
  return { files: [...files], isOpenEnded };
}

/** Finds the first file that is named in a line, from a place on. Asked in order, it looks at each line once. */
function filesOfLines(shown: string): (index: number) => string | undefined {
  let line = { end: -1, place: -1, file: undefined as string | undefined };
  return (index) => {
    if (index > line.end || (line.file !== undefined && index > line.place)) {
      const newline = index > line.end ? shown.indexOf('\n', index) : line.end;
      const end = newline === -1 ? shown.length : newline;
      const found = MARKDOWN_FILE.exec(shown.slice(index, end));
      line = { end, place: index + (found?.index ?? 0), file: found?.[0] };
    }
    return line.file;
  };
}

const SHORTCODE = /^[ \t]*\{\{%\s*(\/?)([\w/.-]{1,60})(?:\s[^\n]{0,500}?)?%\}\}[ \t]*$/gm;
const NAMES_A_PAGE = /^(?:rel)?ref$/;

/** Whether one of Hugo's shortcodes that produce markdown stands alone: on its own line, and around nothing. */
function hasOpenShortcode(shown: string): boolean {
  const shortcodes = Array.from(shown.matchAll(SHORTCODE), ([, slash, name = '']) => ({ slash, name }));
  const around = new Set(shortcodes.flatMap(({ slash, name }) => (slash === '/' ? name : [])));
  return shortcodes.some(({ name }) => !around.has(name) && !NAMES_A_PAGE.test(name));
}

const COMPONENT =
  /^[ \t]*<[A-Z][\w.]*\s(?:[^<>]{0,300}?\s)?(?:src|file)=["']([\w@.-]*\/(?!\/)[\w@./-]{1,200})["'][^<>]{0,300}\/>[ \t]*$/gm;

/** Documents that components include: `<Include src="_partials/setup" />`. Files with another ending, or at another site, are left out. */
function sourcesOfComponents(shown: string, path: string): string[] {
  return Array.from(shown.matchAll(COMPONENT), ([, file = '']) => file).flatMap((file) => {
    if (MARKDOWN_FILE.test(file)) return file;
    return /\.\w+$/.test(file) ? [] : file + path.slice(path.lastIndexOf('.'));
  });
}

/** Whether it is a page for the description of an API, or one that consists of a single component. */
function isMadeElsewhere({ frontMatter: { data }, body }: MarkdownSource): boolean {
  if (data.has('openapi') || data.has('asyncapi')) return true;
  const shown = body.replace(/^(?:import\s.*|`{3}.*)$/gm, '').trim();
  return /^<[A-Z][^<>]*\/>$/.test(shown);
}

function withoutCode(body: string, tokens: MarkdownSource['tokens']): string {
  const lines = body.split('\n');
  for (const { type, map } of tokens) {
    if (map !== null && (type === 'fence' || type === 'code_block')) lines.fill('', map[0], map[1]);
  }
  return lines.join('\n').replace(/`[^`\n]*`/g, '``');
}
