import type { z } from 'zod';
import { EXIT, UserError } from '../core/errors.ts';
import { parsedJson } from '../core/json-file.ts';
import { knownKeysClause } from '../core/known-keys.ts';
import { plainIssues } from '../core/plain-issues.ts';
import { placeInFile } from '../text/place-in-text.ts';
import { readConfigFile } from './config-file.ts';
import { keyTwice, placeInJson } from './json-places.ts';
import { type Config, configSchema } from './schema.ts';

/** A configuration with the file that it comes from; without a file if there was none to read. */
export interface LoadedConfig {
  readonly file: string | undefined;
  /** The text of the file; absent if there is none. */
  readonly text?: string;
  readonly config: Config;
}

/**
 * Reads the named file, or `kgraphfs.config.json` in the folder if that exists.
 * @throws UserError that names the file and the line or key, and what would be right there
 */
export function loadConfig(folder: string, named: string | undefined): LoadedConfig {
  const { file, text } = readConfigFile(folder, named);
  if (text === undefined) return { file: undefined, config: {} };
  return { file, text, config: parseConfig(configSchema, text, file) };
}

/** @throws UserError that names the file and the line or key, and what would be right there */
export function parseConfig<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  file: string,
): z.infer<Schema> {
  const value = parsedJson(text, file, EXIT.wrongUsage);
  const twice = keyTwice(text);
  if (twice !== undefined) {
    const { path, at, firstLine } = twice;
    throw new UserError(
      `${placeInFile(file, text, at)}: ${path.join('.')}: this key is given twice, first in line ${firstLine}`,
      EXIT.wrongUsage,
    );
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const found = plainIssues(result.error.issues).map(({ path, message, isUnknownKey }) => {
    const { line, column } = placeInJson(text, path);
    const key = path.join('.') || 'the whole file';
    const said = isUnknownKey ? `unknown key ${key}${knownKeysClause(schema, path)}` : `${key}: ${message}`;
    return `${file}:${line}:${column}: ${said}`;
  });
  throw new UserError(found.join('\n'), EXIT.wrongUsage);
}
