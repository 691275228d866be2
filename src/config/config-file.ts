import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';

export const CONFIG_FILE_NAME = 'kgraphfs.config.json';

/**
 * The text of the named file, or of `kgraphfs.config.json` in the folder; undefined if that one does not exist.
 * @throws UserError if it cannot be read, or a named one does not exist
 */
export function readConfigFile(
  folder: string,
  named: string | undefined,
): { readonly file: string; readonly text: string | undefined } {
  const file = configFileAt(folder, named);
  return { file, text: readText(file, named !== undefined) };
}

/** The absolute path of the named file, or of `kgraphfs.config.json` in the folder, whether it exists or not. */
export function configFileAt(folder: string, named: string | undefined): string {
  return resolve(folder, named ?? CONFIG_FILE_NAME);
}

/** Whether there is a config file to read. Without one, nothing that is needed to read it has to be loaded. */
export function hasConfigFile(folder: string, named: string | undefined): boolean {
  return named !== undefined || existsSync(resolve(folder, CONFIG_FILE_NAME));
}

function readText(file: string, isRequired: boolean): string | undefined {
  try {
    // Editors on Windows write a byte order mark before the text.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && !isRequired) return undefined;
    throw new UserError(`${file}: the config file cannot be read: ${reasonOf(error)}`, EXIT.wrongUsage, {
      cause: error,
    });
  }
}
