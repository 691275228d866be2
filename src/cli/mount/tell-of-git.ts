import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { wholeEnvironment } from '../../config/environment.ts';
import { UserError } from '../../core/errors.ts';
import { ignoringLine, isIgnored } from '../../git/ignored.ts';
import { findRepository } from '../../git/repository.ts';
import { printableName } from '../../text/printable.ts';
import { shownShellWord } from '../../text/shell-word.ts';
import type { Io } from '../io.ts';

/**
 * Warns of a mount in a work tree whose Git would take the mount for a part of it: `git add -A` would add the history, and `git clean -dx` would remove memories.
 * @param mountpoint absolute; the folder need not exist. Undefined if nothing is mounted
 */
export function tellOfGit(mountpoint: string | undefined, { err, workingFolder }: Io): void {
  if (mountpoint === undefined) return;
  const folder = dirname(mountpoint);
  if (!hasWorkTree(folder)) return;
  try {
    const repository = findRepository(folder, {
      variables: wholeEnvironment(),
      workingFolder: workingFolder(),
    });
    if (repository === undefined) return;
    const { topFolder } = repository;
    const path = relative(topFolder, mountpoint);
    if (isIgnored(repository, path)) return;
    const line = shownShellWord(ignoringLine(path));
    const file = shownShellWord(join(topFolder, '.gitignore'));
    err.write(
      `${err.style('yellow', `${printableName(mountpoint)} is in a git work tree that does not ignore it`)}: git add would take in what is mounted, and git clean would remove memories; to prevent that: echo ${line} >> ${file}\n`,
    );
  } catch (error) {
    // Where there is no Git, or it refuses the repository, nobody runs it on the mount.
    if (!(error instanceof UserError)) throw error;
  }
}

/** Spares most callers a run of Git. */
function hasWorkTree(folder: string): boolean {
  return existsSync(join(folder, '.git')) || (folder !== dirname(folder) && hasWorkTree(dirname(folder)));
}
