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
    const [{ refuseClosedFolder }, { stopDaemons }, { deadMounts }] = await Promise.all([
      import('../../state/state-folder.ts'),
      import('../mount/stop-daemons.ts'),
      import('../mount/dead-mounts.ts'),
    ]);
    const { state } = await findServedPlace(args, io);
    refuseClosedFolder(state);
    const { all = false, force = false } = args;
    const { pids, mounts, cleared } = await stopDaemons(state, { all, force });
    if (args.json) {
      writeJson(io.out, { state: 'stopped', pids, cleared });
      return 0;
    }
    if (pids.length > 0) io.out.write(`stopped, pid ${pids.join(', ')}\n`);
    else if (cleared.length === 0) io.out.write(`${nothingEnded(mounts)}\n`);
    for (const point of cleared) io.out.write(`removed the dead mount at ${printableName(point)}\n`);
    for (const point of all ? [] : await deadMounts(state)) io.out.write(`${deadText(point)}\n`);
    return 0;
  },
});

function nothingEnded(mounts: readonly string[]): string {
  if (mounts.length === 0) return 'no daemon is running';
  const places = mounts.map(printableName).join(', ');
  return mounts.length === 1
    ? `the only daemon running is that of the mount at ${places}; end it with kgraphfs unmount, or stop --all`
    : `the only daemons running are those of the mounts at ${places}; end them with kgraphfs unmount, or stop --all`;
}

function deadText(point: string): string {
  const name = printableName(point);
  return `the daemon of the mount at ${name} ended without unmounting; kgraphfs unmount ${name}, or stop --all, clears it away`;
}
