import { JOBS, type Job } from './jobs.ts';

/** Gemini CLI replaces this in the prompt of a command by what the user has typed after the command. */
const TYPED = '{{args}}';

/**
 * The files of an extension for Gemini CLI, by their paths in the package: its manifest, which starts the server in the working folder, and the
 * common jobs as commands (`/kgraphfs:answer`).
 */
export function geminiExtension(version: string): ReadonlyMap<string, string> {
  const manifest = {
    name: 'kgraphfs',
    version,
    description: "A team's docs, the knowledge graph in them, and what the team remembers",
    mcpServers: { kgraphfs: { command: 'kgraphfs', args: ['mcp'] } },
  };
  return new Map([
    // Formatted as the project's formatter does.
    ['gemini-extension.json', `${JSON.stringify(manifest, null, 2).replace(/\[\s+"mcp"\s+\]/, '["mcp"]')}\n`],
    ...JOBS.map((job) => [`commands/kgraphfs/${job.name}.toml`, commandOf(job)] as const),
  ]);
}

/** Texts of jobs contain neither backslashes nor three quotation marks, so TOML takes them as they are. */
function commandOf({ description, arguments: args, text }: Job): string {
  const [first, ...others] = args.map(({ name }) => name);
  const given = Object.fromEntries([
    ...(first === undefined ? [] : [[first, TYPED]]),
    ...others.map((name) => [name, `(${name}: in the line above, too)`]),
  ]);
  return `description = "${description}"\nprompt = """\n${text(given)}\n"""\n`;
}
