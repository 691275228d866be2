import { defineCommand } from '../command.ts';
import { withContext } from '../context.ts';
import { writeJson } from '../io.ts';

export const sessionResume = defineCommand({
  verb: 'session resume',
  summary: 'continue a session and its scratchpad',
  details:
    'The next mount continues this session, unless it names another. kgraphfs mount DIR --session ID does both in one step.\n' +
    'A session that a daemon serves cannot be continued elsewhere.',
  positionals: { id: { summary: 'the session, as session list shows it', isName: true } },
  options: {},
  example: 'kgraphfs session resume "$(kgraphfs session new --docs docs/sample)" --docs docs/sample',
  run: (args, io) =>
    withContext(args, io, async ({ sessions }) => {
      sessions.markNext(args.id);
      if (args.json) writeJson(io.out, { session: args.id });
      else io.out.write(`the next mount continues session ${args.id}\n`);
      return 0;
    }),
});
