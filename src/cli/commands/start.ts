import type { DaemonRecord } from '../../state/daemons.ts';
import type { StateFolder } from '../../state/state-folder.ts';
import { defineCommand } from '../command.ts';
import { EMBEDDING_OPTIONS } from '../embeddings.ts';
import { type Io, writeJson } from '../io.ts';
import { findPlace } from '../project.ts';

export const start = defineCommand({
  verb: 'start',
  summary: 'run a daemon without a mount: it keeps the index equal to the docs',
  details:
    'Returns when the docs are indexed, or after 5 seconds while indexing goes on. A state folder has one such daemon: if it runs\n' +
    'already, the command says so and does nothing else. With a daemon, other commands always show the current docs, and need not look\n' +
    'at the docs first. stop ends the daemon. If its state folder is removed, it ends by itself.',
  positionals: {},
  options: {
    wait: { type: 'boolean', summary: 'wait until everything is indexed, however long that takes' },
    foreground: { type: 'boolean', summary: 'run in this process until a signal or stop ends it' },
    ...EMBEDDING_OPTIONS,
  },
  example: 'kgraphfs start --docs docs/sample',
  async run(args, io) {
    const [{ unmountedDaemon }, { planMount }] = await Promise.all([
      import('../../state/daemons.ts'),
      import('../mount/mount-plan.ts'),
    ]);
    const { state } = await findPlace(args, io, { keepsLast: true, onBroken: () => {} });
    const running = unmountedDaemon(state);
    if (running) return sayThatItRuns(running, state, args.json, io);
    const asked = { dir: undefined, driver: undefined, allowOther: false, readOnly: undefined };
    const plan = await planMount({ ...args, ...asked, audit: 'on', session: undefined }, io);
    if (args.foreground) {
      const { mountInForeground } = await import('../mount/mount-in-foreground.ts');
      return mountInForeground(plan, io);
    }
    const [{ mountInBackground }, { DaemonRefusedError }] = await Promise.all([
      import('../mount/mount-in-background.ts'),
      import('../mount/start-daemon-process.ts'),
    ]);
    try {
      return await mountInBackground(plan, io);
    } catch (error) {
      // Another daemon may have been started at the same moment.
      const other = error instanceof DaemonRefusedError ? unmountedDaemon(state) : undefined;
      if (other === undefined) throw error;
      return sayThatItRuns(other, state, args.json, io);
    }
  },
});

async function sayThatItRuns(
  running: DaemonRecord,
  state: StateFolder,
  json: boolean | undefined,
  io: Io,
): Promise<number> {
  const { told } = await import('../mount/read-status.ts');
  if (json) writeJson(io.out, told(state, running));
  else io.out.write(`a daemon is already running, pid ${running.pid}\n`);
  return 0;
}
