import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The path without links, as far as it exists. */
export function realPath(path: string): string {
  let existing = path;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  return join(realpathSync(existing), relative(existing, path));
}
