import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { systemCodeOf } from '../core/errors.ts';

/**
 * The user's home folder: `$HOME`, else what the system says. An empty or relative HOME, as services have it, is not used: it would make the current folder, which may be
 * a stranger's, the place of the user's own config and keys.
 */
export function homeFolder(): string {
  const home = homedir();
  if (isAbsolute(home)) return home;
  try {
    const known = userInfo().homedir;
    return isAbsolute(known) ? known : '/';
  } catch (error) {
    // The user has no entry, as in some containers.
    if (systemCodeOf(error) === undefined) throw error;
    return '/';
  }
}
