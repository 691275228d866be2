import { withExportedFields } from './exported-fields.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import type { Places } from './link-places.ts';
import { parseTokens, type References, type Token } from './parser.ts';

/** A markdown file that is parsed once for all its readers. */
export interface MarkdownSource {
  /** Relative to the docs root. */
  readonly path: string;
  /** The whole file. */
  readonly text: string;
  readonly frontMatter: FrontMatter;
  /** The text below front matter. `map` of a token counts its lines from 0. */
  readonly body: string;
  /** The line of the file at which the body begins, from 1. */
  readonly bodyLine: number;
  readonly tokens: readonly Token[];
  /** Link definitions, by their normalised names. */
  readonly references: References;
  /** Where links begin, and where they are defined. */
  readonly places: Places;
}

/** @param path relative to the docs root. Its ending tells whether this is MDX */
export function readSource(path: string, text: string): MarkdownSource {
  const given = readFrontMatter(text);
  const body = text.slice(given.bodyStart);
  const mdx = isMdx(path, body);
  const frontMatter = mdx ? withExportedFields(given, text) : given;
  const { tokens, references, places } = parseTokens(body, mdx);
  return { path, text, frontMatter, body, bodyLine: frontMatter.lineCount + 1, tokens, references, places };
}

/** Docusaurus and others write MDX in `.md` files, which shows in an import of a component. */
function isMdx(path: string, body: string): boolean {
  return /\.mdx$/i.test(path) || /^import\s[^\n]{1,200}\sfrom\s+['"]/m.test(body.slice(0, 4_000));
}
