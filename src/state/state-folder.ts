import { accessSync, chmodSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { OTHERS_BITS, OWNER_BITS, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { wayOut } from '../disk/disk-remedy.ts';
import { refuseOthersFolder } from '../disk/own-folder.ts';
import { writeWholeFile } from '../disk/whole-file.ts';
import { notedRootsFile } from './noted-roots.ts';
import { IGNORE_FILE, IGNORE_TEXT, refuseForeignFolder } from './whose-folder.ts';

/** Where one project's index, logs and daemons are kept: a folder of the user's own, closed to all others. */
export interface StateFolder {
  readonly path: string;
  /** Derived from the docs. */
  readonly indexFile: string;
  /** What search knows, derived from the docs. */
  readonly searchFile: string;
  /** How the docs lay on the disk when index and search were made equal to them. */
  readonly seenFile: string;
  /** Which docs roots the index is of. */
  readonly rootsFile: string;
  /** What search knows of memory and of history, derived from those. */
  readonly memorySearchFile: string;
  readonly historySearchFile: string;
  /** Vectors of texts, by text and model: what an API of embeddings was asked for. */
  readonly vectorsFile: string;
  /** What models answered about documents, by content: costs money, so it outlives the index. */
  readonly extractionsFile: string;
  /** The graph at each commit, derived from Git. */
  readonly commitsFile: string;
  /** Memory, sessions and history. */
  readonly contextFile: string;
  /** What was learnt from use: judgements of rules of extraction, and which ways were proposed. */
  readonly learningFile: string;
  /** One folder for each session. */
  readonly scratchpadsFolder: string;
  /** What modules keep, a folder each. */
  readonly modulesFolder: string;
  readonly logFile: string;
  /** What went wrong in hooks of Git, which let everything through. */
  readonly hooksLogFile: string;
  readonly daemonsFolder: string;
  /** Who begins to be a daemon, or wipes, has a lock on it. */
  readonly daemonsLock: string;
}

/** What whoever looks for a state folder takes. */
export interface FolderLook {
  /** Whether links in it are all right: for who follows none. Default: no. */
  readonly mayHoldLinks?: boolean | undefined;
}

export function stateFolderAt(path: string): StateFolder {
  return {
    path,
    indexFile: join(path, 'index.sqlite'),
    searchFile: join(path, 'search.sqlite'),
    seenFile: join(path, 'docs-seen.json'),
    rootsFile: notedRootsFile(path),
    memorySearchFile: join(path, 'memory-search.sqlite'),
    historySearchFile: join(path, 'history-search.sqlite'),
    vectorsFile: join(path, 'vectors.sqlite'),
    extractionsFile: join(path, 'extractions.sqlite'),
    commitsFile: join(path, 'commits.sqlite'),
    contextFile: join(path, 'context.sqlite'),
    learningFile: join(path, 'learning.json'),
    scratchpadsFolder: join(path, 'scratchpads'),
    modulesFolder: join(path, 'modules'),
    logFile: join(path, 'daemon.log'),
    hooksLogFile: join(path, 'hooks.log'),
    daemonsFolder: join(path, 'daemons'),
    daemonsLock: join(path, 'daemons.lock'),
  };
}

/**
 * Makes the folder where it is missing, and closes it to other users where it is open to them.
 * @throws UserError where it cannot be made, is no folder, belongs to somebody else, or other things are kept in it
 */
export function prepareStateFolder(state: StateFolder): void {
  try {
    refuseLink(state.path);
    // Before anything is made in it.
    refuseOthersFolder(state.path);
    refuseForeignFolder(state);
    makeFolder(state.daemonsFolder);
    const { mode } = lstatSync(state.path);
    // Who closed it to themselves has a reason.
    if ((mode & OTHERS_BITS) !== 0) chmodSync(state.path, mode & OWNER_BITS);
    hideFromGit(state.path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unusable(state, error);
  }
}

/** What a person is told where the system refuses to write there. */
export function unusable({ path }: StateFolder, error: unknown): UserError {
  const why = `the state folder cannot be used (${reasonOf(error)}); ${wayOut(systemCodeOf(error), path)}`;
  return new UserError(`${path}: ${why}`, EXIT.failed, { cause: error });
}

/** What is written to when a process commits what others of this state folder are to see. Absolute. */
export function sharedFiles(state: StateFolder): string[] {
  const { indexFile, searchFile, memorySearchFile, historySearchFile, contextFile } = state;
  return writtenFiles([indexFile, searchFile, memorySearchFile, historySearchFile, contextFile]);
}

/** What is written to by commits to databases that have a write-ahead log. */
export function writtenFiles(databases: readonly string[]): string[] {
  return databases.flatMap((file) => [file, `${file}-wal`]);
}

/** One after the other: asked for all at once, Node.js tries for ever where the kernel says of a folder that is there that it is not, as /proc does. */
function makeFolder(path: string): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER_MODE });
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/**
 * It has an ignore file of its own, so that `git add -A` leaves it alone and no file of the repository has to say so. One that is there is left as it
 * is; so it comes whole or not at all: one that a full disk left empty would ignore nothing, for good.
 */
function hideFromGit(path: string): void {
  const file = join(path, IGNORE_FILE);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) writeWholeFile(file, IGNORE_TEXT);
}

/** A repository may come with a link of this name: what it points to is not ours to close and to write in. */
function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new UserError(`${path}: the state folder is a link; name the folder itself with --state`);
}

/** What is made in it by name, whether it is there or not. */
export function namedFiles(state: StateFolder): string[] {
  const { path, scratchpadsFolder, modulesFolder, ...files } = state;
  const databases = Object.values(files).filter((file) => file.endsWith('.sqlite'));
  return [...Object.values(files), ...databases.flatMap((file) => [`${file}-wal`, `${file}-shm`])];
}

/**
 * To be called before it is said that no daemon works in a state folder.
 * @throws UserError where it is closed to this user, and another's
 */
export function refuseClosedFolder({ path, daemonsFolder }: StateFolder): void {
  try {
    accessSync(daemonsFolder);
  } catch (error) {
    if (systemCodeOf(error) === 'EACCES') refuseOthersFolder(path);
  }
}
