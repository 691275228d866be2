import { basename, dirname, resolve } from 'node:path';
import { isWithin } from '../core/paths.ts';
import type { Repository } from '../git/repository.ts';
import { GitFailure } from '../git/run-git.ts';

/** The folder for the hooks of a repository. */
export interface HooksFolder {
  /** An absolute path. */
  readonly path: string;
  /** Whether husky runs the files there: as shell scripts, whatever their first line and their permissions say. */
  readonly isHusky: boolean;
  /** Whether other repositories may have their hooks there, too. */
  readonly isShared: boolean;
}

/**
 * The folder from which Git takes the hooks of a work tree, as `core.hooksPath` says. With husky, it is the folder in which people write their hooks: husky
 * regenerates those in `_`, which run these.
 */
export function hooksFolderOf(repository: Repository): HooksFolder {
  const { topFolder, commonFolder } = repository;
  const configured = settingOf(repository, 'core.hooksPath', ['--type=path']);
  const given = resolve(topFolder, configured ?? `${commonFolder}/hooks`);
  const isHusky = basename(given) === '_' && basename(dirname(given)) === '.husky';
  const path = isHusky ? dirname(given) : given;
  return { path, isHusky, isShared: !isWithin(path, topFolder) && !isWithin(path, commonFolder) };
}

/** A setting of the repository or of its user; undefined if there is none. */
export function settingOf(
  repository: Repository,
  name: string,
  options: readonly string[] = [],
): string | undefined {
  try {
    const value = repository.configure(['config', ...options, '--get', name]);
    return value.toString('utf8').replace(/\n$/, '') || undefined;
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}
