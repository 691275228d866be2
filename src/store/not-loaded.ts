import { createRequire } from 'node:module';
import { join } from 'node:path';
import { reasonOf } from '../core/errors.ts';
import { whyNodeWouldEnd } from './ending-addon.ts';
import { IN_MEMORY } from './in-memory.ts';
import { openSqlite } from './only-read.ts';

/** Why this Node.js can use no database, with the way out; undefined if it can. */
export function whyNoDatabase(): string | undefined {
  try {
    openSqlite(IN_MEMORY).close();
    return whyNodeWouldEnd();
  } catch (error) {
    return isNotLoaded(error) ? notLoaded(error) : reasonOf(error);
  }
}

/** Whether the package could not be loaded: it was compiled for another Node.js or another system, or not at all, as by an install without scripts. */
export function isNotLoaded(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const isMissing = error.message.startsWith('Could not locate the bindings file');
  return isMissing || ('code' in error && error.code === 'ERR_DLOPEN_FAILED');
}

export function notLoaded(error: Error): string {
  const manifest = createRequire(import.meta.url).resolve('better-sqlite3/package.json');
  const [reason = ''] = error.message.replace(/\s+/g, ' ').split(/ (?:Tried:|Please try)/);
  return (
    `better-sqlite3 cannot be loaded by this Node.js, ${process.versions.node} (${reason}): ` +
    `run "npm rebuild better-sqlite3" in ${join(manifest, '../../..')}`
  );
}
