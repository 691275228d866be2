import { constants, existsSync, lstatSync, openSync, readlinkSync, renameSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { ACCESS_BITS } from '../core/file-modes.ts';
import { programFile } from '../core/program-file.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { removeFile, removeMade } from '../disk/remove.ts';
import { removeIfEmpty } from '../disk/remove-if-empty.ts';
import type { Repository } from '../git/repository.ts';
import { GitFailure } from '../git/run-git.ts';
import { type Lockable, whileLocked } from '../system/file-lock.ts';
import { bytesOf, isThere, keepAs, textOf, writeHook } from './hook-file.ts';
import { HOOK_NAMES, type HookName } from './hook-names.ts';
import {
  chainingScript,
  type HookPlace,
  hasBlock,
  isChaining,
  isWhollyOwn,
  NODE_SETTING,
  ownScript,
  PROGRAM_SETTING,
  withBlock,
  withoutBlock,
} from './hook-script.ts';
import { type HooksFolder, hooksFolderOf, settingOf } from './hooks-folder.ts';

/** The state of a hook. */
export interface HookState {
  readonly hook: HookName;
  readonly file: string;
  readonly installed: boolean;
  /** Whether another hook runs after ours. */
  readonly chained: boolean;
}

export interface InstallOptions {
  readonly repository: Repository;
  /** The folder in which hooks look for the config file and the docs, as an absolute path. */
  readonly folder: string;
  /** The options for them, by name, each with an absolute path. */
  readonly options: readonly (readonly [name: string, path: string])[];
  /** An absolute path. */
  readonly stateFolder: string;
}

const SAVED = 'before-kgraphfs';
const MADE_FOLDER_SETTING = 'kgraphfs.madeHooksFolder';
const EXECUTABLE_MODE = 0o755;

/**
 * Adds our part to each hook, before its present content. A second call changes nothing.
 * @throws UserError if a hook cannot be written
 */
export function installHooks({
  repository,
  options,
  stateFolder,
  ...given
}: InstallOptions): Promise<HookState[]> {
  const folder = hooksFolderOf(repository);
  const { topFolder } = repository;
  const place: HookPlace = {
    folder: relative(topFolder, given.folder),
    options: options.flatMap(([name, path]) => [`--${name}`, relative(given.folder, path) || '.']),
    ...(folder.isShared ? { onlyWith: relative(topFolder, stateFolder) } : {}),
  };
  let isMade = false;
  const makeIt = () => {
    if (existsSync(folder.path)) return;
    makeFolders(folder.path);
    isMade = true;
  };
  return whileNobodyElse(folder, makeIt, () => {
    if (isMade) set(repository, MADE_FOLDER_SETTING, 'true');
    installAll(folder, place);
    set(repository, PROGRAM_SETTING, programOf(topFolder));
    set(repository, NODE_SETTING, process.execPath);
    return statesIn(folder);
  });
}

/** Restores each hook to what it was before. @throws UserError if one cannot be written */
export function uninstallHooks(repository: Repository): Promise<HookState[]> {
  const folder = hooksFolderOf(repository);
  return whileNobodyElse(folder, undefined, () => {
    for (const name of HOOK_NAMES) uninstallHook(folder, name);
    const hasMade = settingOf(repository, MADE_FOLDER_SETTING) === 'true';
    if (settingOf(repository, PROGRAM_SETTING) !== undefined) {
      repository.configure(['config', '--local', '--remove-section', 'kgraphfs']);
    }
    // The folder is removed last: it is what the lock is on.
    if (hasMade) removeIfEmpty(folder.path);
    return statesIn(folder);
  });
}

/** @throws UserError if a hook cannot be read */
export function hookStates(repository: Repository): HookState[] {
  const folder = hooksFolderOf(repository);
  try {
    return statesIn(folder);
  } catch (error) {
    throw explained(folder, 'read', error);
  }
}

/** Installs all hooks. If one is refused, those that were not installed before are removed again. */
function installAll(folder: HooksFolder, place: HookPlace): void {
  const added: HookName[] = [];
  try {
    for (const { hook, installed } of statesIn(folder)) {
      if (!installed) added.push(hook);
      installHook(folder, hook, place);
    }
  } catch (error) {
    for (const name of added) takeBack(folder, name);
    throw error;
  }
}

/** Undoes an installation. An error here is not reported, since the first error is the one that matters. */
function takeBack(folder: HooksFolder, name: HookName): void {
  try {
    uninstallHook(folder, name);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
  }
}

function installHook(folder: HooksFolder, name: HookName, place: HookPlace): void {
  const file = join(folder.path, name);
  const saved = `${file}.${SAVED}`;
  endWhatWasKilled(file, saved);
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined) {
    writeHook(file, ownScript(name, place), EXECUTABLE_MODE);
    return;
  }
  const chaining = chainingScript(name, place, `${name}.${SAVED}`);
  const found = status.isFile() ? textOf(file) : undefined;
  const isOurs = found !== undefined && hasBlock(found);
  if (isOurs && isWhollyOwn(found)) {
    writeHook(file, isThere(saved) ? chaining : ownScript(name, place), EXECUTABLE_MODE);
    return;
  }
  const isScript = status.isFile() && (folder.isHusky || (status.mode & 0o111) !== 0);
  const text = isOurs ? withoutBlock(found) : found;
  const extended = isScript && text !== undefined ? withBlock(text, name, place, folder.isHusky) : undefined;
  if (extended !== undefined) {
    writeHook(file, extended, status.mode & ACCESS_BITS);
    return;
  }
  // It is a link, or a program in another language. It is run as it is.
  if (isThere(saved)) {
    throw new UserError(
      `${saved}: an earlier hook is kept there, and another one has come since; move one of them elsewhere, then install again`,
    );
  }
  if (isOurs) writeHook(saved, withoutBlock(found), status.mode & ACCESS_BITS);
  else keepAs(saved, file);
  try {
    writeHook(file, chaining, EXECUTABLE_MODE);
  } catch (error) {
    removeMade(saved);
    throw error;
  }
}

/** Ends what a process began that was killed while it put a hook aside: the hook is at one of its two places, or at both. */
function endWhatWasKilled(file: string, saved: string): void {
  if (!isThere(saved)) return;
  if (!isThere(file)) renameSync(saved, file);
  else if (isKeptTwice(file, saved)) removeFile(saved);
}

function isKeptTwice(file: string, saved: string): boolean {
  const [one, other] = [lstatSync(file), lstatSync(saved)];
  if (one.dev === other.dev && one.ino === other.ino) return true;
  if (one.mode !== other.mode) return false;
  if (one.isSymbolicLink()) return readlinkSync(file) === readlinkSync(saved);
  const kept = one.isFile() ? bytesOf(saved) : undefined;
  if (kept === undefined) return false;
  const text = textOf(file);
  return bytesOf(file)?.equals(kept) || (text !== undefined && withoutBlock(text) === textOf(saved));
}

function uninstallHook(folder: HooksFolder, name: HookName): void {
  const file = join(folder.path, name);
  const saved = `${file}.${SAVED}`;
  endWhatWasKilled(file, saved);
  const status = lstatSync(file, { throwIfNoEntry: false });
  const text = status?.isFile() ? textOf(file) : undefined;
  if (text === undefined || !hasBlock(text)) return;
  if (!isWhollyOwn(text)) writeHook(file, withoutBlock(text), statSync(file).mode & ACCESS_BITS);
  else if (isThere(saved)) renameSync(saved, file);
  else removeFile(file);
}

function statesIn(folder: HooksFolder): HookState[] {
  return HOOK_NAMES.map((hook) => {
    const file = join(folder.path, hook);
    const text = textOf(file);
    const installed = text !== undefined && hasBlock(text);
    const hasOther = installed && (isChaining(text) ? existsSync(`${file}.${SAVED}`) : !isWhollyOwn(text));
    return { hook, file, installed, chained: hasOther };
  });
}

/** The program of the hooks of this very kgraphfs. The path is relative if it moves with the repository. */
function programOf(topFolder: string): string {
  const file = fileURLToPath(programFile('hooks/hook-main.js'));
  return file.startsWith(`${topFolder}/`) ? relative(topFolder, file) : file;
}

function set(repository: Repository, name: string, value: string): void {
  if (settingOf(repository, name, ['--local']) === value) return;
  repository.configure(['config', '--local', name, value]);
}

/** @param makeIt makes the folder if it is missing. If undefined, nothing is done without the folder */
async function whileNobodyElse<T>(
  { path }: HooksFolder,
  makeIt: (() => void) | undefined,
  action: () => T,
): Promise<T> {
  const lock: Lockable = {
    path,
    open() {
      makeIt?.();
      try {
        return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
      } catch (error) {
        if (makeIt === undefined && systemCodeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    heldForLong: () =>
      new UserError(
        `${path}: another process has been installing or removing hooks for a long time; try again when it is done`,
      ),
  };
  try {
    return await whileLocked(lock, action);
  } catch (error) {
    throw explained(lock, 'written', error);
  }
}

function explained(
  { path }: { readonly path: string },
  cannotBe: 'read' | 'written',
  error: unknown,
): unknown {
  if (error instanceof UserError && !(error instanceof GitFailure)) return error;
  const reason = error instanceof GitFailure ? error.said : reasonOf(error);
  return new UserError(`${path}: the hooks cannot be ${cannotBe}: ${reason}`, EXIT.failed, { cause: error });
}
