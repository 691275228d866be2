import { isMarkdown } from '../core/markdown-ending.ts';
import type { Outline } from '../core/outline.ts';
import type { PlacedProblem } from '../store/problems.ts';
import type { Store } from '../store/store.ts';
import type { LintView, Requirement } from './view.ts';

/** @param type of the document's node */
export type RequirementsOf = (
  path: string,
  outline: Outline,
  type: string | undefined,
) => readonly Requirement[];

export interface IndexViewParts {
  readonly store: Store;
  /** All files that are shown. */
  readonly files: () => Iterable<string>;
  readonly hasUnshown: (path: string) => boolean;
  /** Default: nothing is required. */
  readonly requirementsOf?: RequirementsOf;
}

/** The docs as the index has them. */
export function indexView({ store, files, hasUnshown, requirementsOf = () => [] }: IndexViewParts): LintView {
  const { documents, outlines, contributions, keys, nodes, problems } = store;
  return {
    files,
    hasUnshown,
    documents: () =>
      documents
        .all()
        .map(({ path }) => path)
        // Documents of modules cannot be mended here.
        .filter((path) => isMarkdown(path) && !path.startsWith('/')),
    unread: () =>
      new Map(
        problems
          .all()
          .filter(isUnread)
          .map(({ path, message }) => [path, message]),
      ),
    outline: (path) => outlines.of(path)?.outline,
    outlines: () => outlines.all(),
    isLinkedTo(path) {
      const id = keys.find(`document:${path}`);
      return id !== undefined && contributions.documentsLinkingTo(id, 2).some((from) => from !== path);
    },
    *mentionsIn(path) {
      const document = documents.get(path);
      if (document === undefined) return;
      for (const { keyId, body } of contributions.mentionsOfDocument(document.id)) {
        yield { key: keys.keyOf(keyId), ...mentionIn(body) };
      }
    },
    *mentionsOf(key) {
      const id = keys.find(key);
      if (id === undefined) return;
      for (const { path, body } of contributions.mentionsOfKey(id))
        yield { path, lines: mentionIn(body).lines };
    },
    nodeLabels: () => nodes.identities().map(({ label }) => label),
    requirementsOf(path, outline) {
      const id = keys.find(`document:${path}`);
      return requirementsOf(path, outline, id === undefined ? undefined : nodes.byId(id)?.type);
    },
  };
}

/** Problems because of which a file could not be read. Files that are not markdown would not be checked anyway. */
const UNREAD_FILE: ReadonlySet<string> = new Set([
  'binary',
  'name-not-utf8',
  'not-text',
  'oversize',
  'path-too-long',
  'unreadable',
]);
/** Problems because of which the files of a folder could not be read, whatever they are. */
const UNREAD_FOLDER: ReadonlySet<string> = new Set(['path-too-deep', 'unreadable']);

function isUnread({ path, code }: PlacedProblem): boolean {
  if (path.startsWith('/')) return false;
  return isMarkdown(path) ? UNREAD_FILE.has(code) : UNREAD_FOLDER.has(code);
}

/** @param body a NodeContribution of `src/graph/contribution.ts` as JSON */
function mentionIn(body: string): { label: string; lines: readonly number[]; declares: boolean } {
  const { labels, lines, declares }: StoredMention = JSON.parse(body);
  const [label = ''] = Object.entries(labels)
    .sort(([, a], [, b]) => b - a)
    .map(([name]) => name);
  return { label, lines, declares };
}

interface StoredMention {
  readonly labels: Readonly<Record<string, number>>;
  readonly lines: readonly number[];
  readonly declares: boolean;
}
