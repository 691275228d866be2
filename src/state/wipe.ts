import { existsSync, lstatSync, readdirSync, readFileSync, unlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import { DATABASE_FILE_ENDINGS } from '../disk/database-files.ts';
import { removeTree } from '../disk/remove.ts';
import { removeIfEmpty } from '../disk/remove-if-empty.ts';
import { daemonPlace, liveDaemons } from './daemons.ts';
import { removeDaemonsLock, withDaemonsLocked } from './daemons-lock.ts';
import type { StateFolder } from './state-folder.ts';
import { IGNORE_FILE, IGNORE_TEXT } from './whose-folder.ts';

/** What is to be removed from a state folder. */
export interface WipeChoice {
  /** What can be made again from the docs, or asked for again: the index, files of modules, logs, records of daemons. */
  readonly index: boolean;
  /** What cannot be made again: memory, history, sessions, scratchpads. The answers of models, which cost money, are removed only together with both. */
  readonly memory: boolean;
}

const DAEMON_FILE = /^\d+(?:-\d*-\d*)?\.(?:json|status)(?:\.new)?$/;
const CHECK_FILE = /^check-\d+-\w+\.sqlite(?:-wal|-shm|-journal)?$/;

/**
 * The names of what there is to remove, relative to the state folder. It names only what we make.
 * @throws UserError if the state folder is a link, or belongs to somebody else
 */
export function toWipe(state: StateFolder, { index, memory }: WipeChoice): string[] {
  if (!isThere(state)) return [];
  const names = new Set(readdirSync(state.path));
  const has = (name: string) => names.has(name);
  const found = [
    ...(index
      ? [
          ...databasesOf(state),
          basename(state.seenFile),
          basename(state.rootsFile),
          basename(state.modulesFolder),
          ...logsOf(state),
          ...[...names].filter((name) => CHECK_FILE.test(name)),
        ]
      : []
    ).filter(has),
    ...(index ? daemonFiles(state) : []),
    ...(memory ? [...names].filter((name) => name.startsWith(basename(state.contextFile))) : []),
    ...(memory
      ? [
          ...partsOf([state.memorySearchFile, state.historySearchFile, state.vectorsFile]),
          basename(state.learningFile),
        ].filter(has)
      : []),
    ...(index && memory ? partsOf([state.extractionsFile]).filter(has) : []),
    ...(memory && existsSync(state.contextFile) ? [basename(state.scratchpadsFolder)].filter(has) : []),
  ];
  return [...new Set(found)];
}

/** @throws UserError if a daemon works in the state folder */
export function refuseWhileServed(state: StateFolder): void {
  const [daemon] = liveDaemons(state);
  if (daemon === undefined) return;
  throw new UserError(
    `a daemon works in ${state.path}, ${daemonPlace(daemon)}; end it first: kgraphfs stop --all`,
  );
}

/**
 * Removes these names from the state folder, and the folder itself if only files of ours are left in it. Links are removed, not followed. Meanwhile no daemon
 * can begin, and no running daemon has its files removed.
 * @throws UserError if something cannot be removed, or if a daemon works there: then nothing is removed
 */
export async function wipe(state: StateFolder, names: readonly string[]): Promise<void> {
  if (!existsSync(state.path)) return;
  const body = (): void => {
    // A daemon may have begun while the user was asked.
    refuseWhileServed(state);
    remove(state, names);
  };
  await withDaemonsLocked(state, body, { makesRoom: true });
}

function remove(state: StateFolder, names: readonly string[]): void {
  for (const name of names) {
    try {
      removeTree(join(state.path, name));
    } catch (error) {
      throw new UserError(`${join(state.path, name)}: cannot be removed: ${reasonOf(error)}`, EXIT.failed, {
        cause: error,
      });
    }
  }
  removeIfEmpty(state.daemonsFolder);
  removeDaemonsLock(state);
  if (!existsSync(state.path)) return;
  const ignoreFile = join(state.path, IGNORE_FILE);
  const [left, ...others] = readdirSync(state.path);
  if (left === IGNORE_FILE && others.length === 0 && readFileSync(ignoreFile, 'utf8') === IGNORE_TEXT)
    unlinkSync(ignoreFile);
  removeIfEmpty(state.path);
}

function isThere({ path }: StateFolder): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return false;
  if (!status.isDirectory())
    throw new UserError(`${path}: the state folder is not a folder; nothing is removed there`);
  const uid = process.getuid?.();
  if (uid !== undefined && uid !== 0 && status.uid !== uid)
    throw new UserError(`${path}: the state folder belongs to another user`);
  return true;
}

/** Those databases that exist and can be made again. */
function databasesOf(state: StateFolder): string[] {
  return Object.values(state)
    .filter((path) => path.endsWith('.sqlite') && !isKept(state, path))
    .flatMap((path) => partsOf([path]));
}

/** Whether a file cannot be made again, or only for money. */
function isKept({ contextFile, extractionsFile }: StateFolder, path: string): boolean {
  return path === contextFile || path === extractionsFile;
}

function partsOf(databases: readonly string[]): string[] {
  return databases.flatMap((path) => DATABASE_FILE_ENDINGS.map((part) => `${basename(path)}${part}`));
}

function logsOf(state: StateFolder): string[] {
  return Object.values(state)
    .filter((path) => path.endsWith('.log'))
    .flatMap((path) => [basename(path), `${basename(path)}.1`]);
}

function daemonFiles({ daemonsFolder }: StateFolder): string[] {
  if (!lstatSync(daemonsFolder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(daemonsFolder)
    .filter((name) => DAEMON_FILE.test(name))
    .map((name) => join(basename(daemonsFolder), name));
}
