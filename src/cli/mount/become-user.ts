import { spawnSync } from 'node:child_process';
import { EXIT, reasonOf, UserError } from '../../core/errors.ts';

/**
 * Makes this process one of another user, permanently: its user, group and supplementary groups.
 * @throws UserError if there is no such user, or this process is not root's
 */
export function becomeUser(name: string): void {
  const [uid] = ids('-u', name);
  const [gid] = ids('-g', name);
  if (uid === undefined || gid === undefined) throw new Error(`id says nothing of ${name}`);
  if (uid === process.getuid?.()) return;
  try {
    process.setgroups?.(ids('-G', name));
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    throw new UserError(`cannot mount as ${name} (${reasonOf(error)}); only root can`, EXIT.cannotMount, {
      cause: error,
    });
  }
}

/** The ids as id(1) finds them, wherever this machine keeps its users. */
function ids(flag: '-u' | '-g' | '-G', name: string): number[] {
  const { status, stdout } = spawnSync('id', [flag, '--', name], { encoding: 'utf8' });
  if (status === 0) return stdout.trim().split(' ').map(Number);
  throw new UserError(`there is no user ${name} (setuid=${name})`, EXIT.cannotMount);
}
