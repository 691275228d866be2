import { actorName } from '../caller.ts';
import { defineCommand } from '../command.ts';
import { withContext } from '../context.ts';
import { writeJson } from '../io.ts';

export const sessionNew = defineCommand({
  verb: 'session new',
  summary: 'begin a session, with an empty scratchpad',
  details:
    'The next mount continues this session, unless it names another. Without this command each mount begins a session of its own.',
  positionals: {},
  options: {},
  example: 'kgraphfs session new --docs docs/sample',
  run: (args, io) =>
    withContext(args, io, async ({ sessions }) => {
      const session = sessions.make(actorName(io));
      if (args.json) writeJson(io.out, { session });
      else io.out.write(`${session}\n`);
      return 0;
    }),
});
