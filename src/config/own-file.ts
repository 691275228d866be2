import { closeSync, existsSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE } from '../core/file-modes.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { writeWholeFile } from '../disk/whole-file.ts';
import { homeFolder } from './home-folder.ts';

/** The content of a file of the user's own; both fields are absent if there is none. */
export interface OwnText {
  readonly text?: string;
  /** Why it is not used, and what to do. */
  readonly problem?: string;
}

/** The folder for what applies to all projects: `$XDG_CONFIG_HOME/kgraphfs`, else `~/.config/kgraphfs`. */
export function ownConfigFolder(variables: NodeJS.ProcessEnv): string {
  const base = variables['XDG_CONFIG_HOME'];
  return join(base !== undefined && isAbsolute(base) ? base : join(homeFolder(), '.config'), 'kgraphfs');
}

/** The user's own config, for all projects. */
export function userConfigFile(variables: NodeJS.ProcessEnv): string {
  return join(ownConfigFolder(variables), 'config.json');
}

const OTHERS_WRITE = 0o022;

/**
 * Reads a file that decides what may be sent out, or with which key. So only the user and root may be able to write it, or to put another file in its
 * place.
 */
export function readOwnFile(file: string): OwnText {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') {
      return isLost(file) ? { problem: `${file}: ${LOST}, so it is not used; ${ELSEWHERE}` } : {};
    }
    return { problem: `${file}: it cannot be read, and is not used: ${reasonOf(error)}` };
  }
  try {
    const problem = whyNotOwn([
      [file, fstatSync(descriptor)],
      [dirname(file), statSync(dirname(file))],
    ]);
    return problem === undefined ? { text: readFileSync(descriptor, 'utf8') } : { problem };
  } catch (error) {
    return { problem: `${file}: it cannot be read, and is not used: ${reasonOf(error)}` };
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a file of the user's own as a whole, or nothing of it. @throws UserError with the way out */
export function writeOwnFile(file: string, text: string): void {
  const refusal = (why: string, cause?: unknown) =>
    new UserError(`${file}: cannot be written: ${why}; ${ELSEWHERE}`, EXIT.failed, { cause });
  if (isLost(file)) throw refusal(LOST);
  try {
    makeFolders(dirname(file), PRIVATE_FOLDER_MODE);
    writeWholeFile(file, text, PRIVATE_FILE_MODE);
  } catch (error) {
    throw refusal(reasonOf(error), error);
  }
}

const LOST = 'its path is not UTF-8';
const ELSEWHERE = 'XDG_CONFIG_HOME may name another folder for it';

/** Whether a path is none that the environment named: Node.js gives U+FFFD for bytes that are not UTF-8. */
function isLost(file: string): boolean {
  const first = file.indexOf('\ufffd');
  return first !== -1 && !existsSync(file.slice(0, file.indexOf('/', first)));
}

function whyNotOwn(all: readonly (readonly [path: string, status: Stats])[]): string | undefined {
  const self = process.getuid?.();
  const [foreign] = all.find(([, { uid }]) => self !== undefined && uid !== self && uid !== 0) ?? [];
  if (foreign !== undefined) return `${foreign}: it belongs to another user, and is not used`;
  const open = all.flatMap(([path, { mode }]) => ((mode & OTHERS_WRITE) === 0 ? [] : [path]));
  if (open.length === 0) return undefined;
  return `${open[0]}: other users may write to it, so it is not used; fix it with: chmod go-w ${open.join(' ')}`;
}
