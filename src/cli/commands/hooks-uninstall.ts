import { defineCommand } from '../command.ts';
import { withRepository, writeStates } from '../hooks.ts';

export const hooksUninstall = defineCommand({
  verb: 'hooks uninstall',
  summary: 'restore the git hooks as they were',
  positionals: {},
  options: {},
  example: 'kgraphfs hooks uninstall',
  run: (args, io) =>
    withRepository(args, io, async (repository) => {
      const { uninstallHooks } = await import('../../hooks/install.ts');
      writeStates(await uninstallHooks(repository), args.json === true, io);
      return 0;
    }),
});
