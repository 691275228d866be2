import { COMMON_OPTIONS, type Command, type OptionSpecs } from './command.ts';
import { optionSummary, optionUsage, ownOptions, usageLine } from './help.ts';

const ENVIRONMENT: readonly (readonly [string, string])[] = [
  ['KGRAPHFS_ACTOR', 'who acts, as memory and history name them'],
  ['KGRAPHFS_SESSION', 'the session that things done belong to'],
  ['KGRAPHFS_MODEL, KGRAPHFS_BASE_URL', 'the language model, and the API that has it'],
  [
    'KGRAPHFS_EMBEDDINGS_MODEL, KGRAPHFS_EMBEDDINGS_URL',
    'the model for search by meaning, and the API that has it',
  ],
  [
    'OPENAI_API_KEY, OPENROUTER_API_KEY',
    'keys of these APIs; they may also stand in .env beside your config file',
  ],
  ['OPENAI_BASE_URL', 'the API that OPENAI_API_KEY is for, where nothing else names one'],
  ['KGRAPHFS_MCP_TOKEN', 'what clients of kgraphfs mcp over HTTP have to show'],
  ['KGRAPHFS_DEBUG', '1 shows the stack of a bug'],
  ['KGRAPHFS_SKIP_HOOKS', '1 has the git hooks do nothing'],
  ['NO_COLOR', 'no colours'],
  ['VISUAL, EDITOR', 'with what entries of memory are edited'],
  ['XDG_CONFIG_HOME', 'where your own config is, in place of ~/.config'],
];

const FILES: readonly (readonly [string, string])[] = [
  ['./kgraphfs.config.json', 'settings of a project'],
  ['~/.config/kgraphfs/config.json', 'your own settings: models and where they are'],
  ['.kgraphfs/', 'the state folder, beside the docs: index, memory, history, scratchpads'],
];

const STATUSES: readonly (readonly [string, string])[] = [
  ['0', 'done'],
  ['1', 'failed, or nothing found'],
  ['2', 'wrong usage'],
  ['3', 'mount, unmount, doctor'],
  ['130', 'interrupted by Ctrl-C, or by SIGTERM where the command stops in order'],
  ['143', 'ended by SIGTERM'],
];

/** `kgraphfs.1` in the macros of man(7), from the same definitions that parse the command line. */
export function manPage(commands: readonly Command[], version: string): string {
  return `${[
    `.TH KGRAPHFS 1 "" ${argument(`kgraphfs ${version}`)} "User Commands"`,
    '.SH NAME',
    text("kgraphfs - a team's markdown docs, and the knowledge graph in them, as a filesystem"),
    '.SH SYNOPSIS',
    '.B kgraphfs\n.I command\n.RI [ options ]',
    '.SH DESCRIPTION',
    text(
      'Mounts a folder of markdown and the graph that is extracted from it as files, and answers the same questions without a mount. Every command works with and without a daemon.',
    ),
    '.SH COMMANDS',
    ...commands.map(commandPart),
    '.SH OPTIONS\nEvery command takes these.',
    optionParts(COMMON_OPTIONS),
    section('EXIT STATUS', STATUSES),
    section('ENVIRONMENT', ENVIRONMENT),
    section('FILES', FILES),
    '.SH SEE ALSO',
    text(
      'The guide, and all of what the tree holds, is in the folder docs of the package. What a mount holds, its AGENTS.md says.',
    ),
  ].join('\n')}\n`;
}

function commandPart(command: Command): string {
  const { verb, summary, details, positionals, example } = command;
  const own = ownOptions(command);
  const rows = Object.entries(positionals).map(([name, spec]) => [name, spec.summary] as const);
  return [
    `.SS ${argument(`kgraphfs ${verb}`)}`,
    text(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`),
    verbatim(usageLine(command)),
    ...(details === undefined ? [] : ['.PP', text(details)]),
    ...rows.map(([name, about]) => pair(`.I ${escaped(name)}`, about)),
    ...(Object.keys(own).length === 0 ? [] : [optionParts(own)]),
    '.PP\nExample:',
    verbatim(example),
  ].join('\n');
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  return [`.SH ${argument(title)}`, ...rows.map(([name, about]) => pair(`.B ${argument(name)}`, about))].join(
    '\n',
  );
}

function optionParts(options: OptionSpecs): string {
  return Object.entries(options)
    .map(([name, spec]) => pair(`.B ${argument(optionUsage(name, spec))}`, optionSummary(spec)))
    .join('\n');
}

function pair(title: string, about: string): string {
  return `.TP\n${title}\n${text(about)}`;
}

/** A text as it is typed, in a line of its own. */
function verbatim(line: string): string {
  return `.PP\n.RS 4\n.nf\n${text(line)}\n.fi\n.RE`;
}

/** One argument of a roff macro. */
function argument(words: string): string {
  return `"${escaped(words).replaceAll('"', '\\(dq')}"`;
}

/** Lines of text, none of which may begin as a request of roff does. */
function text(words: string): string {
  return escaped(words).replace(/^(?=[.'])/gm, '\\&');
}

/** Escapes what roff would interpret: the backslash, and characters that it sets as typography instead of as they are typed. */
function escaped(words: string): string {
  const names: Readonly<Record<string, string>> = {
    '\\': '\\e',
    '-': '\\-',
    "'": '\\(aq',
    '`': '\\(ga',
    '^': '\\(ha',
    '~': '\\(ti',
    '→': '\\(->',
    '←': '\\(<-',
    '…': '...',
  };
  return words.replace(/[\\\-'`^~→←…]/g, (character) => names[character] ?? character);
}
