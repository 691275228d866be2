import { relative } from 'node:path';
import type { DocsFolder, DocsSelection } from '../core/docs-selection.ts';
import { UserError } from '../core/errors.ts';
import { isWithin } from '../core/paths.ts';
import { type CommitInfo, commitInfos } from '../git/commits.ts';
import { findRepository, type GitCaller } from '../git/repository.ts';
import type { DocsInTree, TreeRoot } from '../git/tree-files.ts';

/**
 * Where the docs lie in their repository, which is that of the first root. Roots in other repositories are not part of the graph of commits, since a commit
 * says nothing of them.
 * @throws UserError if there is no repository, or no Git
 */
export function docsInGit(selection: DocsSelection, caller: GitCaller): DocsInTree {
  const docs = docsInGitIfAny(selection, caller);
  if (docs !== undefined) return docs;
  const [first] = selection.folders;
  throw new UserError(`${first?.folder}: this folder is in no git repository; "git init" makes one`);
}

/** As {@link docsInGit}, but undefined if there is no repository. @throws UserError if there is no Git */
export function docsInGitIfAny(selection: DocsSelection, caller: GitCaller): DocsInTree | undefined {
  const [first, ...others] = selection.folders;
  if (first === undefined) return undefined;
  const repository = findRepository(first.folder, caller);
  if (repository === undefined) return undefined;
  const { topFolder, gitFolder } = repository;
  const isIn = ({ folder }: DocsFolder) =>
    isWithin(folder, topFolder) && findRepository(folder, caller)?.gitFolder === gitFolder;
  const within = [first, ...others.filter(isIn)];
  return {
    repository,
    roots: within.map((root) => rootIn(topFolder, root)),
    elsewhere: others.filter((root) => !within.includes(root)).map(({ name }) => name),
  };
}

function rootIn(topFolder: string, { name, folder }: DocsFolder): TreeRoot {
  return { name, prefix: relative(topFolder, folder) };
}

/** What Git knows of a commit. @throws UserError if it does not exist */
export function infoOf(docs: DocsInTree, commit: string): CommitInfo {
  const [info] = commitInfos(docs.repository, [commit]);
  if (info === undefined) throw new UserError(`${commit}: there is no such commit`);
  return info;
}
