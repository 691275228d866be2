import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { docsInGit } from '../../src/commit-graph/docs-in-git.ts';
import type { Repository } from '../../src/git/repository.ts';
import { installHooks } from '../../src/hooks/install.ts';
import type { GitSandbox } from '../git/sandbox.ts';
import { oneFolder } from '../support/one-folder.ts';

export function repositoryOf({ folder, variables }: GitSandbox): Repository {
  return docsInGit(oneFolder(folder), { variables, workingFolder: folder }).repository;
}

/** Installs the hooks as the command does that is run at the top of the repository. */
export function install(git: GitSandbox) {
  const { folder } = git;
  const stateFolder = join(folder, '.kgraphfs');
  return installHooks({ repository: repositoryOf(git), folder, options: [], stateFolder });
}

/** All that is in a folder, with permissions and what links lead to. */
export function contentOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    names.map((name) => {
      const status = lstatSync(join(folder, name));
      const mode = (status.mode & 0o7777).toString(8);
      if (status.isSymbolicLink()) return [name, `link ${readlinkSync(join(folder, name))}`];
      return [name, `${mode} ${status.isFile() ? readFileSync(join(folder, name), 'latin1') : ''}`];
    }),
  );
}
