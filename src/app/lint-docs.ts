import type { DocsSelection } from '../core/docs-selection.ts';
import { FsError } from '../core/errors.ts';
import type { LintFinding } from '../lint/finding.ts';
import { indexView } from '../lint/index-view.ts';
import { lint, placesOf } from '../lint/lint.ts';
import { requirementsBy } from '../schema/requirements.ts';
import type { LintChoices } from '../settings/lint.ts';
import { DocsFolders } from '../source/docs-folders.ts';
import type { Store } from '../store/store.ts';
import { lintSettings } from './lint-settings.ts';

/** The content of `.kgraphfs/lint.jsonl`: one finding per line. */
export function lintText(task: LintTask): string {
  return lintDocs(task)
    .map((finding) => `${JSON.stringify(finding)}\n`)
    .join('');
}

/** The docs to check, and their index. */
export interface LintTask {
  readonly store: Store;
  readonly selection: DocsSelection;
  /** Folders inside the docs that are not docs, as absolute paths. */
  readonly excluded: readonly string[];
  readonly choices: LintChoices;
  /** The folder of the project's own templates. */
  readonly templates?: string | undefined;
}

/**
 * Checks the docs as the index has them, against the present files.
 * @param isAsked which documents to check. Default: all
 */
export function lintDocs(task: LintTask, isAsked?: (path: string) => boolean): LintFinding[] {
  const { store, selection, excluded, choices } = task;
  const requirementsOf = requirementsBy(task.templates);
  const shown = new DocsFolders(selection, { excluded });
  const all = new DocsFolders({ ...selection, include: [], exclude: [] }, { excluded });
  try {
    return store.snapshot(() => {
      const view = indexView({
        store,
        files: () => pathsIn(shown, selection),
        requirementsOf,
        hasUnshown: (path) => path !== '' && isThere(all, path),
      });
      const paths = isAsked === undefined ? undefined : [...placesOf(view)].filter(isAsked);
      return lint(view, lintSettings(selection, choices), paths);
    });
  } finally {
    shown.close();
    all.close();
  }
}

/** Of several roots, the others are checked while one is away. With the only one away, nothing can be said. @throws UserError then */
function* pathsIn(shown: DocsFolders, { folders }: DocsSelection): Generator<string> {
  const options = folders.length > 1 ? { onMissing: () => {} } : {};
  for (const { path } of shown.scan(options)) yield path;
}

function isThere(docs: DocsFolders, path: string): boolean {
  try {
    docs.stat(path);
    return true;
  } catch (error) {
    if (error instanceof FsError) return false;
    throw error;
  }
}
