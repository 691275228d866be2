import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { ACCESS_BITS } from '../core/file-modes.ts';
import { makeFolders } from '../core/make-folders.ts';
import { programFile } from '../core/program-file.ts';
import { removeFile, removeMade } from '../core/remove.ts';
import { removeIfEmpty } from '../core/remove-if-empty.ts';
import type { Repository } from '../git/repository.ts';
import { GitFailure } from '../git/run-git.ts';
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

/** How a hook is there. */
export interface HookState {
  readonly hook: HookName;
  readonly file: string;
  readonly installed: boolean;
  /** Whether another hook runs after ours. */
  readonly chained: boolean;
}

export interface InstallOptions {
  readonly repository: Repository;
  /** Where hooks are to look for the config file and the docs. Absolute. */
  readonly folder: string;
  /** Options for them there, by name, with an absolute path each. */
  readonly options: readonly (readonly [name: string, path: string])[];
  /** Absolute. */
  readonly stateFolder: string;
}

const SAVED = 'before-kgraphfs';
const MADE_FOLDER_SETTING = 'kgraphfs.madeHooksFolder';
const EXECUTABLE_MODE = 0o755;

/**
 * Adds our part to each hook, before what is there. A second time changes nothing.
 * @throws UserError where a hook cannot be written
 */
export function installHooks({ repository, options, stateFolder, ...given }: InstallOptions): HookState[] {
  const folder = hooksFolderOf(repository);
  const { topFolder } = repository;
  const place: HookPlace = {
    folder: relative(topFolder, given.folder),
    options: options.flatMap(([name, path]) => [`--${name}`, relative(given.folder, path) || '.']),
    ...(folder.isShared ? { onlyWith: relative(topFolder, stateFolder) } : {}),
  };
  return explained(folder, () => {
    if (!existsSync(folder.path)) {
      makeFolders(folder.path);
      set(repository, MADE_FOLDER_SETTING, 'true');
    }
    installAll(folder, place);
    set(repository, PROGRAM_SETTING, programOf(topFolder));
    set(repository, NODE_SETTING, process.execPath);
    return statesIn(folder);
  });
}

/** Puts each hook back as it was. @throws UserError where one cannot be written */
export function uninstallHooks(repository: Repository): HookState[] {
  const folder = hooksFolderOf(repository);
  return explained(folder, () => {
    for (const name of HOOK_NAMES) uninstallHook(folder, name);
    const hasMade = settingOf(repository, MADE_FOLDER_SETTING) === 'true';
    if (hasMade) removeIfEmpty(folder.path);
    if (settingOf(repository, PROGRAM_SETTING) !== undefined) {
      repository.configure(['config', '--local', '--remove-section', 'kgraphfs']);
    }
    return statesIn(folder);
  });
}

export function hookStates(repository: Repository): HookState[] {
  return statesIn(hooksFolderOf(repository));
}

/** All of them or, where one is refused, none that was not there. */
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

/** What keeps it from being taken back is not what went wrong first. */
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
  bringBack(file, saved);
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined) {
    write(file, ownScript(name, place), EXECUTABLE_MODE);
    return;
  }
  const found = status.isFile() ? readText(file) : undefined;
  const isOurs = found !== undefined && hasBlock(found);
  // It is replaced and not removed first, so that it stays where the disk takes no new one.
  if (isOurs && isWhollyOwn(found)) {
    const isChained = isThere(saved);
    const script = isChained ? chainingScript(name, place, `${name}.${SAVED}`) : ownScript(name, place);
    write(file, script, EXECUTABLE_MODE);
    return;
  }
  const isScript = status.isFile() && (folder.isHusky || (status.mode & 0o111) !== 0);
  const text = isOurs ? withoutBlock(found) : found;
  const extended = isScript && text !== undefined ? withBlock(text, name, place, folder.isHusky) : undefined;
  if (extended !== undefined) {
    write(file, extended, status.mode & ACCESS_BITS);
    return;
  }
  // A link, or a program in another language: it is run as it is.
  if (isThere(saved)) {
    throw new UserError(
      `${saved}: an earlier hook is kept there, and another one has come since; move one of them elsewhere, then install again`,
    );
  }
  if (isOurs) write(file, withoutBlock(found), status.mode & ACCESS_BITS);
  const made = writeBeside(file, chainingScript(name, place, `${name}.${SAVED}`), EXECUTABLE_MODE);
  renameSync(file, saved);
  putInPlace(made, file);
}

/** Of a process that was killed when it had put the hook aside. */
function bringBack(file: string, saved: string): void {
  if (!isThere(file) && isThere(saved)) renameSync(saved, file);
}

function uninstallHook(folder: HooksFolder, name: HookName): void {
  const file = join(folder.path, name);
  const saved = `${file}.${SAVED}`;
  bringBack(file, saved);
  const status = lstatSync(file, { throwIfNoEntry: false });
  const text = status?.isFile() ? readText(file) : undefined;
  if (text === undefined || !hasBlock(text)) return;
  if (!isWhollyOwn(text)) write(file, withoutBlock(text), statSync(file).mode & ACCESS_BITS);
  else if (isThere(saved)) renameSync(saved, file);
  else unlinkSync(file);
}

function statesIn(folder: HooksFolder): HookState[] {
  return HOOK_NAMES.map((hook) => {
    const file = join(folder.path, hook);
    const text = readText(file);
    const installed = text !== undefined && hasBlock(text);
    const hasOther = installed && (isChaining(text) ? existsSync(`${file}.${SAVED}`) : !isWhollyOwn(text));
    return { hook, file, installed, chained: hasOther };
  });
}

/** Text that comes back byte for byte, or undefined where there is none such. */
function readText(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A link that leads nowhere is there too. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Written beside and renamed: a hook that runs now is read to its end by its shell. */
function write(file: string, text: string, mode: number): void {
  putInPlace(writeBeside(file, text, mode), file);
}

function putInPlace(made: string, file: string): void {
  try {
    renameSync(made, file);
  } catch (error) {
    removeMade(made);
    throw error;
  }
}

/** What had that name is replaced, and never followed. @returns what is to be renamed to the file */
function writeBeside(file: string, text: string, mode: number): string {
  const made = `${file}.kgraphfs-new`;
  removeFile(made);
  try {
    writeFileSync(made, text, { flag: 'wx' });
    chmodSync(made, mode);
    return made;
  } catch (error) {
    removeMade(made);
    throw error;
  }
}

/** The program of the hooks of this very kgraphfs: relative where it moves with the repository. */
function programOf(topFolder: string): string {
  const file = fileURLToPath(programFile('hooks/hook-main.js'));
  return file.startsWith(`${topFolder}/`) ? relative(topFolder, file) : file;
}

function set(repository: Repository, name: string, value: string): void {
  if (settingOf(repository, name, ['--local']) === value) return;
  repository.configure(['config', '--local', name, value]);
}

function explained<T>({ path }: HooksFolder, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof UserError && !(error instanceof GitFailure)) throw error;
    const reason = error instanceof GitFailure ? error.said : reasonOf(error);
    throw new UserError(`${path}: the hooks cannot be written: ${reason}`, EXIT.failed, { cause: error });
  }
}
