import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `nobody` of every Linux, user and group. */
export const NOBODY = 65_534;

/** What a command is preceded by to be run as nobody. */
export const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] as const;

/** Why a test cannot run this project's programs as somebody else; false where it can. Where it cannot, a line of output says so. */
export function whyNotAsNobody(): string | false {
  const reason = findReason();
  if (reason !== false) process.stdout.write(`# tests as another user did not run: ${reason}\n`);
  return reason;
}

function findReason(): string | false {
  if (process.getuid?.() !== 0) return 'this needs root';
  const [command, ...args] = [...AS_NOBODY, process.execPath, '--check', fileURLToPath(import.meta.url)];
  const { status } = spawnSync(command, args);
  return status === 0 ? false : 'other users cannot read this folder';
}
