import { COMMON_OPTIONS, type Command, type OptionSpecs } from './command.ts';
import { optionSummary, optionUsage, ownOptions, usageLine } from './help.ts';

/** The reference of the command line in markdown, from the same definitions that parse it. */
export function cliReference(commands: readonly Command[]): string {
  return `${[
    '# Command line',
    '<!-- Made by scripts/generate-cli-docs.ts from src/cli: change the definitions there, then run it. -->',
    'This page lists every command with its arguments and options; use it to look up a command by its name. The [guide](guide.md) shows the commands at work.',
    'Every command works with and without a daemon, and takes these options:',
    optionTable(COMMON_OPTIONS),
    'Without a daemon, a command that reads the graph first brings the index up to date. With a daemon, it relies on the daemon for that.',
    'Output is formatted on a terminal and plain in a pipe; `NO_COLOR` turns colour off. An error goes to standard error, as one line and a hint; `KGRAPHFS_DEBUG=1` adds the stack of a bug.',
    '| exit status | |\n|---|---|\n| 0 | done |\n| 1 | failed, or nothing found |\n| 2 | wrong usage |\n| 3 | mount, unmount, doctor |\n| 130 | interrupted by Ctrl-C |\n| 143 | ended by SIGTERM |',
    '`ask`, `build --llm`, `build --embed`, and `mount` and `start` while they wait stop in order at a SIGTERM, too, and give 130. What serves until it is told to end (`mount` and `start` with `--foreground`, `mcp`) gives 0.',
    ...commands.map(commandSection),
  ].join('\n\n')}\n`;
}

function commandSection(command: Command): string {
  const { verb, summary, details, positionals, example } = command;
  const rows = Object.entries(positionals).map(([name, spec]) => [`\`${name}\``, spec.summary] as const);
  const own = ownOptions(command);
  return [
    `## ${verb}`,
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ['```sh', usageLine(command), '```'].join('\n'),
    ...(details === undefined ? [] : [details]),
    ...(rows.length === 0 ? [] : [table('argument', rows)]),
    ...(Object.keys(own).length === 0 ? [] : [optionTable(own)]),
    `Example: \`${example}\``,
  ].join('\n\n');
}

function optionTable(options: OptionSpecs): string {
  return table(
    'option',
    Object.entries(options).map(([name, spec]) => [`\`${optionUsage(name, spec)}\``, optionSummary(spec)]),
  );
}

function table(title: string, rows: readonly (readonly [string, string])[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  return [`| ${title} | |`, '|---|---|', ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`)].join('\n');
}
