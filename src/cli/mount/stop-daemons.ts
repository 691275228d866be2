import { type DaemonRecord, liveDaemons } from '../../state/daemons.ts';
import { isElsewhere } from '../../state/processes.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import { clearDeadMounts } from './dead-mounts.ts';
import { endDaemon, outOfReach } from './end-daemon.ts';
import { endLostMount, lostMounts } from './lost-mounts.ts';
import { endMounted } from './unmount-and-wait.ts';

export interface StopOptions {
  /** Whether mounts are meant, too. */
  readonly all: boolean;
  /** Also end a daemon that hangs, and remove mounts even if programs use them. */
  readonly force: boolean;
}

export interface Stopped {
  /** The pids of daemons that have ended. */
  readonly pids: readonly number[];
  /** The mount points of daemons that go on, as mounts were not meant. */
  readonly mounts: readonly string[];
  /** The mount points of dead mounts that were taken away. */
  readonly cleared: readonly string[];
}

/** Ends the daemons of a state folder. @throws UserError if one does not end, or runs in another container; those within reach have ended then */
export async function stopDaemons(state: StateFolder, options: StopOptions): Promise<Stopped> {
  const known = innermostFirst(liveDaemons(state));
  const stopped = known.length > 0 ? await stopKnown(state, known, options) : await stopLost(state, options);
  const cleared = options.all ? await clearDeadMounts(state) : [];
  if (stopped.beyond.length > 0) throw outOfReach(stopped.beyond);
  return { ...stopped, cleared };
}

interface StoppedDaemons extends Pick<Stopped, 'pids' | 'mounts'> {
  /** Those in other containers. */
  readonly beyond: readonly DaemonRecord[];
}

async function stopKnown(
  state: StateFolder,
  daemons: readonly DaemonRecord[],
  { all, force }: StopOptions,
): Promise<StoppedDaemons> {
  const mounts = all ? [] : daemons.flatMap(({ mountpoint }) => mountpoint ?? []);
  const meant = daemons.filter(({ mountpoint }) => all || mountpoint === null);
  const beyond = meant.filter(isElsewhere);
  const pids: number[] = [];
  for (const daemon of meant) {
    if (beyond.includes(daemon)) continue;
    const { mountpoint } = daemon;
    if (mountpoint === null) await endDaemon(state, daemon, { force });
    else await endMounted({ ...daemon, mountpoint }, state, force);
    pids.push(daemon.pid);
  }
  return { pids, mounts, beyond };
}

/** A mount that has another one in it stays busy until that has ended. */
function innermostFirst<Mount extends { readonly mountpoint: string | null }>(
  mounts: readonly Mount[],
): Mount[] {
  return mounts.toSorted((a, b) => (b.mountpoint ?? '').length - (a.mountpoint ?? '').length);
}

async function stopLost(state: StateFolder, { all, force }: StopOptions): Promise<StoppedDaemons> {
  const lost = innermostFirst(await lostMounts(state));
  if (!all) return { pids: [], mounts: lost.map(({ mountpoint }) => mountpoint), beyond: [] };
  for (const mount of lost) await endLostMount(mount, force);
  return { pids: lost.map(({ pid }) => pid), mounts: [], beyond: [] };
}
