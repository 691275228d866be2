import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';
import { isReallyInside } from './docs-roots.ts';
import type { Settings } from './settings.ts';

const NAMES = ['kgraphfs.schema.yaml', 'kgraphfs.schema.yml', 'kgraphfs.schema.json'];

/** Where a schema map is looked for that no config file names, the first that is there first. */
export function usualMaps(base: string, docs: string): string[] {
  return [...new Set([base, docs])].flatMap((folder) => NAMES.map((name) => join(folder, name)));
}

/** The schema map of these settings now: a path, or the name of a ready one. */
export function schemaMapNow({
  schemaMap,
  usualMaps,
}: Pick<Settings, 'schemaMap' | 'usualMaps'>): string | undefined {
  return usualMaps.length > 0 ? usualMapNow(usualMaps) : schemaMap;
}

/** The one of these files that is the schema map now. A link out of its folder is none; one that cannot be looked at is, and reading it says why. */
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

/** What else a system call fails with says nothing of what is there: a disk that fails or does not answer, a process that may open no more files. */
export function saysWhatIsThere(error: unknown): boolean {
  const code = systemCodeOf(error);
  return code === undefined || SAYS_WHAT_IS_THERE.has(code);
}
