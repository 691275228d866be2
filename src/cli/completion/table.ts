import { NODE_TYPES } from '../../core/graph-model.ts';
import { COMMON_OPTIONS, type Command, flagName, type OptionSpec, type OptionSpecs } from '../command.ts';
import type { NameSource } from './name-sources.ts';

/** A word that may stand at a place, and what it means. */
export interface Offer {
  readonly word: string;
  readonly summary: string;
}

/** Sources of words that are only known when they are completed. */
export type Source = 'files' | 'folders' | 'mounts' | NameSource;

/**
 * The words that may stand at places of a command line. A place is `next:context memory` (the word after these), `flags:mount`, `value:mount --driver` or
 * `argument:connect 0`. In `value:* --docs` and `argument:lint *` the star stands for anything; such rows come last.
 */
export interface Row {
  readonly places: readonly string[];
  readonly offers: readonly Offer[];
  readonly source?: Source;
}

const MEMORY_TYPES = ['fact', 'episodic', 'procedural'];

/** What completes arguments, by verb and name. Arguments that are not listed are free text. */
const ARGUMENTS: Readonly<Record<string, Source | readonly string[]>> = {
  'mount dir': 'folders',
  'status dir': 'mounts',
  'unmount dir': 'mounts',
  'query concept': 'nodes',
  'inspect node': 'nodes',
  'connect from': 'nodes',
  'connect to': 'nodes',
  'nodes type': NODE_TYPES,
  'lint paths': 'files',
  'schema check map': 'files',
  'context memory list type': MEMORY_TYPES,
  'context memory show entry': 'memories',
  'context memory edit entry': 'memories',
  'context memory relate from': 'memories',
  'context memory relate to': 'memories',
  'context memory accept entry': 'memories',
  'context memory reject entry': 'memories',
  'context memory remove entry': 'memories',
  'context memory export file': 'files',
  'context memory import file': 'files',
  'session resume id': 'sessions',
  'new template': ['epic', 'story', 'prd', 'architecture', 'adr'],
  'completion shell': ['bash', 'zsh', 'fish'],
};

/** What completes values of options, by the placeholder in help; sessions have the same placeholder as other ids. */
const VALUES: Readonly<Record<string, Source>> = { DIR: 'folders', FILE: 'files', SESSION: 'sessions' };

export function completionTable(commands: readonly Command[]): Row[] {
  const common: Row[] = Object.entries(COMMON_OPTIONS).flatMap(([name, spec]) =>
    valueRow(`* --${flagName(name)}`, name, spec),
  );
  return merged([...verbRows(commands), ...commands.flatMap(commandRows)]).concat(common);
}

/** The arguments of {@link ARGUMENTS}, for a test that compares them with the commands. */
export const KNOWN_ARGUMENTS: readonly string[] = Object.keys(ARGUMENTS);

function verbRows(commands: readonly Command[]): Row[] {
  const next = new Map<string, Map<string, string>>([['', new Map()]]);
  for (const { verb, summary } of commands) {
    const words = verb.split(' ');
    for (const [index, word] of words.entries()) {
      const before = words.slice(0, index).join(' ');
      const here = next.get(before) ?? new Map<string, string>();
      const isWhole = index === words.length - 1;
      if (isWhole || !here.has(word))
        here.set(word, isWhole ? summary : groupSummary(commands, words, index));
      next.set(before, here);
    }
    if (!next.has(verb)) next.set(verb, new Map());
  }
  return Array.from(next, ([verb, words]) => ({
    places: [`next:${verb}`],
    offers: Array.from(words, ([word, summary]) => ({ word, summary })),
  })).concat(
    [...next.keys()]
      .filter((verb) => !commands.some((command) => command.verb === verb))
      .map((verb) => ({ places: [`flags:${verb}`], offers: groupFlags(verb) })),
  );
}

function groupFlags(verb: string): Offer[] {
  const version = { word: '--version', summary: 'show the version' };
  return [...flagOffers(COMMON_OPTIONS), ...(verb === '' ? [version] : [])];
}

/** The second words of a group, as a summary: `add, edit, list …`. */
function groupSummary(commands: readonly Command[], words: readonly string[], index: number): string {
  const group = `${words.slice(0, index + 1).join(' ')} `;
  const members = commands
    .filter(({ verb }) => verb.startsWith(group))
    .map(({ verb }) => verb.slice(group.length).replace(/ .*/, ''));
  return [...new Set(members)].join(', ');
}

function commandRows({ verb, positionals, options }: Command): Row[] {
  const own = Object.entries(options).filter(([name]) => !(name in COMMON_OPTIONS));
  return [
    { places: [`flags:${verb}`], offers: flagOffers(options) },
    ...own.flatMap(([name, spec]) => valueRow(`${verb} --${flagName(name)}`, name, spec)),
    ...Object.entries(positionals).flatMap(([name, { count }], index): Row[] => {
      const known = ARGUMENTS[`${verb} ${name}`];
      if (known === undefined) return [];
      const place = `argument:${verb} ${count === 'many' ? '*' : index}`;
      return [
        { places: [place], ...(typeof known === 'string' ? { offers: [], source: known } : plain(known)) },
      ];
    }),
  ];
}

function flagOffers(options: OptionSpecs): Offer[] {
  const own = Object.entries(options).map(([name, { summary }]) => ({
    word: `--${flagName(name)}`,
    summary,
  }));
  return [...own, { word: '--help', summary: 'show help' }];
}

/** The row for the values of an option. An option without a value has none, and so the shell knows that nothing follows. */
function valueRow(place: string, name: string, spec: OptionSpec): Row[] {
  if (spec.type === 'boolean') return [];
  const places = [`value:${place}`];
  if (spec.type === 'text' && spec.choices !== undefined) return [{ places, ...plain(spec.choices) }];
  const source = name === 'session' ? 'sessions' : VALUES[spec.value];
  return [{ places, offers: [], ...(source === undefined ? {} : { source }) }];
}

function plain(words: readonly string[]): Pick<Row, 'offers'> {
  return { offers: words.map((word) => ({ word, summary: '' })) };
}

/** Merges rows with the same words into one. Rows with a star come last. */
function merged(rows: readonly Row[]): Row[] {
  const byOffers = new Map<string, Row>();
  for (const row of rows) {
    const isOpen = row.places.some((place) => place.endsWith('*'));
    const key = JSON.stringify([isOpen, row.offers, row.source]);
    const same = byOffers.get(key);
    byOffers.set(key, { ...row, places: [...(same?.places ?? []), ...row.places] });
  }
  const isOpen = ({ places }: Row) => places.some((place) => place.endsWith('*'));
  return [...byOffers.values()].sort((a, b) => Number(isOpen(a)) - Number(isOpen(b)));
}
