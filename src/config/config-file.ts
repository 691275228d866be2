import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';

export const CONFIG_FILE_NAME = 'kgraphfs.config.json';

/**
 * The text of the named file, or of `kgraphfs.config.json` of the folder; undefined where that is not there.
 * @throws UserError where it cannot be read, or a named one is not there
 */
export function readConfigFile(
  folder: string,
  named: string | undefined,
): { readonly file: string; readonly text: string | undefined } {
  const file = configFileAt(folder, named);
  return { file, text: readText(file, named !== undefined) };
}

/** Where the named file is, or `kgraphfs.config.json` of the folder, be it there or not. Absolute. */
export function configFileAt(folder: string, named: string | undefined): string {
  return resolve(folder, named ?? CONFIG_FILE_NAME);
}

/** Whether there is a config file to read: without one nothing of what reads it is needed. */
export function hasConfigFile(folder: string, named: string | undefined): boolean {
  return named !== undefined || existsSync(resolve(folder, CONFIG_FILE_NAME));
}

function readText(file: string, isRequired: boolean): string | undefined {
  try {
    // Editors of Windows write a mark of the byte order before the text.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && !isRequired) return undefined;
    throw new UserError(`${file}: the config file cannot be read: ${reasonOf(error)}`, EXIT.wrongUsage, {
      cause: error,
    });
  }
}
