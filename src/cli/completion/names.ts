/** Prints names for completion in a shell. A person waits for them while typing, so it loads no more code than needed. */

import { settleAnswering } from '../../app/settle-answering.ts';
import { readConfigFile } from '../../config/config-file.ts';
import type { Config } from '../../config/schema.ts';
import { UserError } from '../../core/errors.ts';
import { jsonOrUndefined } from '../../core/json-text.ts';
import { decodeName, encodeName } from '../../core/names.ts';
import { stateFolderAt } from '../../state/state-folder.ts';
import { memoryNamesLike, nodeNamesLike, sessionIdsLike } from '../../store/known-names.ts';
import type { Io } from '../io.ts';

/** More names than anybody reads. */
const MAX_NAMES = 300;

type PlaceFlags = Partial<Record<'docs' | 'state' | 'config', string>>;

/**
 * Prints the names that begin with the second word, one on each line; nothing if there are none, or no index yet. It reports no errors, since nobody asked for
 * anything.
 * @param tokens source, beginning, and the options that say which project
 */
export async function printNames(
  [source = '', beginning = '', ...flags]: readonly string[],
  io: Io,
): Promise<number> {
  try {
    const names = namesLike(source, beginning, await statePath(placeFlags(flags), io));
    // One name on each line, and no control characters where the shell lists them.
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

/** The path of the state folder. @throws UserError if the docs or the state folder cannot be used */
async function statePath(flags: PlaceFlags, io: Io): Promise<string> {
  const folder = io.workingFolder();
  const { file, text } = readConfigFile(folder, flags.config);
  const loaded = text === undefined ? { file: undefined, config: {} } : { file, config: placesIn(text) };
  return (await settleAnswering({ ...flags, mayMissDocs: true }, folder, loaded)).state;
}

/**
 * The keys of a config file that say where things are, picked by hand: loading the code that reads the whole file takes longer than a key press may.
 * The next command reports what is wrong with the file.
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

/** The first value of each option. If there are several docs roots, the state is beside the first. */
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
