import { blockText, MOUNT_OPTION, meantFiles, namesOf, PROJECT_OPTIONS } from '../agents.ts';
import { defineCommand } from '../command.ts';
import { writeJson } from '../io.ts';
import { writeTable } from '../text/table.ts';

export const agentsStatus = defineCommand({
  verb: 'agents status',
  summary: 'which files tell agents about the mount; exit status 1 unless all do',
  details:
    '"Other text" means that the block says what another version, or another place of the mount, would write; agents install brings it\n' +
    'up to date.',
  positionals: {},
  options: { ...PROJECT_OPTIONS, ...MOUNT_OPTION },
  example: 'kgraphfs agents status --docs docs/sample',
  async run(args, io) {
    const { blockStates } = await import('../../instructions/change.ts');
    const meant = await meantFiles(args, io);
    const states = blockStates(meant, await blockText(args, meant, io));
    if (args.json) writeJson(io.out, states);
    else
      writeTable(io.out, states, [
        { title: 'file', value: (state) => namesOf(state, io) },
        { title: 'state', value: ({ state }) => state },
      ]);
    return states.every(({ state }) => state === 'installed') ? 0 : 1;
  },
});
