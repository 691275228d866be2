import type { DaemonRecord } from '../../state/daemons.ts';
import { printableName } from '../../text/printable.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { findServedPlace } from '../project.ts';

export const stop = defineCommand({
  verb: 'stop',
  summary: 'end the daemon that start began (unmount ends that of a mount)',
  details:
    'Waits until the daemon has ended; it first finishes what it is writing. If none runs, the command says so, and succeeds.',
  positionals: {},
  options: {
    all: {
      type: 'boolean',
      summary: "also remove the project's mounts, with their daemons, and dead mounts",
    },
    force: {
      type: 'boolean',
      summary: 'also end a daemon that hangs, and remove mounts even if programs use them',
    },
  },
  example: 'kgraphfs stop --docs docs/sample',
  async run(args, io) {
    const [
      { liveDaemons },
      { refuseClosedFolder },
      { isElsewhere },
      { endDaemon, outOfReach },
      { endMounted, unmountAndWait },
      dead,
      lost,
    ] = await Promise.all([
      import('../../state/daemons.ts'),
      import('../../state/state-folder.ts'),
      import('../../state/processes.ts'),
      import('../mount/end-daemon.ts'),
      import('../mount/unmount-and-wait.ts'),
      import('../mount/dead-mounts.ts'),
      import('../mount/lost-mounts.ts'),
    ]);
    const { state } = await findServedPlace(args, io);
    refuseClosedFolder(state);
    const force = args.force ?? false;
    const ended: number[] = [];
    const mounts: string[] = [];
    const beyond: DaemonRecord[] = [];
    for (const daemon of liveDaemons(state)) {
      const { mountpoint } = daemon;
      const isMeant = args.all || mountpoint === null;
      if (isMeant && isElsewhere(daemon)) {
        beyond.push(daemon);
        continue;
      }
      if (mountpoint === null) await endDaemon(state, daemon, { force });
      else if (args.all) await endMounted({ ...daemon, mountpoint }, state, force);
      else {
        mounts.push(mountpoint);
        continue;
      }
      ended.push(daemon.pid);
    }
    if (ended.length === 0 && mounts.length === 0 && beyond.length === 0) {
      for (const { mountpoint, pid } of await lost.lostMounts(state)) {
        if (args.all) {
          await unmountAndWait(mountpoint, force);
          ended.push(pid);
        } else mounts.push(mountpoint);
      }
    }
    const cleared = args.all ? await dead.clearDeadMounts(state) : [];
    if (beyond.length > 0) throw outOfReach(beyond);
    if (args.json) {
      writeJson(io.out, { state: 'stopped', pids: ended, cleared });
      return 0;
    }
    if (ended.length > 0) io.out.write(`stopped, pid ${ended.join(', ')}\n`);
    else if (cleared.length === 0) io.out.write(`${nothingEnded(mounts)}\n`);
    for (const point of cleared) io.out.write(`took away the dead mount at ${printableName(point)}\n`);
    for (const point of args.all ? [] : await dead.deadMounts(state)) io.out.write(`${deadText(point)}\n`);
    return 0;
  },
});

function nothingEnded(mounts: readonly string[]): string {
  if (mounts.length === 0) return 'no daemon runs';
  const places = mounts.map(printableName).join(', ');
  return mounts.length === 1
    ? `no daemon runs but that of the mount at ${places}; it ends with kgraphfs unmount, or stop --all`
    : `no daemon runs but those of the mounts at ${places}; they end with kgraphfs unmount, or stop --all`;
}

function deadText(point: string): string {
  const name = printableName(point);
  return `the daemon of the mount at ${name} ended without unmounting; kgraphfs unmount ${name}, or stop --all, clears it away`;
}
