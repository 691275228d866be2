import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONFIG_FILE_NAME } from '../config/config-file.ts';
import { stateBeside } from '../config/docs-roots.ts';
import { isWithin } from '../core/paths.ts';
import { notedRoots } from '../state/noted-roots.ts';
import type { Io } from './io.ts';
import type { Place } from './project.ts';

/**
 * Tells a user who begins an index of the current folder without having named docs that a folder above, in the same repository, has a config file,
 * or an index of the same docs: that project may be the one that was meant.
 */
export function tellOfProjectAbove({ settings, state }: Place, io: Io): void {
  const { configFile, docs } = settings;
  if (existsSync(state.indexFile) || configFile !== undefined) return;
  if (docs !== realpathSync(io.workingFolder())) return;
  let folder = docs;
  while (!existsSync(join(folder, '.git')) && dirname(folder) !== folder) {
    folder = dirname(folder);
    const sign = signOfProject(folder, docs);
    if (sign === undefined) continue;
    io.err.write(
      `${docs} is all that this command looks at; the project of ${sign} is used by commands run in ${folder}\n`,
    );
    return;
  }
}

/** The config file of a folder, or else its state folder, if that is one of the docs. */
function signOfProject(folder: string, docs: string): string | undefined {
  const file = join(folder, CONFIG_FILE_NAME);
  if (existsSync(file)) return file;
  const state = stateBeside(folder, folder, undefined);
  const isIndexed = notedRoots(state)?.some((root) => isWithin(docs, root.folder)) ?? false;
  return isIndexed ? state : undefined;
}
