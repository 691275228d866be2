import {
  accessSync,
  constants,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT, reasonOf, systemCodeOf, UserError } from '../core/errors.ts';
import { OWNER_WRITE_BIT } from '../core/file-modes.ts';
import { baseName } from '../core/paths.ts';
import { replaceWholeFile } from '../user-files/replace-file.ts';

/** A file with which a project instructs agents, as it is now. */
export interface InstructionFile {
  /** The absolute path of the real file, with links followed. */
  readonly path: string;
  /** Undefined if it does not exist yet. */
  readonly text: string | undefined;
  /** The same for all names of one file, even if they are not links. */
  readonly identity: string;
}

/**
 * @param project links must not lead out of it. Absolute
 * @throws UserError if it is not a text file in the project, or leads out of it
 */
export function readInstructionFile(file: string, project: string): InstructionFile {
  const entry = entryAt(file);
  if (entry === undefined) {
    const path = join(realFolder(file), baseName(file));
    return { path, text: undefined, identity: path };
  }
  const path = entry.isSymbolicLink() ? linkTarget(file, project) : realpathSync(file);
  const status = statSync(path, { bigint: true });
  if (status.isDirectory()) throw new UserError(`${file}: is a folder, not a file`);
  if (!status.isFile()) throw new UserError(`${file}: is not an ordinary file`);
  return { path, text: readText(file, path), identity: `${status.dev}:${status.ino}` };
}

function entryAt(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    const why = systemCodeOf(error) === 'ENOTDIR' ? `${dirname(file)} is not a folder` : reasonOf(error);
    throw new UserError(`${file}: cannot be read: ${why}`, EXIT.failed, { cause: error });
  }
}

/** @throws UserError if it could not be written. Changes nothing */
export function checkWritable(file: string, path: string): void {
  const status = statSync(path, { throwIfNoEntry: false });
  try {
    // Root may write to any file, but the mode counts for root, too.
    if (status !== undefined && (status.mode & OWNER_WRITE_BIT) === 0)
      throw new UserError(`${file}: is read-only; chmod u+w lets it be written`);
    accessSync(status === undefined || status.nlink === 1 ? dirname(path) : path, constants.W_OK);
    if (status !== undefined) accessSync(path, constants.W_OK);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${file}: cannot be written: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

/**
 * A concurrent reader sees either the old text or the new one. Mode and owner stay.
 * @param text undefined removes the file
 * @throws UserError
 */
export function writeInstructionFile(path: string, text: string | undefined): void {
  try {
    if (text === undefined) unlinkSync(path);
    else replaceWholeFile(path, text);
  } catch (error) {
    throw new UserError(`${path}: cannot be written: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

/** Somebody else's repository may contain a link to any file of this user. */
function linkTarget(file: string, project: string): string {
  const path = realPath(file);
  if (path === undefined) {
    const target = readlinkSync(file);
    throw new UserError(
      `${file}: is a link to ${target}, which leads nowhere; make that file first, or remove the link`,
    );
  }
  if (path.startsWith(`${realpathSync(project)}/`)) return path;
  throw new UserError(`${file}: is a link out of the project, to ${path}; --file with that path means it`);
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    // ENOENT or ELOOP: the link leads nowhere.
    return undefined;
  }
}

function realFolder(file: string): string {
  const folder = realPath(dirname(file));
  if (folder === undefined) throw new UserError(`${dirname(file)}: there is no such folder`);
  return folder;
}

/** @throws UserError if its bytes could not be restored exactly */
function readText(file: string, path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new UserError(`${file}: cannot be read: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
  const text = bytes.toString('utf8');
  if (!bytes.includes(0) && Buffer.from(text).equals(bytes)) return text;
  throw new UserError(`${file}: is not UTF-8 text, and stays as it is`);
}
