import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';
import { isReallyInside } from './docs-roots.ts';
import type { Settings } from './settings.ts';

const NAMES = ['kgraphfs.schema.yaml', 'kgraphfs.schema.yml', 'kgraphfs.schema.json'];

/** Where a schema map is looked for if no config file names one. The first that exists counts. */
export function usualMaps(base: string, docs: string): string[] {
  return [...new Set([base, docs])].flatMap((folder) => NAMES.map((name) => join(folder, name)));
}

/** The current schema map of these settings: a path, or the name of a built-in one. */
export function schemaMapNow({
  schemaMap,
  usualMaps,
}: Pick<Settings, 'schemaMap' | 'usualMaps'>): string | undefined {
  return usualMaps.length > 0 ? usualMapNow(usualMaps) : schemaMap;
}

/**
 * The first of these files that is a schema map. A link that leads out of its folder does not count. A file that cannot be examined does: reading it
 * will say why.
 */
export function usualMapNow(files: readonly string[]): string | undefined {
  return files.find((file) => mayBeThere(file) && isReallyInside(file, dirname(file)));
}

function mayBeThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return !saysWhatIsThere(error);
  }
}

const SAYS_WHAT_IS_THERE: ReadonlySet<string> = new Set(
  'EACCES ELOOP ENAMETOOLONG ENOENT ENOTDIR ENXIO EPERM'.split(' '),
);

/**
 * Whether an error of a system call tells that there is no file, or none that this user may use. Other errors tell nothing: a disk may fail or not answer,
 * or the process may open no more files.
 */
export function saysWhatIsThere(error: unknown): boolean {
  const code = systemCodeOf(error);
  return code === undefined || SAYS_WHAT_IS_THERE.has(code);
}
