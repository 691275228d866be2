import { CHANGE_OPTIONS, finish, meantFiles, PROJECT_OPTIONS } from '../agents.ts';
import { defineCommand } from '../command.ts';

export const agentsUninstall = defineCommand({
  verb: 'agents uninstall',
  summary: "remove from a project's files what agents install wrote",
  details:
    'Looks at all markdown at the root of the project, or at --file. What was there before is there again, byte for byte; a file that\n' +
    'was created for the block is removed. A block that somebody edited is left as it is (exit status 1), unless --force is given.',
  positionals: {},
  options: { ...PROJECT_OPTIONS, ...CHANGE_OPTIONS },
  example: 'kgraphfs agents uninstall',
  async run(args, io) {
    const { planUninstall } = await import('../../instructions/change.ts');
    const changes = planUninstall({ ...(await meantFiles(args, io)), force: args.force ?? false });
    if (changes.length === 0 && !args.json) io.out.write('no file says anything of kgraphfs\n');
    return finish(changes, args, io);
  },
});
