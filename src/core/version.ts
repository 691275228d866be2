import { readFileSync } from 'node:fs';
import { programFile } from './program-file.ts';

/** The version in package.json, which lies beside `dist`. */
export const VERSION = versionIn(readFileSync(programFile('../package.json'), 'utf8'));

/** Checked without zod: loading that would take longer than everything else that a server does before it tells a waiting client its version. */
function versionIn(text: string): string {
  const { version }: { version?: unknown } = JSON.parse(text);
  if (typeof version === 'string') return version;
  throw new Error('package.json has no version');
}
