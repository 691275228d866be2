import { defineCommand } from '../command.ts';
import { withRepository, writeStates } from '../hooks.ts';

export const hooksStatus = defineCommand({
  verb: 'hooks status',
  summary: 'which git hooks run kgraphfs; exit status 1 unless all do',
  positionals: {},
  options: {},
  example: 'kgraphfs hooks status',
  run: (args, io) =>
    withRepository(args, io, async (repository) => {
      const { hookStates } = await import('../../hooks/install.ts');
      const states = hookStates(repository);
      writeStates(states, args.json === true, io);
      return states.every(({ installed }) => installed) ? 0 : 1;
    }),
});
