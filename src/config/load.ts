import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { reasonOf, UserError } from '../core/errors.ts';
import { type Config, configSchema } from './schema.ts';

const CONFIG_FILE_NAME = 'kgraphfs.config.json';

/** Exit status for a configuration that cannot be used, as for a wrong command line. */
export const USAGE = 2;

/** A configuration and the file it came from; no file where there was none to read. */
export interface LoadedConfig {
  readonly file: string | undefined;
  readonly config: Config;
}

/**
 * Reads the named file, or `kgraphfs.config.json` of the folder if there is one.
 * @throws UserError naming the file and the line or key, and what would be right there
 */
export function loadConfig(folder: string, named: string | undefined): LoadedConfig {
  const file = resolve(folder, named ?? CONFIG_FILE_NAME);
  const text = readText(file, named !== undefined);
  if (text === undefined) return { file: undefined, config: {} };
  const result = configSchema.safeParse(parseJson(text, file));
  if (result.success) return { file, config: result.data };
  throw new UserError(result.error.issues.map((issue) => `${file}: ${describe(issue)}`).join('\n'), USAGE);
}

function readText(file: string, isRequired: boolean): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && !isRequired) return undefined;
    throw new UserError(`${file}: the config file cannot be read: ${reasonOf(error)}`, USAGE, {
      cause: error,
    });
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${placeIn(text, file, error)}: this is not JSON: ${reasonOf(error)}`, USAGE, {
      cause: error,
    });
  }
}

/** V8 says at which character JSON stopped making sense; people and editors count lines and columns. */
function placeIn(text: string, file: string, error: unknown): string {
  const position = /position (\d+)/.exec(reasonOf(error))?.[1];
  const before = text.slice(0, position === undefined ? text.length : Number(position)).split('\n');
  return `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => [...issue.path, key].join('.'));
    return `unknown key ${keys.join(', ')}`;
  }
  return `${issue.path.join('.') || 'the whole file'}: ${issue.message}`;
}
