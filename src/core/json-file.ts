import { placeInFile } from '../text/place-in-text.ts';
import { type ExitStatus, UserError } from './errors.ts';
import { jsonFault } from './json-text.ts';

/**
 * Parses the text of a JSON file.
 * @param file the name of the file, for errors
 * @param exitStatus the exit status of the error
 * @throws UserError with line and column if the text is not JSON. It quotes nothing of the text, which might be several lines
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
