import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Without links, as far as it is there. */
export function realPath(path: string): string {
  let existing = path;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  return join(realpathSync(existing), relative(existing, path));
}
