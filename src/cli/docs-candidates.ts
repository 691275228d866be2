import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isMarkdown } from '../core/markdown-ending.ts';

/** A folder that may hold the docs. */
export interface DocsCandidate {
  /** Relative to the folder that was searched; `.` for that folder itself. */
  readonly path: string;
  /** The number of markdown files, as far as they were counted. */
  readonly documents: number;
}

/** Usual names of folders with docs, the most telling first. */
const USUAL_NAMES = [
  'docs',
  'doc',
  'documentation',
  'specs',
  'wiki',
  'handbook',
  'content',
  'guides',
  'pages',
];
/** Folders of programs. Nobody means the read-me files in them as docs. */
const NO_DOCS = new Set(['node_modules', 'vendor', 'target', 'dist', 'build', 'test', 'tests', 'src', 'lib']);
/** For a guess, it is enough to look at so many names. */
const MAX_LOOKED_AT = 5000;

/** Folders with markdown files, the likeliest docs first; the folder itself last. */
export function docsCandidates(folder: string): DocsCandidate[] {
  const rank = ({ path }: DocsCandidate) => {
    const place = USUAL_NAMES.indexOf(path.toLowerCase());
    return place === -1 ? USUAL_NAMES.length : place;
  };
  const below = entriesOf(folder)
    .filter((entry) => isDocsFolder(entry))
    .map(({ name }) => ({ path: name, documents: countDocuments(join(folder, name)) }))
    .filter(({ documents }) => documents > 0)
    .sort((a, b) => rank(a) - rank(b) || b.documents - a.documents);
  const documents = countDocuments(folder);
  return documents === 0 ? below : [...below, { path: '.', documents }];
}

export function countDocuments(folder: string): number {
  let looked = 0;
  let found = 0;
  const folders = [folder];
  for (let at = folders.shift(); at !== undefined && looked < MAX_LOOKED_AT; at = folders.shift()) {
    for (const entry of entriesOf(at)) {
      looked += 1;
      if (entry.isFile() && isMarkdown(entry.name)) found += 1;
      else if (isDocsFolder(entry)) folders.push(join(at, entry.name));
    }
  }
  return found;
}

function isDocsFolder(entry: Dirent): boolean {
  return entry.isDirectory() && !entry.name.startsWith('.') && !NO_DOCS.has(entry.name);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder that this user may not read holds no docs for them.
    return [];
  }
}
