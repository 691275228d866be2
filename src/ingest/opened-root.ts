import { statSync } from 'node:fs';
import { UserError } from '../core/errors.ts';
import { type DocsRoot, openDocsRoot } from '../source/docs-root.ts';
import { excludeFolders } from './exclude.ts';

/** A docs root, and which folder that is: at its path there may come to lie another one. */
export interface OpenedRoot {
  readonly root: DocsRoot;
  readonly identity: string;
}

/** @throws UserError where there is no folder to be read */
export function openWithIdentity(docs: string, excluded: readonly string[]): OpenedRoot {
  const identity = identityOf(docs);
  const root = openDocsRoot(docs, { exclude: excludeFolders(docs, excluded), report: () => {} });
  if (identity !== undefined && identity === identityOf(docs)) return { root, identity };
  root.close();
  throw new UserError(`the docs folder ${docs} is being replaced`);
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
