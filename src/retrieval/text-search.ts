import { FsError } from '../core/errors.ts';
import type { SubPath } from '../core/paths.ts';
import type { Hit, Query } from '../core/resolver.ts';
import { MAX_SNIPPET_LENGTH } from '../core/resolver.ts';
import type { DocsFolders } from '../source/docs-folders.ts';
import { readText } from '../source/document-text.ts';
import type { ScannedFile } from '../source/scan.ts';
import { cutText } from '../text/cut-text.ts';
import type { FoundTexts } from './literal.ts';

/** The docs, the stored texts of modules that are searched, or both. */
export type SearchedTexts = 'docs' | 'modules' | 'all';

/**
 * Files that contain all words of the query, in any case. Best first: those with a line that contains all words, then those that contain them most
 * often. Each hit has its best line. Reads the files as they are on disk. Paths of the docs are relative to them, those of modules are paths of the
 * mount. A docs root that is away counts as unread.
 */
export function searchText(
  docs: DocsFolders,
  { text, limit }: Query,
  maxBytes: number,
  where: SearchedTexts,
): FoundTexts {
  const words = text.toLowerCase().match(/\S+/g) ?? [];
  if (words.length === 0) return { hits: [], unread: [] };
  const hits: Hit[] = [];
  const unread: string[] = [];
  for (const { path, kind } of scanned(docs, maxBytes, where, unread)) {
    if (kind !== 'markdown' && kind !== 'text') continue;
    const content = contentOf(docs, path, maxBytes);
    if (content instanceof FsError) unread.push(path);
    const hit = typeof content === 'string' ? hitIn(path, content, words) : undefined;
    if (hit) hits.push(hit);
  }
  hits.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return { hits: hits.slice(0, limit), unread };
}

/** @param away paths of docs roots that are away are added to it */
function* scanned(
  docs: DocsFolders,
  maxBytes: number,
  where: SearchedTexts,
  away: string[],
): Generator<ScannedFile> {
  if (where !== 'modules') yield* docs.scan({ maxBytes, onMissing: (path) => away.push(path) });
  if (where !== 'docs') yield* docs.scanModules({ maxBytes });
}

/** Empty for a file that is not text, undefined for one that was removed since the walk. If it exists and cannot be read, the error. */
function contentOf(docs: DocsFolders, path: string, maxBytes: number): string | FsError | undefined {
  try {
    return readText(docs, path, maxBytes);
  } catch (error) {
    if (!(error instanceof FsError)) throw error;
    return error.code === 'ENOENT' ? undefined : error;
  }
}

function hitIn(path: string, content: string, words: readonly string[]): Hit | undefined {
  const lower = content.toLowerCase();
  if (!words.every((word) => lower.includes(word))) return undefined;
  const lines = lower.split('\n');
  const found = lines.map((line) => words.filter((word) => line.includes(word)).length);
  const most = found.reduce((left, right) => Math.max(left, right), 0);
  const best = found.indexOf(most);
  const matches = found.filter((count) => count > 0).length;
  return {
    path: path as SubPath,
    line: best + 1,
    kind: 'document',
    score: most / words.length / 2 + matches / lines.length / 2,
    snippet: cutText((content.split('\n')[best] ?? '').trim(), MAX_SNIPPET_LENGTH, ''),
  };
}
