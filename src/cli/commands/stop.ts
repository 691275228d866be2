import { printable } from '../../core/printable.ts';
import type { DaemonRecord } from '../../state/daemons.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { findServedPlace } from '../project.ts';

export const stop = defineCommand({
  verb: 'stop',
  summary: 'end the daemon that start began (unmount ends that of a mount)',
  details:
    'Waits until it has ended; what it is writing is written first. Where none runs, that is said, and all is well.',
  positionals: {},
  options: {
    all: { type: 'boolean', summary: "also take the project's mounts away, with their daemons" },
    force: {
      type: 'boolean',
      summary: 'end also one that hangs, and take a mount away also from those who use it',
    },
  },
  example: 'kgraphfs stop --docs docs/sample',
  async run(args, io) {
    const [{ liveDaemons }, { isElsewhere }, { endDaemon, outOfReach }, { endMounted }] = await Promise.all([
      import('../../state/daemons.ts'),
      import('../../state/processes.ts'),
      import('../mount/end-daemon.ts'),
      import('../mount/unmount-and-wait.ts'),
    ]);
    const { state } = await findServedPlace(args, io);
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
      if (mountpoint === null) await endDaemon(state, daemon, force);
      else if (args.all) await endMounted({ ...daemon, mountpoint }, state, force);
      else {
        mounts.push(mountpoint);
        continue;
      }
      ended.push(daemon.pid);
    }
    if (beyond.length > 0) throw outOfReach(beyond);
    if (args.json) writeJson(io.out, { state: 'stopped', pids: ended });
    else if (ended.length === 0) io.out.write(`${nothingEnded(mounts)}\n`);
    else io.out.write(`stopped, pid ${ended.join(', ')}\n`);
    return 0;
  },
});

function nothingEnded([mount]: readonly string[]): string {
  if (mount === undefined) return 'no daemon runs';
  return `no daemon runs but that of the mount at ${printable(mount)}; it ends with kgraphfs unmount, or stop --all`;
}
