import { groupBy } from '../core/group.ts';
import { isMarkdown, withoutMarkdownEnding } from '../core/markdown-ending.ts';
import { NearNames } from '../text/near-names.ts';
import type { Docs } from './docs.ts';

/** Pages as wikilinks of one manner write them. */
interface PagesAsWritten {
  readonly names: NearNames;
  /** Those that are written like another. */
  readonly ambiguous: ReadonlySet<string>;
}

const pagesOf = new WeakMap<Docs, Map<string, PagesAsWritten>>();

/** The page that a misspelt one most likely means, written in its manner. */
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

/** A path as a wikilink writes it: with as many folders, and an ending only where there was one. */
export function sameManner(path: string, page: string): string {
  const depth = page.split('/').length;
  const parts = (isMarkdown(page) ? path : withoutMarkdownEnding(path)).split('/');
  return parts.slice(-depth).join('/');
}
