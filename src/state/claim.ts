import { UserError } from '../core/errors.ts';
import { type DaemonRecord, daemonPlace, liveDaemons, registerDaemon } from './daemons.ts';
import { withDaemonsLocked } from './daemons-lock.ts';
import type { KnownProcess } from './processes.ts';
import { prepareStateFolder, type StateFolder } from './state-folder.ts';

export interface Claim<T> {
  /** What `begin` gave. */
  readonly begun: T;
  /** Takes the record back. */
  readonly release: () => void;
}

/**
 * Notes this process as a daemon of the state folder, before it opens what is kept there: of two that start at once, one sees the other, and
 * who wipes sees both.
 * @param begin makes what whoever finds a daemon relies on
 * @throws UserError where the folder serves other docs, or this is to be its one daemon without a mount and there is one; whatever `begin` throws
 */
export function claimStateFolder<T>(
  state: StateFolder,
  daemon: Omit<DaemonRecord, keyof KnownProcess | 'inode'>,
  begin: () => T,
): Promise<Claim<T>> {
  return withDaemonsLocked(state, () => {
    // Who had the lock before may have wiped the folder.
    prepareStateFolder(state);
    for (const other of liveDaemons(state)) refuseBeside(other, daemon, state);
    const begun = begin();
    return { begun, release: registerDaemon(state, daemon) };
  });
}

function refuseBeside(
  other: DaemonRecord,
  { docs, mountpoint }: Pick<DaemonRecord, 'docs' | 'mountpoint'>,
  { path }: StateFolder,
): void {
  if (other.docs !== docs)
    throw new UserError(
      `${path}: this state folder serves ${other.docs}, ${daemonPlace(other)}; choose another with --state`,
    );
  if (mountpoint === null && other.mountpoint === null)
    throw new UserError(`a daemon of ${path} runs already, ${daemonPlace(other)}`);
}
