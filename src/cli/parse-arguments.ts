import { type AnyArguments, type Command, flagName, type OptionSpec, type OptionSpecs } from './command.ts';
import { didYouMean } from './near-names.ts';
import { usageError } from './usage-error.ts';

/**
 * The arguments of a command, of the types that its definition says.
 * @param tokens the command line without the verb
 * @throws UserError of status 2 naming what is wrong and what would be right
 */
export async function parseArguments(command: Command, tokens: readonly string[]): Promise<AnyArguments> {
  const { words, given } = split(command, tokens);
  return { ...positionalValues(command, words), ...optionValues(command, given) };
}

interface Split {
  readonly words: readonly string[];
  /** By flag without dashes: the values of an option in their order, or how a switch was left. */
  readonly given: ReadonlyMap<string, readonly string[] | boolean>;
}

function split(command: Command, tokens: readonly string[]): Split {
  const flags = flagsOf(command.options);
  const words: string[] = [];
  const given = new Map<string, string[] | boolean>();
  for (let place = 0; place < tokens.length; place += 1) {
    const token = tokens[place] ?? '';
    if (token === '--') {
      words.push(...tokens.slice(place + 1));
      break;
    }
    // A dash alone, and a number below zero, are words.
    if (!/^-[^\d]/.test(token)) {
      words.push(token);
      continue;
    }
    const equals = token.indexOf('=');
    const typed = equals === -1 ? token : token.slice(0, equals);
    const flag = flags.get(typed) ?? refuseUnknown(typed, command, [...flags.keys()]);
    if (flag.leaves !== undefined) {
      if (equals !== -1) throw usageError(`${typed} takes no value`, command.verb);
      given.set(flag.name, flag.leaves);
      continue;
    }
    if (equals === -1) place += 1;
    const value = equals === -1 ? tokens[place] : token.slice(equals + 1);
    if (value === undefined) throw usageError(`${typed} needs a value`, command.verb);
    const before = given.get(flag.name);
    given.set(flag.name, [...(Array.isArray(before) ? before : []), value]);
  }
  return { words, given };
}

function refuseUnknown(typed: string, { verb }: Command, flags: readonly string[]): never {
  const near = typed.length > 2 ? didYouMean(typed, flags) : '';
  throw usageError(`unknown option ${typed} of ${verb}${near}`, verb);
}

interface Flag {
  /** Without dashes. */
  readonly name: string;
  /** Of a switch: whether it is on then. Undefined for what takes a value. */
  readonly leaves?: boolean;
}

/** All that may be typed for options. */
function flagsOf(options: OptionSpecs): ReadonlyMap<string, Flag> {
  const flags = new Map<string, Flag>();
  for (const [key, spec] of Object.entries(options)) {
    const name = flagName(key);
    if (spec.type !== 'boolean') {
      flags.set(`--${name}`, { name });
      continue;
    }
    flags.set(`--${name}`, { name, leaves: true });
    flags.set(`--no-${name}`, { name, leaves: false });
    if (spec.short !== undefined) flags.set(`-${spec.short}`, { name, leaves: true });
  }
  return flags;
}

function positionalValues({ verb, positionals }: Command, words: readonly string[]): AnyArguments {
  const specs = Object.entries(positionals);
  const takesMany = specs.at(-1)?.[1].count === 'many';
  const extra = words[specs.length];
  if (extra !== undefined && !takesMany) throw usageError(`unexpected argument "${extra}"`, verb);
  return Object.fromEntries(
    specs.map(([name, { count = 'one' }], index) => {
      const word = words[index];
      if (count === 'one' && word === undefined) throw usageError(`${verb} needs <${name}>`, verb);
      return [name, count === 'many' ? words.slice(index) : word];
    }),
  );
}

function optionValues({ verb, options }: Command, given: Split['given']): AnyArguments {
  return Object.fromEntries(
    Object.entries(options).map(([name, spec]) => {
      const flag = flagName(name);
      return [name, optionValue(flag, spec, given.get(flag), verb)];
    }),
  );
}

function optionValue(
  flag: string,
  spec: OptionSpec,
  value: readonly string[] | boolean | undefined,
  verb: string,
) {
  if (spec.type === 'boolean') return typeof value === 'boolean' ? value : undefined;
  const values = typeof value === 'object' ? value : [];
  if (values.includes('')) throw usageError(`--${flag} needs a value`, verb);
  if (spec.type === 'list') return values.flatMap(partsOf);
  if (spec.type === 'texts') return values;
  const text = values.at(-1);
  if (text === undefined) return spec.default;
  if (spec.type === 'count') return count(flag, text, spec.min, verb);
  const { choices } = spec;
  if (choices === undefined || choices.includes(text)) return text;
  throw usageError(`--${flag} takes ${choices.join(', ')}, not "${text}"${didYouMean(text, choices)}`, verb);
}

function partsOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function count(flag: string, text: string, min: number, verb: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min) return number;
  throw usageError(`--${flag} takes a whole number from ${min} on, not "${text}"`, verb);
}
