import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { KEYS_FILE_NAME } from './api-key.ts';
import type { BuiltInName } from './modules-schema.ts';
import { ownConfigFolder, readOwnFile } from './own-file.ts';

/**
 * The variables that may contain each key, by the name under which the module gets it. They are read from the environment, else from `.env` in the
 * user's own config folder.
 */
const VARIABLES: Partial<Record<BuiltInName, Readonly<Record<string, readonly string[]>>>> = {
  github: { GITHUB_TOKEN: ['GITHUB_TOKEN', 'GH_TOKEN'] },
};

/** The keys of a built-in module that are set. */
export function secretsOf(module: BuiltInName, variables: NodeJS.ProcessEnv): Record<string, string> {
  const wanted = VARIABLES[module];
  if (wanted === undefined) return {};
  const file = parseEnv(readOwnFile(join(ownConfigFolder(variables), KEYS_FILE_NAME)).text ?? '');
  const secrets: Record<string, string> = {};
  for (const [name, candidates] of Object.entries(wanted)) {
    const places = [...candidates.map((key) => variables[key]), ...candidates.map((key) => file[key])];
    const found = places.find((value) => value !== undefined && value.trim() !== '')?.trim();
    if (found !== undefined) secrets[name] = found;
  }
  return secrets;
}
