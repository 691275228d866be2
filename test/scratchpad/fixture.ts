import { lstatSync, readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isFsError } from '../../src/core/errors.ts';
import { parsePath, type SubPath } from '../../src/core/paths.ts';
import { openScratchpad, type Scratchpad, type ScratchpadOptions } from '../../src/scratchpad/scratchpad.ts';
import type { ScratchpadFile } from '../../src/scratchpad/scratchpad-file.ts';
import { prepareScratchpad } from '../../src/scratchpad/session-folders.ts';
import { type Teardown, temporaryFolder } from '../support/temporary.ts';

export const SESSION = '20261121T045625-7f3a';
export const NEW_FILE = { mode: 0o644, exclusive: true, append: false, truncate: false };
export const ANY_FILE = { ...NEW_FILE, exclusive: false };
export const PLAIN = { append: false, truncate: false };

export interface Fixture {
  readonly pad: Scratchpad;
  /** What the scratchpad shows, on the disk. */
  readonly folder: string;
  /** Holds all scratchpads. */
  readonly parent: string;
}

/** An empty scratchpad that is gone when the test has ended. */
export function emptyPad(
  t: Teardown,
  options: ScratchpadOptions = {},
  parent: string = temporaryFolder(t),
): Fixture {
  const session = prepareScratchpad(parent, SESSION);
  const pad = openScratchpad(session, options);
  t.teardown(() => pad.close());
  return { pad, folder: join(session, 'files'), parent };
}

export function at(path: string): SubPath {
  return parsePath(`/${path}`).slice(1) as SubPath;
}

export function put(pad: Scratchpad, path: string, content: string | Uint8Array): void {
  const file = pad.create(at(path), { ...ANY_FILE, truncate: true });
  try {
    file.write(Buffer.from(content), 0);
  } finally {
    file.close();
  }
}

/** What was written just now is in memory, and so is read at once. */
export function readNow(file: ScratchpadFile, target: Uint8Array, position: number): number {
  const count = file.read(target, position);
  if (typeof count !== 'number') throw new Error('these bytes come later');
  return count;
}

export function textOf(file: ScratchpadFile): string {
  const bytes = Buffer.alloc(file.sizeBytes);
  return bytes.toString('utf8', 0, readNow(file, bytes, 0));
}

export function get(pad: Scratchpad, path: string): string {
  const file = pad.open(at(path));
  try {
    return textOf(file);
  } finally {
    file.close();
  }
}

/** The errno that an action is refused with, or what it answers. */
export function outcomeOf<T>(action: () => T): T | string {
  try {
    return action();
  } catch (error) {
    if (isFsError(error)) return error.code;
    throw error;
  }
}

/** What a folder takes of the disk with all below it, each file once, as `du` counts. */
export function bytesOnDisk(folder: string): number {
  const blocks = new Map<number, number>();
  const look = (path: string): void => {
    const status = lstatSync(path);
    blocks.set(status.ino, status.blocks);
    if (status.isDirectory()) for (const name of readdirSync(path)) look(join(path, name));
  };
  look(folder);
  return [...blocks.values()].reduce((sum, count) => sum + count * 512, 0);
}

/** Whether the disk is one in memory (tmpfs), which can tell neither what is in memory nor what it has set aside. */
export function isInMemory(folder: string): boolean {
  return statfsSync(folder).type === 0x01021994;
}
