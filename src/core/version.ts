import { readFileSync } from 'node:fs';
import { programFile } from './program-file.ts';

/** The version in package.json, which lies beside `dist`. */
export const VERSION = versionIn(readFileSync(programFile('../package.json'), 'utf8'));

/** Checked by hand: a server that a client waits for says its version first, and to load zod takes longer than all else until then. */
function versionIn(text: string): string {
  const { version }: { version?: unknown } = JSON.parse(text);
  if (typeof version === 'string') return version;
  throw new Error('package.json has no version');
}
