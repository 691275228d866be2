import { withoutMarkdownEnding } from '../core/markdown-ending.ts';
import { baseName, folderOf } from '../core/paths.ts';
import type { Docs } from './docs.ts';
import type { RuleFinding } from './finding.ts';

/** Files that are read without a link to them. */
const ENTRY =
  /^(?:_?index|readme|home|_sidebar|_navbar|_toc|summary|changelog|license|licence|contributing|code_of_conduct|security|authors|agents|claude|llms|404|_\w*|\W.*)(?:[._-][\w-]+)*$/i;
/** Folders of files that other documents include. */
const PART = /(?:^|\/)(?:_[^/]*|partials?|snippets?|includes?|templates?|fragments?)(?:\/|$)/i;
/** If a larger share of all documents has no link, a sidebar leads to them. */
const MAX_SHARE = 0.1;
const FEW_ORPHANS = 5;

/**
 * Finds documents to which no other one links. Documents where a reader begins are left out (an index, a README, those in the docs root itself).
 * Nothing is found if many documents have no link, since then something else leads to them, such as a sidebar. A document that front matter ties to
 * another one, or that a template makes one of its kind, has its place in the graph.
 */
export function orphanCheck(docs: Docs): (path: string) => RuleFinding | undefined {
  let isNavigated: boolean | undefined;
  return (path) => {
    if (isEntry(docs, path) || hasPlace(docs, path)) return undefined;
    isNavigated ??= hasOtherNavigation(docs);
    if (isNavigated) return undefined;
    return { rule: 'orphan-document', line: 1, column: 1, message: 'no other document links to this one' };
  };
}

/** Keys of front matter that say what a document belongs to, without `-` and `_`. */
const RELATIONS = new Set(['parent', 'childof', 'partof', 'dependson', 'dependencies', 'blockedby']);

function hasPlace({ view }: Docs, path: string): boolean {
  if (view.isLinkedTo(path)) return true;
  const outline = view.outline(path);
  if (outline === undefined) return false;
  const isTied = Object.keys(outline.fields).some((key) =>
    RELATIONS.has(key.toLowerCase().replace(/[-_ ]/g, '')),
  );
  return isTied || view.requirementsOf(path, outline).length > 0;
}

function isEntry(docs: Docs, path: string): boolean {
  const folder = folderOf(path);
  return (
    folder === '' ||
    PART.test(folder) ||
    docs.settings.roots.includes(folder) ||
    ENTRY.test(withoutMarkdownEnding(baseName(path)))
  );
}

function hasOtherNavigation(docs: Docs): boolean {
  let total = 0;
  let orphans = 0;
  for (const path of docs.view.documents()) {
    if (isEntry(docs, path)) continue;
    total += 1;
    if (!hasPlace(docs, path)) orphans += 1;
  }
  return orphans > FEW_ORPHANS && orphans > total * MAX_SHARE;
}
