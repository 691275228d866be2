import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';

export const sessionList = defineCommand({
  verb: 'session list',
  short: 'session',
  summary: 'the sessions of this state folder',
  details:
    'A mount begins a session, unless it goes on with one: then with the scratchpad as it was left. Oldest first.\n' +
    'A session that is not live can be gone on with: kgraphfs mount DIR --session ID.',
  positionals: {},
  options: {},
  example: 'kgraphfs session list --docs docs/sample',
  run: (args, io) =>
    withProject(args, io, async ({ workspace: { sessions, store }, state }) => {
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
          { title: 'history bytes', value: ({ history_bytes }) => history_bytes },
          { title: 'scratchpad', value: ({ has_scratchpad }) => (has_scratchpad ? 'kept' : 'cleared') },
          { title: 'actor', value: ({ actor }) => actor },
          { title: 'mount point', value: ({ mountpoint }) => mountpoint ?? '' },
        ]);
      }
      return 0;
    }),
});
