import { defineCommand } from '../command.ts';
import { CLIENT_OPTIONS } from '../mcp/client-options.ts';

export const mcpUninstall = defineCommand({
  verb: 'mcp uninstall',
  summary: 'remove kgraphfs from that config',
  details:
    'If mcp install created the file, and nobody else wrote to it, the file is removed, with the folders that were created for it.',
  positionals: {},
  options: {
    ...CLIENT_OPTIONS,
    force: { type: 'boolean', summary: 'also remove an entry with this name that kgraphfs did not write' },
  },
  example: 'kgraphfs mcp uninstall --client claude-code --dry-run',
  run: async (args, io) => (await import('../mcp/install.ts')).uninstall(args, io),
});
