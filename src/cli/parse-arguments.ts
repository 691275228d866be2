import { statSync } from 'node:fs';
import { reasonOf } from '../core/errors.ts';
import { either } from '../text/either.ts';
import { shownShellWord } from '../text/shell-word.ts';
import { withCommas } from '../text/with-commas.ts';
import { type AnyArguments, type Command, flagName, type OptionSpec, type OptionSpecs } from './command.ts';
import { currentFolder, NOT_UTF8 } from './io.ts';
import { didYouMean, nearestName } from './near-names.ts';
import { isCommandLineUtf8 } from './process-encoding.ts';
import { usageError } from './usage-error.ts';

/**
 * The arguments of a command, with the types of its definition.
 * @param tokens the command line without the verb
 * @throws UserError of status 2 naming what is wrong and what would be right; of status 1 if there are options and the current folder is gone
 */
export async function parseArguments(command: Command, given: readonly string[]): Promise<AnyArguments> {
  const tokens = withTextLast(command, given);
  refuseUnknown(command, tokens);
  const { words, options } = await split(command, tokens);
  return { ...positionalValues(command, words), ...optionValues(command, options) };
}

interface Split {
  readonly words: readonly string[];
  /** The options by their names on the command line. */
  readonly options: ReadonlyMap<string, unknown>;
}

async function split({ verb, options }: Command, tokens: readonly string[]): Promise<Split> {
  if (!tokens.some((token) => token.startsWith('-'))) return { words: tokens, options: new Map() };
  // The parser needs the current folder as soon as it is loaded.
  currentFolder();
  // Only the parser of yargs: the rest of yargs takes longer to load than a quick command takes to run.
  const { Parser } = await import('yargs/helpers');
  const specs = Object.entries(options).map(([name, spec]) => ({ flag: flagName(name), spec }));
  const switches = specs.filter(({ spec }) => spec.type === 'boolean').map(({ flag }) => flag);
  const valued = specs.filter(({ spec }) => spec.type !== 'boolean').map(({ flag }) => flag);
  const aliases = specs.flatMap(({ flag, spec }): [string, string[]][] =>
    spec.type !== 'boolean' || spec.short === undefined ? [] : [[flag, [spec.short]]],
  );
  const { argv, error } = Parser.detailed([...tokens], {
    boolean: switches,
    // Numbers are taken as text as well, since the checks of numbers are ours.
    string: valued,
    narg: Object.fromEntries(valued.map((flag) => [flag, 1])),
    alias: Object.fromEntries(aliases),
    configuration: {
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    },
  });
  if (error !== null) throw usageError(missingValue(reasonOf(error)), verb);
  const { _, ...given } = argv;
  return { words: _.map(String), options: new Map(Object.entries(given)) };
}

function missingValue(message: string): string {
  const name = /^Not enough arguments following: (.*)$/.exec(message)?.[1];
  return name === undefined ? `the command line makes no sense: ${message}` : `--${name} needs a value`;
}

/**
 * For a command that takes free text, moves words that begin with a dash and are text behind `--`. Such a word is text if it has only one dash, or white space
 * in it.
 */
function withTextLast({ positionals, options }: Command, tokens: readonly string[]): readonly string[] {
  if (!Object.values(positionals).some(({ isFreeText }) => isFreeText)) return tokens;
  const flags = flagsOf(options);
  const end = tokens.indexOf('--');
  const before = end === -1 ? tokens : tokens.slice(0, end);
  const isText = (token: string, place: number): boolean => {
    const [flag = ''] = token.split('=', 1);
    if (!/^-[^\d]/.test(token) || flags.has(flag)) return false;
    return (
      flags.get(before[place - 1] ?? '') !== 'with value' && (!token.startsWith('--') || /\s/.test(token))
    );
  };
  const texts = before.filter(isText);
  if (texts.length === 0) return tokens;
  return [
    ...before.filter((token, place) => !isText(token, place)),
    '--',
    ...texts,
    ...tokens.slice(before.length + 1),
  ];
}

/** Refuses options that the command does not have: yargs accepts any. */
function refuseUnknown(command: Command, tokens: readonly string[]): void {
  const flags = flagsOf(command.options);
  for (let place = 0; place < tokens.length; place += 1) {
    const token = tokens[place] ?? '';
    if (token === '--') return;
    if (!/^-[^\d]/.test(token)) continue;
    const [flag = '', value] = token.split('=', 2);
    const kind = flags.get(flag);
    if (kind === undefined) {
      throw usageError(
        `unknown option ${flag} of ${command.verb}${nearFlag(flag, flags.keys())}`,
        command.verb,
      );
    }
    if (kind === 'switch' && value !== undefined) throw usageError(`${flag} takes no value`, command.verb);
    if (kind === 'with value' && value === undefined) place += 1;
  }
}

/** The option that a mistyped one may mean. Only what follows the dashes, and a `no-` that both have, is compared: these alone do not make two names similar. */
function nearFlag(typed: string, known: Iterable<string>): string {
  const start = /^--?(?:no-)?/.exec(typed)?.[0] ?? '';
  const names = Array.from(known).filter((flag) => flag.startsWith(start));
  const near = nearestName(
    typed.slice(start.length),
    names.map((flag) => flag.slice(start.length)),
  );
  return near === undefined ? '' : `; did you mean ${start}${near}?`;
}

/** All forms in which options can be typed, and whether a value follows. */
function flagsOf(options: OptionSpecs): ReadonlyMap<string, 'switch' | 'with value'> {
  const flags = new Map<string, 'switch' | 'with value'>();
  for (const [name, spec] of Object.entries(options)) {
    const flag = flagName(name);
    flags.set(`--${flag}`, spec.type === 'boolean' ? 'switch' : 'with value');
    if (spec.type !== 'boolean') continue;
    flags.set(`--no-${flag}`, 'switch');
    if (spec.short !== undefined) flags.set(`-${spec.short}`, 'switch');
  }
  return flags;
}

/** What a superfluous word may be meant for. @param asOne the last argument with all that follows */
function wayFor(extra: string, asOne: string, { positionals, options }: Command): string {
  const [name, last] = Object.entries(positionals).at(-1) ?? [];
  if (last?.isFreeText) return `; if it belongs to <${name}>, put that in quotes: "${asOne}"`;
  if (!('docs' in options) || !isFolder(extra)) return '';
  return `; a folder with docs is given by an option: --docs ${shownShellWord(extra)}`;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Then it is not what was meant either.
    return false;
  }
}

function positionalValues(command: Command, words: readonly string[]): AnyArguments {
  const { verb, positionals } = command;
  const specs = Object.entries(positionals);
  const takesMany = specs.at(-1)?.[1].count === 'many';
  const extra = words[specs.length];
  if (extra !== undefined && !takesMany) {
    const asOne = words.slice(specs.length - 1).join(' ');
    throw usageError(`unexpected argument "${extra}"${wayFor(extra, asOne, command)}`, verb);
  }
  return Object.fromEntries(
    specs.map(([name, { count = 'one', isPath, isName }], index) => {
      const word = words[index];
      const given = count === 'many' ? words.slice(index) : [word];
      if (isName && word === '') throw usageError(`<${name}> of ${verb} is empty`, verb);
      if (isPath && given.includes(''))
        throw usageError(`<${name}> of ${verb} is empty: it has to be a path`, verb);
      if (isPath) refuseNotUtf8(`<${name}>`, given, verb);
      if (count === 'one' && word === undefined) throw usageError(`${verb} needs <${name}>`, verb);
      return [name, count === 'many' ? words.slice(index) : word];
    }),
  );
}

/** The placeholders in help of values that are paths. */
const PATH_PLACEHOLDERS: ReadonlySet<string> = new Set(['DIR', 'FILE']);

/** Refuses a path that would mean another one: Node.js gives U+FFFD for bytes that are not UTF-8. A real U+FFFD is taken. */
function refuseNotUtf8(name: string, paths: readonly (string | undefined)[], verb: string): void {
  const path = paths.find((path) => path?.includes('\uFFFD'));
  if (path === undefined || isCommandLineUtf8()) return;
  throw usageError(`${name} of ${verb}, ${path}, ${NOT_UTF8}; rename it`, verb);
}

function optionValues({ verb, options }: Command, given: Split['options']): AnyArguments {
  return Object.fromEntries(
    Object.entries(options).map(([name, spec]) => {
      const flag = flagName(name);
      return [name, optionValue(flag, spec, given.get(flag), verb)];
    }),
  );
}

function optionValue(flag: string, spec: OptionSpec, value: unknown, verb: string) {
  if (spec.type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  const values = value === undefined ? [] : [value].flat().map(String);
  if (values.includes('')) throw usageError(`--${flag} needs a value`, verb);
  if (PATH_PLACEHOLDERS.has(spec.value)) refuseNotUtf8(`--${flag}`, values, verb);
  if (spec.type === 'list') return values.flatMap(partsOf);
  if (spec.type === 'texts') return values;
  const text = values.at(-1);
  if (text === undefined) return spec.default;
  if (spec.type === 'count') return count(flag, text, spec.min, verb);
  const { choices, isOne = false } = spec;
  const other = values.find((value) => value !== text);
  if (isOne && other !== undefined)
    throw usageError(`--${flag} takes one ${spec.value}, not both "${other}" and "${text}"`, verb);
  if (choices === undefined || choices.includes(text)) return text;
  throw usageError(`--${flag} takes ${either(choices)}, not "${text}"${didYouMean(text, choices)}`, verb);
}

function partsOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

const MAX_COUNT = 999_999_999;

function count(flag: string, text: string, min: number, verb: string): number {
  const isWhole = /^\d+$/.test(text);
  const number = isWhole ? Number(text) : Number.NaN;
  if (number >= min && number <= MAX_COUNT) return number;
  const range = number > MAX_COUNT ? `from ${min} to ${withCommas(MAX_COUNT)}` : `from ${min} on`;
  throw usageError(`--${flag} takes a whole number ${range}, not "${text}"`, verb);
}
