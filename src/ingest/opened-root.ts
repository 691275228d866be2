import { statSync } from 'node:fs';
import { type DocsFolder, type DocsSelection, wayOf } from '../core/docs-selection.ts';
import { UserError } from '../core/errors.ts';
import { openSelected } from '../source/docs-folders.ts';
import type { DocsRoot } from '../source/docs-root.ts';

/** A docs root, and which folder that is: at its path there may come to lie another one. */
export interface OpenedRoot {
  readonly root: DocsRoot;
  readonly identity: string;
}

/** @throws UserError where there is no folder to be read */
export function openWithIdentity(
  selection: DocsSelection,
  docs: DocsFolder,
  excluded: readonly string[],
): OpenedRoot {
  const way = wayOf(docs);
  const identity = identityOf(way);
  const root = openSelected(selection, docs, { excluded });
  if (identity !== undefined && identity === identityOf(way)) return { root, identity };
  root.close();
  throw new UserError(`the docs folder ${way} is being replaced`);
}

/** Which folder lies at the path now; undefined where there is none. Numbers are used again at once, so its birth tells, too. */
export function identityOf(docs: string): string | undefined {
  try {
    const { dev, ino, birthtimeNs } = statSync(docs, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return undefined;
  }
}
