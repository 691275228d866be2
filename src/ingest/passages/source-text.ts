import type { Passage } from '../../store/passages.ts';
import type { SourceKind } from '../../store/sources.ts';
import { titleOf } from '../extract/title.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import type { FrontMatter } from '../markdown/front-matter.ts';
import { parseMarkdown } from '../markdown/parse.ts';
import { TooManyTokens } from '../markdown/token-limit.ts';
import { passagesOf, passagesOfText } from './passages.ts';

/** What search keeps of a file. It depends on path and text alone. */
export interface SourceText {
  readonly kind: Exclude<SourceKind, 'node'>;
  readonly title: string;
  /** The type that front matter gives, in lower case; otherwise empty. */
  readonly type: string;
  /** In lower case, each once. */
  readonly tags: readonly string[];
  /** The date that front matter gives; undefined if there is none. */
  readonly dateMs: number | undefined;
  readonly passages: readonly Passage[];
}

/** Files that programs make for programs. Nobody searches for words in them. */
const MACHINE_MADE =
  /\.(?:svg|map|lock|lockb|sum|min\.\w+|pem|crt|key|csr|p12)$|(?:^|\/)package-lock\.json$/i;
const DATE_KEYS = ['updated', 'last_updated', 'lastmod', 'modified', 'date', 'published', 'created'];
const TAG_KEYS = ['tags', 'tag', 'keywords', 'labels', 'categories'];

/** For a file that is no text, or that nobody searches. */
export const NOTHING_TO_SEARCH: SourceText = {
  kind: 'none',
  title: '',
  type: '',
  tags: [],
  dateMs: undefined,
  passages: [],
};

/** @param path relative to the docs root that contains the file @returns nothing to search if there is not enough memory to read it */
export function sourceOfMarkdown(path: string, text: string): SourceText {
  try {
    return sourceOfDocument(parseMarkdown(path, text));
  } catch (error) {
    // The problem is reported by the graph.
    if (error instanceof TooManyTokens) return NOTHING_TO_SEARCH;
    throw error;
  }
}

export function sourceOfDocument(document: MarkdownDocument): SourceText {
  const { title } = titleOf(document);
  const { frontMatter } = document;
  const type = frontMatter.data.get('type');
  return {
    kind: 'document',
    title,
    type: typeof type === 'string' ? type.toLowerCase() : '',
    tags: tagsOf(frontMatter),
    dateMs: dateOf(frontMatter),
    passages: passagesOf(document, title),
  };
}

/** @param path as for {@link sourceOfMarkdown} */
export function sourceOfText(path: string, text: string): SourceText {
  if (MACHINE_MADE.test(path)) return NOTHING_TO_SEARCH;
  const title = path.slice(path.lastIndexOf('/') + 1);
  const passages = passagesOfText(path, text);
  return { kind: 'text', title, type: '', tags: [], dateMs: undefined, passages };
}

function tagsOf({ data }: FrontMatter): string[] {
  const tags = TAG_KEYS.flatMap((key) => data.get(key) ?? [])
    .flatMap((value) =>
      typeof value === 'string' ? value.split(',') : typeof value === 'number' ? `${value}` : [],
    )
    .map((tag) => tag.trim().replace(/^#/, '').toLowerCase())
    .filter((tag) => tag !== '' && !tag.includes('\n'));
  return [...new Set(tags)];
}

function dateOf({ data }: FrontMatter): number | undefined {
  for (const key of DATE_KEYS) {
    const value = data.get(key);
    const ms =
      value instanceof Date
        ? value.getTime()
        : typeof value === 'string' && /^\d{4}-\d\d/.test(value)
          ? Date.parse(value)
          : Number.NaN;
    if (Number.isFinite(ms)) return ms;
  }
  return undefined;
}
