import { defineCommand } from '../command.ts';
import { withContext } from '../context.ts';
import { writeJson } from '../io.ts';
import type { SessionView } from '../text/session.ts';

/** The scratchpad of a session. One that was never mounted gets its scratchpad with the first mount. */
function scratchpadText({ has_scratchpad, mountpoint }: SessionView): string {
  if (has_scratchpad) return 'kept';
  return mountpoint === null ? 'empty' : 'cleared';
}

export const sessionList = defineCommand({
  verb: 'session list',
  short: 'session',
  summary: 'the sessions of this state folder',
  details:
    'Oldest first. A mount begins a session, unless it continues one: then it has the scratchpad as it was left.\n' +
    'A session that is not live can be continued: kgraphfs mount DIR --session ID. "next" marks the session that the next mount\n' +
    'continues.',
  positionals: {},
  options: {},
  example: 'kgraphfs session list --docs docs/sample',
  run: (args, io) =>
    withContext(args, io, async ({ sessions, store, state }) => {
      const [{ sessionViews }, { writeTable }] = await Promise.all([
        import('../text/session.ts'),
        import('../text/table.ts'),
      ]);
      const views = sessionViews(sessions, store, state.scratchpadsFolder);
      if (args.json) writeJson(io.out, views);
      else if (views.length === 0) io.err.write('no sessions\n');
      else {
        writeTable(io.out, views, [
          { title: 'session', value: ({ session }) => session },
          { title: 'state', value: ({ state }) => state },
          { title: 'started', value: ({ started_at }) => started_at },
          { title: 'entries', value: ({ entries }) => entries },
          { title: 'scratchpad', value: scratchpadText },
          { title: 'actor', value: ({ actor }) => actor },
          { title: 'mount point', value: ({ mountpoint }) => mountpoint ?? '', isName: true },
        ]);
      }
      return 0;
    }),
});
