import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

/** What there is where the state folder should be. */
export type StateFacts =
  /** No place is known; with the reason. */
  | { readonly kind: 'unknown'; readonly problem: string }
  /** It will be made. */
  | { readonly kind: 'missing'; readonly path: string }
  /** It cannot be made, or not be used. */
  | { readonly kind: 'unusable'; readonly path: string; readonly problem: string }
  | { readonly kind: 'there'; readonly path: string; readonly mode: number };

const PERMISSION_BITS = 0o777;
const USABLE = constants.R_OK | constants.W_OK | constants.X_OK;

/** Looks, and changes nothing. */
export async function stateFacts(
  folder: { readonly path: string } | { readonly problem: string },
): Promise<StateFacts> {
  if ('problem' in folder) return { kind: 'unknown', problem: folder.problem };
  const { path } = folder;
  const info = await lstat(path).catch(() => undefined);
  if (info === undefined) {
    const problem = await whyNot(await nearestFolder(path));
    return problem === undefined ? { kind: 'missing', path } : { kind: 'unusable', path, problem };
  }
  if (info.isSymbolicLink()) return { kind: 'unusable', path, problem: 'it is a link' };
  if (!info.isDirectory()) return { kind: 'unusable', path, problem: 'it is no folder' };
  if (info.uid !== process.getuid?.()) {
    return { kind: 'unusable', path, problem: 'it belongs to another user' };
  }
  const problem = await whyNot(path);
  if (problem !== undefined) return { kind: 'unusable', path, problem };
  return { kind: 'there', path, mode: info.mode & PERMISSION_BITS };
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  const isThere = await lstat(parent).then(
    () => true,
    () => parent === path,
  );
  return isThere ? parent : nearestFolder(parent);
}

async function whyNot(folder: string): Promise<string | undefined> {
  try {
    await access(folder, USABLE);
    return undefined;
  } catch (error) {
    return `${folder} cannot be written (${systemCodeOf(error) ?? String(error)})`;
  }
}
