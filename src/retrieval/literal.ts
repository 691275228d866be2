import { mountPathOf } from '../core/docs-selection.ts';
import type { Awaitable, Hit } from '../core/resolver.ts';
import type { HitKind, SearchHit } from '../core/search.ts';
import type { Corpus } from './corpus.ts';
import type { Filter } from './filter.ts';
import { hitOf } from './hits.ts';
import type { Verifier } from './verifier.ts';

/** What was found in texts as they are on the disk. */
export interface FoundTexts {
  readonly hits: readonly Hit[];
  /** Paths, in the same form as those of hits, that exist and could not be read. One of a folder, '' for all docs, stands for everything in it. */
  readonly unread: readonly string[];
}

/**
 * Looks for words exactly as they are written, including parts of words, in the text of documents, of memory, or both. Paths of documents are
 * relative to the docs, those of modules are paths of the mount, and those of memories are relative to `/context`. Best first.
 */
export type LiteralSearch = (text: string, limit: number, kinds: readonly HitKind[]) => Awaitable<FoundTexts>;

/** How many hits filters may choose from. */
export const LITERAL_HITS = 200;

export interface LiteralContext {
  readonly corpora: readonly Corpus[];
  readonly filter: Filter;
  readonly verifier: Verifier;
  readonly limit: number;
}

/** The hits in the text that the question lets through. */
export function literalHits(
  found: readonly Hit[],
  { corpora, filter, verifier, limit }: LiteralContext,
): SearchHit[] {
  const hits: SearchHit[] = [];
  for (const hit of found) {
    if (hits.length >= limit) break;
    const shown = shownHit(hit, hits.length + 1, corpora, filter, verifier);
    if (shown !== undefined) hits.push(shown);
  }
  return hits;
}

/** Paths of the mount that could not be read and that the question lets through. */
export function literalUnread(
  unread: readonly string[],
  { corpora, filter }: Pick<LiteralContext, 'corpora' | 'filter'>,
): string[] {
  const docs = corpora.find(({ name }) => name === 'docs');
  if (docs === undefined) return [];
  const paths = unread.map((path) => mountPathOf(path).replace(/\/$/, ''));
  // Other paths may be those of folders, or of files of which nothing is known, and there may be many of those.
  const others = new Set(paths.filter((path) => docs.sourceAt(path) === undefined));
  const holding = others.size === 0 ? others : foldersWith(docs, filter, others);
  return paths.filter((path) => {
    const source = docs.sourceAt(path);
    return source === undefined ? holding.has(path) : filter.passes(source);
  });
}

/** Those of the folders that hold something which a filter lets through. */
function foldersWith(docs: Corpus, filter: Filter, folders: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const source of docs.sources()) {
    const around = foldersAround(source.path).filter((folder) => folders.has(folder) && !found.has(folder));
    if (around.length > 0 && filter.passes(source)) for (const folder of around) found.add(folder);
    if (found.size === folders.size) break;
  }
  return found;
}

/** The folders that a path lies in, innermost first. */
function foldersAround(path: string): string[] {
  const end = path.lastIndexOf('/');
  return end <= 0 ? [] : [path.slice(0, end), ...foldersAround(path.slice(0, end))];
}

function shownHit(
  { path, kind, line, score, snippet }: Hit,
  rank: number,
  corpora: readonly Corpus[],
  filter: Filter,
  verifier: Verifier,
): SearchHit | undefined {
  const name = kind === 'memory' ? 'memory' : 'docs';
  const corpus = corpora.find((corpus) => corpus.name === name);
  const source = corpus?.sourceAt(name === 'memory' ? `/context/${path}` : mountPathOf(path));
  if (corpus === undefined || source === undefined || !filter.passes(source)) return undefined;
  const passages = corpus.passagesOf(source.id);
  const passage = passages.find((one) => one.line <= line && line <= one.endLine) ?? passages[0];
  if (passage === undefined) return undefined;
  const ranks = { literal: rank };
  const hit = hitOf({ corpus, passage, score, ranks, hops: [] }, verifier, { weights: new Map() });
  return (
    hit && {
      ...hit,
      line,
      endLine: Math.max(line, hit.endLine),
      snippet: [...hit.headings.slice(-1), snippet].join(': '),
    }
  );
}
