import type { Repository } from './repository.ts';
import { GitFailure } from './run-git.ts';

/**
 * Whether Git passes a folder by, by its `.gitignore` files and settings. The folder need not exist.
 * @param path relative to the top of the work tree
 * @throws UserError if there is no Git; GitFailure if it cannot tell
 */
export function isIgnored(repository: Pick<Repository, 'run'>, path: string): boolean {
  try {
    // It takes paths, not patterns, and yet refuses to be told so.
    repository.run(['--no-literal-pathspecs', 'check-ignore', '--quiet', '--', `./${path}/`]);
    return true;
  } catch (error) {
    // git-check-ignore(1): a status of 1, and no message, for what is not ignored.
    if (error instanceof GitFailure && error.said === '') return false;
    throw error;
  }
}

/** The line of a `.gitignore` file at the top of the work tree for one folder: gitignore(5). */
export function ignoringLine(path: string): string {
  return `/${path.replace(/[\\*?[]| $/g, '\\$&')}/`;
}
