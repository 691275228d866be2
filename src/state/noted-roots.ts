/** Notes which docs the index in a state folder was made from, so that docs that are away for a moment are not mistaken for others. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type DocsFolder, wayOf } from '../core/docs-selection.ts';
import { systemCodeOf } from '../core/errors.ts';
import { PRIVATE_FILE_MODE } from '../core/file-modes.ts';
import { writeWholeFile } from '../disk/whole-file.ts';

/** @param state the state folder, absolute */
export function notedRootsFile(state: string): string {
  return join(state, 'docs-roots.json');
}

/** Notes the docs roots. Their paths are relative to the folder in which the state folder lies, so that a project may be moved. */
export function noteRoots(state: string, folders: readonly DocsFolder[]): void {
  const base = dirname(state);
  const text = JSON.stringify(
    folders.map((root) => ({ name: root.name, path: relative(base, wayOf(root)) })),
  );
  const file = notedRootsFile(state);
  try {
    if (textOf(file) !== text) writeWholeFile(file, text, PRIVATE_FILE_MODE);
  } catch (error) {
    // Without this file, a mix-up of docs may go unnoticed. The index matters more.
    if (systemCodeOf(error) === undefined) throw error;
  }
}

/** @returns undefined if nothing is noted, as by an older version */
export function notedRoots(state: string): DocsFolder[] | undefined {
  const text = textOf(notedRootsFile(state));
  if (text === undefined) return undefined;
  try {
    const noted: unknown = JSON.parse(text);
    if (!Array.isArray(noted) || noted.length === 0 || !noted.every(isNoted)) return undefined;
    return noted.map(({ name, path }) => ({ name, folder: resolve(dirname(state), path) }));
  } catch {
    // The file is damaged. The next index writes it again.
    return undefined;
  }
}

function isNoted(value: unknown): value is { readonly name: string; readonly path: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { name, path }: { name?: unknown; path?: unknown } = value;
  return typeof name === 'string' && typeof path === 'string';
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}
