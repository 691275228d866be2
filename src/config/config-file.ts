import { lstatSync, readFileSync, statSync } from 'node:fs';
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
  return named !== undefined || isThere(resolve(folder, CONFIG_FILE_NAME));
}

/** Also true for a link that leads nowhere: whoever made it expects a config to be used. */
function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder that may not be looked into shows no config.
    return false;
  }
}

function readText(file: string, isRequired: boolean): string | undefined {
  try {
    // What was named may be a pipe. What lies in a folder may have come with a checkout, such as a link to a device, of which there is no end.
    if (!isRequired && isThere(file)) refuseOther(file);
    // Editors on Windows write a byte order mark before the text.
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof UserError) throw error;
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && !isRequired) return undefined;
    throw new UserError(`${file}: the config file cannot be read: ${reasonOf(error)}`, EXIT.wrongUsage, {
      cause: error,
    });
  }
}

/** @throws UserError if it is no file, nor a link to one */
function refuseOther(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile()) return;
  const why = found === undefined ? 'is a link that leads nowhere' : 'is no ordinary file';
  throw new UserError(`${file}: the config file ${why}; correct or remove it`, EXIT.wrongUsage);
}
