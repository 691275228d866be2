import { placeInFile } from '../text/place-in-text.ts';
import { type ExitStatus, UserError } from './errors.ts';
import { jsonFault } from './json-text.ts';

/**
 * The value of a file's text.
 * @param file its name, for errors
 * @param exitStatus of the error
 * @throws UserError with line and column where the text is no JSON, and nothing of the text in it, which may be several lines
 */
export function parsedJson(text: string, file: string, exitStatus: ExitStatus): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { at, reason } = jsonFault(text, error);
    throw new UserError(`${placeInFile(file, text, at)}: this is not JSON: ${reason}`, exitStatus, {
      cause: error,
    });
  }
}
