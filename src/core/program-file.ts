import { existsSync } from 'node:fs';

let compiled: URL | undefined;

/**
 * Where a compiled file of this program lies, from wherever it is asked for.
 * @param path relative to the folder of compiled files, such as `cli/main.js`
 */
export function programFile(path: string): URL {
  compiled ??= compiledAbove(new URL('./', import.meta.url));
  return new URL(path, compiled);
}

/** Bundling puts this code into files of any depth; this file itself stays where it is. */
function compiledAbove(folder: URL): URL {
  if (existsSync(new URL('core/program-file.js', folder))) return folder;
  const above = new URL('../', folder);
  if (above.href === folder.href) throw new Error('core/program-file.js is missing: install kgraphfs again');
  return compiledAbove(above);
}
