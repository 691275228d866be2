/**
 * Names for a shell that waits for them while somebody types: it loads no more than it needs.
 */

import { settleAnswering } from '../../app/settle-answering.ts';
import { readConfigFile } from '../../config/config-file.ts';
import type { Config } from '../../config/schema.ts';
import { UserError } from '../../core/errors.ts';
import { jsonOrUndefined } from '../../core/json-text.ts';
import { decodeName, encodeName } from '../../core/names.ts';
import { stateFolderAt } from '../../state/state-folder.ts';
import { memoryNamesLike, nodeNamesLike, sessionIdsLike } from '../../store/known-names.ts';
import type { Io } from '../io.ts';

/** More than anybody reads. */
const MAX_NAMES = 300;

type PlaceFlags = Partial<Record<'docs' | 'state' | 'config', string>>;

/**
 * Prints names that begin as the second word does, one a line; nothing where there are none, or no index yet. Complains of nothing: nobody asked.
 * @param tokens source, beginning, and the options that say which project
 */
export async function printNames(
  [source = '', beginning = '', ...flags]: readonly string[],
  io: Io,
): Promise<number> {
  try {
    const names = namesLike(source, beginning, await statePath(placeFlags(flags), io));
    // One a line, and nothing that moves the cursor where a shell lists them.
    const plain = names.filter((name) => !/\p{Cc}/u.test(name));
    io.out.write(plain.map((name) => `${name}\n`).join(''));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  return 0;
}

function namesLike(source: string, beginning: string, path: string): string[] {
  const { indexFile, contextFile } = stateFolderAt(path);
  if (source === 'memories') return memoryNamesLike(contextFile, beginning, MAX_NAMES);
  if (source === 'sessions') return sessionIdsLike(contextFile, beginning, MAX_NAMES);
  return nodeNamesLike(indexFile, beginning === '' ? '' : encodeName(beginning), MAX_NAMES).map(decodeName);
}

/** @throws UserError where the docs or the state folder cannot be used */
async function statePath(flags: PlaceFlags, io: Io): Promise<string> {
  const folder = io.workingFolder();
  const { file, text } = readConfigFile(folder, flags.config);
  const loaded = text === undefined ? { file: undefined, config: {} } : { file, config: placesIn(text) };
  return (await settleAnswering({ ...flags, mayMissDocs: true }, folder, loaded)).state;
}

/**
 * Of a config file what says where things are, looked at by hand: to load what reads all of it takes longer than a key may take. What is wrong with it
 * the next command will say.
 */
function placesIn(text: string): Pick<Config, 'docs' | 'state'> {
  const config = jsonOrUndefined(text);
  if (typeof config !== 'object' || config === null) return {};
  const { docs, state }: { docs?: unknown; state?: unknown } = config;
  const roots = Array.isArray(docs) ? docs.filter(isRoot) : isRoot(docs) ? docs : undefined;
  return {
    ...(roots === undefined ? {} : { docs: roots }),
    ...(typeof state === 'string' ? { state } : {}),
  };
}

function isRoot(value: unknown): value is string | { name: string; path: string } {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null) return false;
  const { name, path }: { name?: unknown; path?: unknown } = value;
  return typeof path === 'string' && typeof name === 'string';
}

/** The first of each: of several docs roots that is the one beside which the state is. */
function placeFlags(tokens: readonly string[]): PlaceFlags {
  const flags: PlaceFlags = {};
  for (const [index, token] of tokens.entries()) {
    const [, name, own] = /^--(docs|state|config)(?:=(.*))?$/s.exec(token) ?? [];
    const value = own ?? tokens[index + 1];
    if (value === undefined || (name !== 'docs' && name !== 'state' && name !== 'config')) continue;
    flags[name] ??= value;
  }
  return flags;
}
