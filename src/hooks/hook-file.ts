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

/** Of a disk without second names, and of a file of somebody else (`protected_hardlinks` of proc_sys_fs(5)). */
const NO_SECOND_NAME: ReadonlySet<string | undefined> = new Set(['EPERM', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);
/** Nothing there that this user could read; git(1) runs a program that may only be run. */
const NOTHING_TO_READ: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'EACCES',
]);

/** Undefined where nothing can be read. @throws the disk's error where it fails */
export function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (!NOTHING_TO_READ.has(systemCodeOf(error))) throw error;
    return undefined;
  }
}

/** Text that comes back byte for byte, or undefined where there is none such. @throws the disk's error where it fails */
export function textOf(file: string): string | undefined {
  const bytes = bytesOf(file);
  const text = bytes?.toString('utf8');
  return text !== undefined && bytes?.equals(Buffer.from(text)) ? text : undefined;
}

/** A link that leads nowhere is there too. */
export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Replaces what has that name, which is never followed. Written beside and renamed: a hook that runs now is read to its end by its shell. */
export function writeHook(file: string, text: string, mode: number): void {
  makeBeside(file, (made) => {
    writeFileSync(made, text, { flag: 'wx', flush: true });
    chmodSync(made, mode);
  });
}

/** Gives a hook a second name that nothing has yet, so that it is not gone for a moment; where the disk has no such names, makes one like it. */
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
