import type { Io } from './io.ts';

/** An option of a command. Its name is in camel case here, and `--in-kebab-case` on the command line. */
export type OptionSpec =
  | { readonly type: 'boolean'; readonly summary: string; readonly short?: string }
  | {
      readonly type: 'text';
      readonly summary: string;
      /** The placeholder for the value in help, such as `FILE`. */
      readonly value: string;
      readonly choices?: readonly string[];
      readonly default?: string;
      /** Whether two different values are refused, since whoever gives two means both. Default false: the last one counts. */
      readonly isOne?: boolean;
    }
  | {
      /** A whole number. */
      readonly type: 'count';
      readonly summary: string;
      readonly value: string;
      /** The smallest allowed number. */
      readonly min: number;
      readonly default?: number;
    }
  /** May be repeated; each time it has one value, or several with commas between them. Empty if it is not given. */
  | { readonly type: 'list'; readonly summary: string; readonly value: string }
  /** May be repeated; each time it has one value, taken as it is. Empty if it is not given. */
  | { readonly type: 'texts'; readonly summary: string; readonly value: string };

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** A positional argument. Only the last ones may be optional, and only the very last may take many values. */
interface PositionalSpec {
  readonly summary: string;
  /** Default: `one`. */
  readonly count?: 'one' | 'optional' | 'many';
  /** Whether it takes the user's own words: a word with a dash in front that can be no option is a part of them. Default false. */
  readonly isFreeText?: boolean;
  /** Whether it is a path of this machine. The empty text, as an unset variable gives, is refused. Default false. */
  readonly isPath?: boolean;
  /** Whether it names something that exists. The empty text is refused. Default false. */
  readonly isName?: boolean;
}

export type PositionalSpecs = Readonly<Record<string, PositionalSpec>>;

type GivenValue<Spec extends OptionSpec> = Spec extends { type: 'boolean' }
  ? boolean
  : Spec extends { type: 'count' }
    ? number
    : Spec extends { type: 'list' | 'texts' }
      ? readonly string[]
      : Spec extends { choices: readonly (infer Choice)[] }
        ? Choice
        : string;

type OptionValue<Spec extends OptionSpec> = Spec extends { default: unknown } | { type: 'list' | 'texts' }
  ? GivenValue<Spec>
  : GivenValue<Spec> | undefined;

type PositionalValue<Spec extends PositionalSpec> = Spec extends { count: 'many' }
  ? readonly string[]
  : Spec extends { count: 'optional' }
    ? string | undefined
    : string;

/** The arguments that a command receives, by the names in its definition. */
type ArgumentsOf<Positionals extends PositionalSpecs, Options extends OptionSpecs> = {
  readonly [Name in keyof Positionals]: PositionalValue<Positionals[Name]>;
} & { readonly [Name in keyof Options]: OptionValue<Options[Name]> };

/** The arguments of any command. */
export type AnyArguments = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** Options that every command has. */
export const COMMON_OPTIONS = {
  docs: {
    type: 'texts',
    value: 'DIR',
    summary: 'docs root; may be repeated (default: the config, ./docs, or the current folder)',
  },
  state: {
    type: 'text',
    value: 'DIR',
    summary: 'state folder (default: .kgraphfs beside the docs root)',
  },
  config: {
    type: 'text',
    isOne: true,
    value: 'FILE',
    summary: 'config file (default: ./kgraphfs.config.json if there is one)',
  },
  json: { type: 'boolean', summary: 'print JSON' },
} as const satisfies OptionSpecs;

export type CommonArguments = ArgumentsOf<Record<never, never>, typeof COMMON_OPTIONS>;

interface Definition<Positionals extends PositionalSpecs, Options extends OptionSpecs> {
  /** One word, or several for a command of a group: `vfs read`. */
  readonly verb: string;
  /** A shorter verb for the same command: the first words of `verb`. */
  readonly short?: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Paragraphs that help shows below the usage. */
  readonly details?: string;
  readonly positionals: Positionals;
  /** The command's own options. */
  readonly options: Options;
  /** An example: a command line that works in a clone of this project. */
  readonly example: string;
  /**
   * @returns the exit status: 0, or 1 if nothing was found
   * @throws UserError, FsError
   */
  run(args: ArgumentsOf<Positionals, Options & typeof COMMON_OPTIONS>, io: Io): Promise<number>;
}

/** A verb of the command line, with all that help, parsing and documentation need. */
export interface Command {
  readonly verb: string;
  readonly short?: string;
  readonly summary: string;
  readonly details?: string;
  readonly positionals: PositionalSpecs;
  /** The options of the command, including the common ones. */
  readonly options: OptionSpecs;
  readonly example: string;
  run(args: AnyArguments, io: Io): Promise<number>;
}

/** Ties the types of a command's arguments to its definition. `parseArguments` makes values of exactly these types. */
export function defineCommand<const Positionals extends PositionalSpecs, const Options extends OptionSpecs>(
  definition: Definition<Positionals, Options>,
): Command {
  return { ...definition, options: { ...definition.options, ...COMMON_OPTIONS } };
}

/** The name of an option on the command line: `minDegree` as `min-degree`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
