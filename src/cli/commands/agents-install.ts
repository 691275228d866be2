import { blockText, CHANGE_OPTIONS, finish, MOUNT_OPTION, meantFiles, PROJECT_OPTIONS } from '../agents.ts';
import { defineCommand } from '../command.ts';

export const agentsInstall = defineCommand({
  verb: 'agents install',
  summary: 'tell the agents of a project where the mount is and how to use it',
  details:
    'Adds a short block between two marks to each of AGENTS.md, CLAUDE.md and GEMINI.md that the project has. If it has none, AGENTS.md\n' +
    'is created. Names of one file, as by a link, get one block. Running the command again changes nothing, unless the mount is\n' +
    'elsewhere now: then the block says where. A block that somebody edited is left as it is (exit status 1), unless --force is given.\n' +
    'All files are written, or none.',
  positionals: {},
  options: { ...PROJECT_OPTIONS, ...MOUNT_OPTION, ...CHANGE_OPTIONS },
  example: 'kgraphfs agents install --docs docs/sample',
  async run(args, io) {
    const { planInstall } = await import('../../instructions/change.ts');
    const meant = await meantFiles(args, io);
    const wanted = await blockText(args, meant, io);
    return finish(planInstall({ ...meant, force: args.force ?? false }, wanted), args, io);
  },
});
