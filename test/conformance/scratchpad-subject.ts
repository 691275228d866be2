import { join } from 'node:path';
import { ROOT } from '../../src/core/paths.ts';
import { scratchpadResolver } from '../../src/resolvers/scratchpad.ts';
import { openScratchpad } from '../../src/scratchpad/scratchpad.ts';
import { FILES_FOLDER, prepareScratchpad } from '../../src/scratchpad/session-folders.ts';
import { SystemFs } from '../../src/vfs/system-fs.ts';
import { fixture } from './fixture.ts';
import { writeTree } from './native.ts';

const SESSION = 'conformance';

/** @returns the folder of a new scratchpad */
export function emptyScratchpad(folder: string): string {
  return prepareScratchpad(folder, SESSION);
}

/** A scratchpad that holds the fixture. @returns its folder */
export function newScratchpad(folder: string): string {
  const scratchpad = emptyScratchpad(folder);
  writeTree(join(scratchpad, FILES_FOLDER), fixture());
  return scratchpad;
}

/** A namespace that is all scratchpad. */
export function scratchpadAt(folder: string, reportBug: (error: unknown) => void): SystemFs {
  const scratchpad = openScratchpad(folder);
  const resolver = scratchpadResolver({ files: () => scratchpad, renewed: () => undefined });
  return new SystemFs([{ point: ROOT, resolver }], reportBug);
}
