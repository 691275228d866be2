import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { systemCodeOf, UserError } from '../core/errors.ts';
import { ACCESS_BITS, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import type { FolderLook, StateFolder } from './state-folder.ts';

/** A folder with this name is ours. Anything else in it was put there by somebody later. */
const OWN_NAME = '.kgraphfs';
/** The folder that a new filesystem contains. */
const NOBODYS = 'lost+found';
export const IGNORE_FILE = '.gitignore';
export const IGNORE_TEXT = '*\n';

/** How many signs of a folder of ours are enough. A single one may be a coincidence. */
const ENOUGH_SIGNS = 2;
const NAMES_SHOWN = 3;

/**
 * Refuses a folder in which somebody keeps other things: a state folder is closed to other users and hidden from Git, and `wipe` removes its content. A missing
 * or empty folder is accepted, and so is one in which we have worked, also by an older version or if not all files are there. A state folder that came with
 * somebody else's repository may contain links, through which we would write and remove elsewhere: it is refused, too.
 * @throws UserError
 */
export function refuseForeignFolder(state: StateFolder, { mayHoldLinks = false }: FolderLook = {}): void {
  refuseOtherThings(state);
  if (!mayHoldLinks) refuseLinksIn(state);
}

function refuseOtherThings(state: StateFolder): void {
  if (basename(state.path) === OWN_NAME) return;
  const names = namesIn(state.path);
  const foreign = names.filter((name) => !isOurs(name, state));
  const signs = [
    names.some((name) => isDatabase(name, state)),
    names.includes(basename(state.daemonsFolder)) && isFolder(state.daemonsFolder),
    names.includes(IGNORE_FILE) && hasOurText(join(state.path, IGNORE_FILE)),
    isClosed(state.path),
  ].filter(Boolean).length;
  if (names.length === 0 || (foreign.length === 0 && signs > 0)) return;
  if (signs >= ENOUGH_SIGNS) return;
  const some = (foreign.length === 0 ? names : foreign).sort();
  const shown = some.slice(0, NAMES_SHOWN).join(', ');
  throw new UserError(
    `${state.path}: there are other things in this folder (${shown}${some.length > NAMES_SHOWN ? ', …' : ''}), but a state folder is closed to other users and hidden from Git; choose a separate folder with --state, such as ${join(state.path, OWN_NAME)}`,
  );
}

/** Refuses links, and also files such as FIFOs, on which a program that opens them would wait. */
function refuseLinksIn({ path }: StateFolder): void {
  for (const name of namesIn(path)) {
    const status = statusOf(join(path, name));
    if (status === undefined || status.isFile() || status.isDirectory()) continue;
    const what = status.isSymbolicLink() ? 'is a link' : 'is no file and no folder';
    throw new UserError(
      `${join(path, name)}: it ${what}, and everything in a state folder has to be in the folder itself; remove it, or choose another folder with --state`,
    );
  }
}

/** The names in a folder. Empty if it is missing, a link or unreadable; the code that works in it reports that. */
function namesIn(path: string): string[] {
  if (!isFolder(path)) return [];
  try {
    return readdirSync(path).filter((name) => name !== NOBODYS);
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    // The code that works in it reports that.
    return [];
  }
}

/**
 * Whether a file is one of ours. That includes files with a longer name beside one: a database's journals, the previous log, and what was put aside as damaged.
 */
function isOurs(name: string, { path, ...files }: StateFolder): boolean {
  const isOf = (file: string) => {
    const own = basename(file);
    return name === own || name.startsWith(`${own}-`) || name.startsWith(`${own}.`);
  };
  return name === IGNORE_FILE || Object.values(files).some(isOf);
}

function isDatabase(name: string, state: StateFolder): boolean {
  return name.endsWith('.sqlite') && Object.values(state).includes(join(state.path, name));
}

function isFolder(path: string): boolean {
  return statusOf(path)?.isDirectory() ?? false;
}

function isClosed(path: string): boolean {
  return ((statusOf(path)?.mode ?? 0) & ACCESS_BITS) === PRIVATE_FOLDER_MODE;
}

/** Undefined if it is missing, or this user may not look at it. The code that works in it reports that. */
function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}

function hasOurText(file: string): boolean {
  try {
    return readFileSync(file, 'utf8') === IGNORE_TEXT;
  } catch {
    // Whatever it is, we have not written it.
    return false;
  }
}
