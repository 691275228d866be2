import { defineCommand } from '../command.ts';
import { CLIENT_OPTIONS } from '../mcp/client-options.ts';

export const mcpInstall = defineCommand({
  verb: 'mcp install',
  summary: 'add kgraphfs to the config of an MCP client',
  details:
    'Writes the file that the client reads in the project (.mcp.json, .cursor/mcp.json, .gemini/settings.json, .vscode/mcp.json), or\n' +
    'your own; claude-desktop has only your own. Everything else in the file stays as it is, comments included, and the diff is shown.\n' +
    'A broken file is left alone, and the message names the line. --uninstall, or mcp uninstall, removes exactly what was added.',
  positionals: {},
  options: {
    ...CLIENT_OPTIONS,
    command: {
      type: 'text',
      value: 'COMMAND',
      summary: 'the command that the client starts (default: this program, by its whole path)',
    },
    uninstall: { type: 'boolean', summary: 'remove it again' },
    force: {
      type: 'boolean',
      summary: 'replace (or remove) an entry with this name that kgraphfs did not write',
    },
  },
  example: 'kgraphfs mcp install --client claude-code --dry-run --docs docs/sample',
  async run(args, io) {
    const { install, uninstall } = await import('../mcp/install.ts');
    return args.uninstall ? uninstall(args, io) : install(args, io);
  },
});
