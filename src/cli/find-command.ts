import { type Command, flagName, type OptionSpec } from './command.ts';

/** What a command line asks for, by its words. */
export type Found =
  | {
      readonly kind: 'command';
      readonly command: Command;
      /** The words that name the command: its verb, or the short form of that. */
      readonly verb: string;
      readonly rest: readonly string[];
    }
  /** The first word of several verbs, followed by no word that completes one of them. */
  | { readonly kind: 'group'; readonly group: string; readonly word: string | undefined }
  | { readonly kind: 'unknown'; readonly word: string; readonly next: string | undefined }
  | { readonly kind: 'nothing' };

/** The most words that a verb has. */
const LONGEST_VERB = 3;

/** Finds the verb, even if options stand between its words. */
export function findCommand(tokens: readonly string[], commands: readonly Command[]): Found {
  const places = wordPlaces(tokens, commands);
  const words = places.map((place) => tokens[place] ?? '');
  for (let length = Math.min(LONGEST_VERB, words.length); length > 0; length -= 1) {
    const verb = words.slice(0, length).join(' ');
    const command = commands.find((one) => one.verb === verb || one.short === verb);
    if (command) {
      const ofVerb = new Set(places.slice(0, length));
      return { kind: 'command', command, verb, rest: tokens.filter((_, place) => !ofVerb.has(place)) };
    }
  }
  const [first, second] = words;
  if (first === undefined) return { kind: 'nothing' };
  const isGroup = commands.some(({ verb }) => verb.startsWith(`${first} `));
  return isGroup
    ? { kind: 'group', group: first, word: second }
    : { kind: 'unknown', word: first, next: second };
}

/** The indexes of the words that are neither options nor their values, up to `--`. */
function wordPlaces(tokens: readonly string[], commands: readonly Command[]): number[] {
  const withValue = flagsWithValue(commands);
  const places: number[] = [];
  for (let place = 0; place < tokens.length; place += 1) {
    const token = tokens[place] ?? '';
    if (token === '--') break;
    if (withValue.has(token)) place += 1;
    else if (!token.startsWith('-')) places.push(place);
  }
  return places;
}

function flagsWithValue(commands: readonly Command[]): Set<string> {
  const takesValue = ([, spec]: [string, OptionSpec]) => spec.type !== 'boolean';
  return new Set(
    commands.flatMap(({ options }) =>
      Object.entries(options)
        .filter(takesValue)
        .map(([name]) => `--${flagName(name)}`),
    ),
  );
}
