import { COMMON_OPTIONS, type Command, flagName, type OptionSpec, type OptionSpecs } from './command.ts';
import type { Style } from './text/style.ts';

/** A usage line: `mount <dir> [options]`, `vfs exec <path> <action> [args...]`. */
export function usageLine({ verb, positionals }: Command): string {
  const words = Object.entries(positionals).map(([name, { count = 'one' }]) => {
    if (count === 'one') return `<${name}>`;
    return count === 'optional' ? `[${name}]` : `[${name}...]`;
  });
  return ['kgraphfs', verb, ...words, '[options]'].join(' ');
}

/** How an option is given: `-l, --long`, `--limit N`, `--format text|markdown|json`. */
export function optionUsage(name: string, spec: OptionSpec): string {
  const flag = `--${flagName(name)}`;
  if (spec.type === 'boolean') return spec.short === undefined ? flag : `-${spec.short}, ${flag}`;
  const choices = spec.type === 'text' ? spec.choices : undefined;
  return `${flag} ${choices ? choices.join('|') : spec.value}`;
}

export function optionSummary(spec: OptionSpec): string {
  const value = 'default' in spec ? spec.default : undefined;
  return value === undefined ? spec.summary : `${spec.summary} (default: ${value})`;
}

/** The options of a command other than the common ones. */
export function ownOptions({ options }: Command): OptionSpecs {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in COMMON_OPTIONS)));
}

/** The help of `kgraphfs --help`. */
export function programHelp(commands: readonly Command[], style: Style): string {
  return sections([
    "kgraphfs: a team's markdown docs, and the knowledge graph in them, as a filesystem",
    `${style('bold', 'Usage:')} kgraphfs <command> [options]`,
    heading('Commands', style) +
      list(
        commands.map(({ verb, summary }) => [verb, summary]),
        style,
      ),
    heading('Options of every command', style) + optionList(COMMON_OPTIONS, style),
    heading('Examples', style) +
      lines([
        'kgraphfs mount ~/ctx --docs docs/sample',
        'cat ~/ctx/graph/nodes/Charge',
        'kgraphfs unmount ~/ctx',
      ]),
    'kgraphfs <command> --help, or kgraphfs help <command>, explains a command. Exit status: 0 done, 1 failed or nothing found, 2 wrong usage, 3 mount.',
  ]);
}

/** The help of `kgraphfs vfs --help`. */
export function groupHelp(group: string, commands: readonly Command[], style: Style): string {
  const members = commands.filter(({ verb }) => verb.startsWith(`${group} `));
  return sections([
    `${style('bold', 'Usage:')} kgraphfs ${group} <command> [options]`,
    heading('Commands', style) +
      list(
        members.map(({ verb, summary }) => [verb, summary]),
        style,
      ),
  ]);
}

/** The help of `kgraphfs mount --help`. */
export function commandHelp(command: Command, style: Style): string {
  const { summary, details, positionals, example } = command;
  const own = ownOptions(command);
  const parts = [
    summary,
    `${style('bold', 'Usage:')} ${usageLine(command)}`,
    ...(details === undefined ? [] : [details]),
  ];
  if (Object.keys(positionals).length > 0) {
    const rows = Object.entries(positionals).map(([name, spec]) => [name, spec.summary] as const);
    parts.push(heading('Arguments', style) + list(rows, style));
  }
  if (Object.keys(own).length > 0) parts.push(heading('Options', style) + optionList(own, style));
  parts.push(heading('Options of every command', style) + optionList(COMMON_OPTIONS, style));
  parts.push(heading('Example', style) + lines([example]));
  return sections(parts);
}

function heading(text: string, style: Style): string {
  return `${style('bold', `${text}:`)}\n`;
}

function optionList(options: OptionSpecs, style: Style): string {
  return list(
    Object.entries(options).map(([name, spec]) => [optionUsage(name, spec), optionSummary(spec)]),
    style,
  );
}

function list(rows: readonly (readonly [string, string])[], style: Style): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return lines(rows.map(([name, text]) => `${style('cyan', name.padEnd(width))}  ${text}`));
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `  ${text}`).join('\n');
}

function sections(parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`;
}
