import { parsePath } from '../../core/paths.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { withProject } from '../project.ts';
import { provenanceOf } from '../provenance.ts';

export const vfsExec = defineCommand({
  verb: 'vfs exec',
  summary: 'run an action of the resolver that serves a path (vfs mounts lists them)',
  positionals: {
    path: { summary: 'path in the mount, such as /graph' },
    action: { summary: 'name of the action' },
    args: { summary: 'arguments of the action', count: 'many' },
  },
  options: {},
  example: 'kgraphfs vfs exec /graph find_path Subscription Charge --docs docs/sample',
  run: (args, io) => {
    const provenance = provenanceOf('vfs exec', args);
    return withProject(args, io, async ({ fs, graph }) => {
      const answer = await fs.exec(parsePath(args.path), args.action, args.args, {});
      if (args.json)
        writeJson(io.out, {
          path: args.path,
          action: args.action,
          answer: jsonOrText(answer),
          ...provenance(graph.revision()),
        });
      else io.out.write(answer);
      return 0;
    });
  },
});

/** The answer of an action, parsed if it is JSON, as most are; otherwise its text. */
function jsonOrText(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    // The answer is plain text.
    return answer;
  }
}
