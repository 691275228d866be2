/** markdown-it, configured for reading: source lines and tokens, no rendering, no HTML blocks, no escaping of links. */
import MarkdownIt, { type Env, type MarkdownIt as Parser, type Token } from 'markdown-it';
import {
  commentBlock,
  componentProperties,
  indentedMarkdown,
  mdxParagraph,
  rawElement,
} from './block-rules.ts';
import { calloutLine, containerLine } from './containers.ts';
import { htmlHeading } from './html-headings.ts';
import { indentedContainer } from './indented-container.ts';
import { codeSpan, comment, tag, wikilink } from './inline-rules.ts';
import { makeLean } from './lean-states.ts';
import { notePlaces, type Places, parseWithPlaces } from './link-places.ts';
import { moduleCode } from './module-code.ts';
import { countTokens } from './token-limit.ts';

export type { Token };

export type References = NonNullable<Env['references']>;

const INTERRUPTS = { alt: ['paragraph', 'reference', 'blockquote', 'list'] };

/** Created once, since that takes longer than reading a document. */
const markdown = createParser();
const mdx = createParser();
mdx.block.ruler.at('code', indentedMarkdown);
mdx.block.ruler.at('paragraph', mdxParagraph);
mdx.block.ruler.before('table', 'module_code', moduleCode);

/** @param isMdx whether indentation within components is layout and not code @throws TooManyTokens if there is not enough memory for the tokens */
export function parseTokens(source: string, isMdx: boolean): ParsedTokens {
  const env: Env = {};
  countTokens(source);
  const { tokens, places } = parseWithPlaces(isMdx ? mdx : markdown, source, env);
  return { tokens, references: env.references ?? {}, places };
}

interface ParsedTokens {
  readonly tokens: Token[];
  readonly references: References;
  readonly places: Places;
}

function createParser(): Parser {
  const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
  makeLean(parser);
  parser.disable(['html_block', 'html_inline', 'replacements', 'smartquotes', 'linkify']);
  parser.normalizeLink = (url) => url;
  parser.normalizeLinkText = (url) => url;
  parser.validateLink = () => true;
  readTemplateLinks(parser);
  parser.block.ruler.before('table', 'comment', commentBlock, INTERRUPTS);
  parser.block.ruler.after('comment', 'raw_element', rawElement, INTERRUPTS);
  parser.block.ruler.after('raw_element', 'indented_container', indentedContainer, INTERRUPTS);
  parser.block.ruler.after('indented_container', 'component_properties', componentProperties, INTERRUPTS);
  parser.block.ruler.after('component_properties', 'container_line', containerLine, INTERRUPTS);
  parser.block.ruler.after('container_line', 'callout_line', calloutLine);
  parser.block.ruler.after('callout_line', 'html_heading', htmlHeading, INTERRUPTS);
  parser.inline.ruler.at('backticks', codeSpan);
  parser.inline.ruler.before('link', 'wikilink', wikilink);
  parser.inline.ruler.after('backticks', 'comment', comment);
  parser.inline.ruler.after('autolink', 'tag', tag);
  notePlaces(parser);
  return parser;
}

/**
 * `[text]({{< relref "page" >}})` and `[text]({% link page.md %})` are links to that page, together with what follows it. Any other target that contains
 * expressions, which may have spaces, is kept as it is written.
 */
function readTemplateLinks(parser: Parser): void {
  const { parseLinkDestination } = parser.helpers;
  const page =
    /(?:\{\{\s*site\.\w+\s*\}\})*\{(?:\{[<%]?|%)(?=(\s*))\1(?:-(?=(\s*))\2)?[\w.]*\s*["'`]?([^"'`\s{}<>]{1,300})["'`]?\s*(?:[%>]?\}|%)\}([#?][^\s()<>{}]{1,300})?(?=[\s)]|$)/y;
  const mixed = /(?:[^\s()<>{}]*(?:\{\{[^{}\n]{1,300}\}\}|\{%[^{}\n]{1,300}%\}))+[^\s()<>{}]*/y;
  const endOf = (pattern: RegExp, source: string, start: number, max: number) => {
    pattern.lastIndex = start;
    const found = pattern.exec(source);
    return found === null || pattern.lastIndex > max ? undefined : found;
  };
  parser.helpers = {
    ...parser.helpers,
    parseLinkDestination(source, start, max) {
      const named = source.charAt(start) === '{' ? endOf(page, source, start, max) : undefined;
      if (named?.[3] !== undefined)
        return { ok: true, pos: page.lastIndex, str: named[3] + (named[4] ?? '') };
      const [written = ''] = endOf(mixed, source, start, max) ?? [];
      return written === ''
        ? parseLinkDestination(source, start, max)
        : { ok: true, pos: mixed.lastIndex, str: written };
    },
  };
}
