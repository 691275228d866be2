import { defineCommand } from '../command.ts';
import { CLIENT_OPTIONS } from '../mcp/client-options.ts';

export const mcpUninstall = defineCommand({
  verb: 'mcp uninstall',
  summary: 'take kgraphfs out of that config',
  details:
    'A file that mcp install made, and nobody else wrote to, goes, with the folders that were made for it.',
  positionals: {},
  options: {
    ...CLIENT_OPTIONS,
    force: { type: 'boolean', summary: 'take out an entry of this name that is not from here, too' },
  },
  example: 'kgraphfs mcp uninstall --client claude-code --dry-run',
  run: async (args, io) => (await import('../mcp/install.ts')).uninstall(args, io),
});
