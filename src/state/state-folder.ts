import { accessSync, chmodSync, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { OTHERS_BITS, OWNER_BITS, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { wayOut } from '../disk/disk-remedy.ts';
import { refuseOthersFolder } from '../disk/own-folder.ts';
import { writeWholeFile } from '../disk/whole-file.ts';
import { notedRootsFile } from './noted-roots.ts';
import { IGNORE_FILE, IGNORE_TEXT, refuseForeignFolder } from './whose-folder.ts';

/** The folder where one project's index, logs and daemons are kept. It belongs to the user and is closed to all others. */
export interface StateFolder {
  readonly path: string;
  /** The index, derived from the docs. */
  readonly indexFile: string;
  /** The data of search, derived from the docs. */
  readonly searchFile: string;
  /** The state of the docs on disk when index and search were last made equal to them. */
  readonly seenFile: string;
  /** The docs roots that the index was made from. */
  readonly rootsFile: string;
  /** The data of search over memory and over history, derived from those. */
  readonly memorySearchFile: string;
  readonly historySearchFile: string;
  /** Vectors of texts, by text and model, as an API of embeddings has returned them. */
  readonly vectorsFile: string;
  /** Answers of models about documents, by content. They cost money, so they outlive the index. */
  readonly extractionsFile: string;
  /** The graph at each commit, derived from Git. */
  readonly commitsFile: string;
  /** Memory, sessions and history. */
  readonly contextFile: string;
  /** What was learnt from use: judgements about rules of extraction, and which paths of the graph were proposed. */
  readonly learningFile: string;
  /** Holds one folder for each session. */
  readonly scratchpadsFolder: string;
  /** Holds one folder for each module. */
  readonly modulesFolder: string;
  readonly logFile: string;
  /** What went wrong in hooks of Git, which let every commit through in that case. */
  readonly hooksLogFile: string;
  readonly daemonsFolder: string;
  /** Locked by a process that is starting as a daemon, or wiping. */
  readonly daemonsLock: string;
}

/** What a command accepts in a state folder. */
export interface FolderLook {
  /** Whether links in the folder are acceptable, which is so for a command that follows none. Default: no. */
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
 * Makes the folder if it is missing, and closes it to other users if it is open to them.
 * @throws UserError if it cannot be made, is no folder, belongs to somebody else, or contains other things
 */
export function prepareStateFolder(state: StateFolder): void {
  try {
    refuseLink(state.path);
    // These checks come before anything is made in the folder.
    refuseOthersFolder(state.path);
    refuseForeignFolder(state);
    makeFolder(state.daemonsFolder);
    const { mode } = lstatSync(state.path);
    // Permissions that its owner has taken from themselves stay so.
    if ((mode & OTHERS_BITS) !== 0) chmodSync(state.path, mode & OWNER_BITS);
    hideFromGit(state.path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unusable(state, error);
  }
}

/** The error for a person when the system refuses to write in the state folder. */
export function unusable({ path }: StateFolder, error: unknown): UserError {
  const why = `the state folder cannot be used (${reasonOf(error)}); ${wayOut(systemCodeOf(error), path)}`;
  return new UserError(`${path}: ${why}`, EXIT.failed, { cause: error });
}

/** Absolute paths of the files that are written to when a process commits something that others of this state folder are to see. */
export function sharedFiles(state: StateFolder): string[] {
  const { indexFile, searchFile, memorySearchFile, historySearchFile, contextFile } = state;
  return writtenFiles([indexFile, searchFile, memorySearchFile, historySearchFile, contextFile]);
}

/** The files that commits write to, for databases with a write-ahead log. */
export function writtenFiles(databases: readonly string[]): string[] {
  return databases.flatMap((file) => [file, `${file}-wal`]);
}

/**
 * Makes parents one by one. Asked to make all at once, Node.js tries for ever if the kernel says of an existing folder that it does not exist, as it does in
 * /proc.
 */
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
 * Writes an ignore file into the folder, so that `git add -A` leaves it alone and no file of the repository has to mention it. An existing one stays as it is.
 * So it must be written whole or not at all: an empty one, left by a full disk, would ignore nothing, for good.
 */
function hideFromGit(path: string): void {
  const file = join(path, IGNORE_FILE);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) writeWholeFile(file, IGNORE_TEXT);
}

/** Refuses a link: a repository may come with one with this name, and the folder that it leads to is not ours to close or to write in. */
function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new UserError(`${path}: the state folder is a link; name the folder itself with --state`);
}

/** Every file that is made in the folder under a fixed name, whether it exists or not. */
export function namedFiles(state: StateFolder): string[] {
  const { path, scratchpadsFolder, modulesFolder, ...files } = state;
  const databases = Object.values(files).filter((file) => file.endsWith('.sqlite'));
  return [...Object.values(files), ...databases.flatMap((file) => [`${file}-wal`, `${file}-shm`])];
}

/**
 * To be called before reporting that no daemon works in a state folder, as a closed one may hide them.
 * @throws UserError if the folder is closed to this user and belongs to another one
 */
export function refuseClosedFolder({ path, daemonsFolder }: StateFolder): void {
  try {
    accessSync(daemonsFolder);
  } catch (error) {
    if (systemCodeOf(error) === 'EACCES') refuseOthersFolder(path);
  }
}
