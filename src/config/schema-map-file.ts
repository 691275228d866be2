import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** The one of these files that is the schema map now. A link out of its folder is none. */
export function usualMapNow(files: readonly string[]): string | undefined {
  return files.find((file) => existsSync(file) && isReallyInside(file, dirname(file)));
}
