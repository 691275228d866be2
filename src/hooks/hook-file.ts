import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { systemCodeOf } from '../core/errors.ts';
import { removeFile, removeMade } from '../disk/remove.ts';

/** Errors of a disk without hard links, and for a file of another user (`protected_hardlinks` in proc_sys_fs(5)). */
const NO_SECOND_NAME: ReadonlySet<string | undefined> = new Set(['EPERM', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Errors for a hook that is not there or that this user cannot read. Git runs a program even if it may only be executed. */
const NOTHING_TO_READ: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'EACCES',
]);

/** Undefined if there is nothing that can be read. @throws the disk's error if it fails */
export function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (!NOTHING_TO_READ.has(systemCodeOf(error))) throw error;
    return undefined;
  }
}

/** The content as text. Undefined if there is none, or if the text would not give the same bytes again. @throws the disk's error if it fails */
export function textOf(file: string): string | undefined {
  const bytes = bytesOf(file);
  const text = bytes?.toString('utf8');
  return text !== undefined && bytes?.equals(Buffer.from(text)) ? text : undefined;
}

/** Whether something lies at a path. A dangling link counts. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Replaces a file; a link is replaced, not followed. The new file is written beside it and renamed, so that a shell that is running the hook now reads the old
 * one to its end.
 */
export function writeHook(file: string, text: string, mode: number): void {
  makeBeside(file, (made) => {
    writeFileSync(made, text, { flag: 'wx', flush: true });
    chmodSync(made, mode);
  });
}

/** Gives a hook a second, new name, so that the hook is never missing. On a disk without hard links, makes a copy. */
export function keepAs(saved: string, file: string): void {
  try {
    linkSync(file, saved);
  } catch (error) {
    if (!NO_SECOND_NAME.has(systemCodeOf(error))) throw error;
    makeBeside(saved, (made) => {
      if (lstatSync(file).isSymbolicLink()) symlinkSync(readlinkSync(file), made);
      else copyFileSync(file, made);
    });
  }
}

function makeBeside(file: string, make: (made: string) => void): void {
  const made = `${file}.kgraphfs-new`;
  removeFile(made);
  try {
    make(made);
    renameSync(made, file);
  } catch (error) {
    removeMade(made);
    throw error;
  }
}
