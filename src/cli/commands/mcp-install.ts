import { defineCommand } from '../command.ts';
import { CLIENT_OPTIONS } from '../mcp/client-options.ts';

export const mcpInstall = defineCommand({
  verb: 'mcp install',
  summary: 'enter kgraphfs in the config of an MCP client',
  details:
    'Writes the file that the client reads of the project (.mcp.json, .cursor/mcp.json, .gemini/settings.json, .vscode/mcp.json), or your\n' +
    'own; claude-desktop has only that. What else is in the file stays as it is, comments included, and the diff is shown. A file that is\n' +
    'broken is left alone, and its line said. --uninstall, or mcp uninstall, takes out just what was put in.',
  positionals: {},
  options: {
    ...CLIENT_OPTIONS,
    command: {
      type: 'text',
      value: 'COMMAND',
      summary: 'what the client starts (default: this program, by its whole path)',
    },
    uninstall: { type: 'boolean', summary: 'take it out again' },
    force: { type: 'boolean', summary: 'replace (or take out) an entry of this name that is not from here' },
  },
  example: 'kgraphfs mcp install --client claude-code --dry-run --docs docs/sample',
  async run(args, io) {
    const { install, uninstall } = await import('../mcp/install.ts');
    return args.uninstall ? uninstall(args, io) : install(args, io);
  },
});
