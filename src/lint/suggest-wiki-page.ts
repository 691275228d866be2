import { groupBy } from '../core/group.ts';
import { isMarkdown, withoutMarkdownEnding } from '../core/markdown-ending.ts';
import { NearNames } from '../text/near-names.ts';
import type { Docs } from './docs.ts';

/** Pages in the form that wikilinks of one style write. */
interface PagesAsWritten {
  readonly names: NearNames;
  /** Pages that are written like another one. */
  readonly ambiguous: ReadonlySet<string>;
}

const pagesOf = new WeakMap<Docs, Map<string, PagesAsWritten>>();

/** The page that a misspelt name most likely means, in the style of that name. */
export function pageNearest(docs: Docs, page: string): string | undefined {
  const pages = pagesLike(docs, page);
  const near = pages.names.nearestTo(page);
  return near === undefined || pages.ambiguous.has(near) ? undefined : near;
}

function pagesLike(docs: Docs, page: string): PagesAsWritten {
  const known = pagesOf.get(docs) ?? new Map<string, PagesAsWritten>();
  pagesOf.set(docs, known);
  const manner = `${page.split('/').length} ${isMarkdown(page)}`;
  let pages = known.get(manner);
  if (pages === undefined) {
    const written = groupBy(docs.view.documents(), (file) => sameManner(file, page));
    const ambiguous = Array.from(written).filter(([, files]) => files.length > 1);
    pages = { names: new NearNames(written.keys()), ambiguous: new Set(ambiguous.map(([name]) => name)) };
    known.set(manner, pages);
  }
  return pages;
}

/** A path as a wikilink writes it: with as many folders, and with an ending only if there was one. */
export function sameManner(path: string, page: string): string {
  const depth = page.split('/').length;
  const parts = (isMarkdown(page) ? path : withoutMarkdownEnding(path)).split('/');
  return parts.slice(-depth).join('/');
}
