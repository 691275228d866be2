import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CONFIG_FILE_NAME } from '../config/config-file.ts';
import type { Io } from './io.ts';
import type { Place } from './project.ts';

/**
 * Tells a user who begins an index of the current folder without having named docs that a folder above, in the same repository, has a config file:
 * that project may be the one that was meant.
 */
export function tellOfProjectAbove({ settings, state }: Place, io: Io): void {
  const { configFile, docs } = settings;
  if (existsSync(state.indexFile) || configFile !== undefined) return;
  if (docs !== realpathSync(io.workingFolder())) return;
  let folder = docs;
  while (!existsSync(join(folder, '.git')) && dirname(folder) !== folder) {
    folder = dirname(folder);
    const file = join(folder, CONFIG_FILE_NAME);
    if (!existsSync(file)) continue;
    io.err.write(
      `${docs} is a project of its own here, with its files alone; ${file} is read by commands run in ${folder}\n`,
    );
    return;
  }
}
