import { UserError } from '../core/errors.ts';
import { type DaemonRecord, daemonPlace, liveDaemons, registerDaemon } from './daemons.ts';
import { withDaemonsLocked } from './daemons-lock.ts';
import type { KnownProcess } from './processes.ts';
import { docsServed, whyOtherDocs } from './served-docs.ts';
import { prepareStateFolder, type StateFolder } from './state-folder.ts';

export interface Claim<T> {
  /** The result of `begin`. */
  readonly begun: T;
  /** Removes the record of this daemon. */
  readonly release: () => void;
}

/**
 * Registers this process as a daemon of the state folder, before it opens any file there. So if two daemons start at once, one sees the other, and a wipe sees
 * both.
 * @param begin makes what must exist as soon as others can see this daemon
 * @throws UserError if the folder serves other docs, or if this is to be its daemon without a mount and there already is one; whatever `begin` throws
 */
export function claimStateFolder<T>(
  state: StateFolder,
  daemon: Omit<DaemonRecord, keyof KnownProcess | 'inode'>,
  begin: () => T,
): Promise<Claim<T>> {
  return withDaemonsLocked(state, () => {
    // The process that held the lock before may have wiped the folder.
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
  if (docsServed(other) !== docs) throw new UserError(whyOtherDocs(path, other));
  if (mountpoint === null && other.mountpoint === null)
    throw new UserError(`a daemon of ${path} is already running, ${daemonPlace(other)}`);
}
