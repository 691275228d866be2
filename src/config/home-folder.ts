import os from 'node:os';
import { isAbsolute } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

/** What of `node:os` says where a home is. */
interface System {
  homedir(): string;
  userInfo(): { readonly homedir: string };
}

/**
 * The user's home folder: `$HOME`, else what the system says, else the root. An empty or relative one, as services have it, is not used: it would make the current folder,
 * which may be a stranger's, the place of the user's own config and keys.
 */
export function homeFolder({ homedir, userInfo }: System = os): string {
  return absoluteFrom(homedir) ?? absoluteFrom(() => userInfo().homedir) ?? '/';
}

function absoluteFrom(home: () => string): string | undefined {
  try {
    const path = home();
    return isAbsolute(path) ? path : undefined;
  } catch (error) {
    // The user has no entry, as in some containers.
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}
