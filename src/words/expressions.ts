/**
 * What people say who do not know the name of a thing, and what documentation calls it: "get the money back" is a refund. In each line, the
 * expressions before `>` lead to the names after it, of which the first fits best. The names never lead to the expressions.
 */
import { ACCESS } from './everyday/access.ts';
import { ACTIONS } from './everyday/actions.ts';
import { ALERTS } from './everyday/alerts.ts';
import { ASSISTANTS } from './everyday/assistants.ts';
import { COMMERCE } from './everyday/commerce.ts';
import { COMMUNITY } from './everyday/community.ts';
import { COMPANY } from './everyday/company.ts';
import { DELIVERY } from './everyday/delivery.ts';
import { DOCUMENTS } from './everyday/documents.ts';
import { GATHERINGS } from './everyday/gatherings.ts';
import { HOMES } from './everyday/homes.ts';
import { MEDIA } from './everyday/media.ts';
import { MEMBERS } from './everyday/members.ts';
import { NOTEBOOKS } from './everyday/notebooks.ts';
import { OPERATIONS } from './everyday/operations.ts';
import { PUBLISHING } from './everyday/publishing.ts';
import { REQUESTS } from './everyday/requests.ts';
import { SERVERS } from './everyday/servers.ts';
import { SERVICES } from './everyday/services.ts';
import { SETUP } from './everyday/setup.ts';
import { STOREFRONTS } from './everyday/storefronts.ts';
import { STREAMING } from './everyday/streaming.ts';
import { THINGS } from './everyday/things.ts';
import { stemOf } from './tokens.ts';
import { baseOf } from './word-forms.ts';

const LISTS = `${ACCESS}${REQUESTS}${SERVERS}${OPERATIONS}${SETUP}${COMMERCE}${COMMUNITY}${DOCUMENTS}${MEDIA}${COMPANY}${SERVICES}${ACTIONS}${ALERTS}${HOMES}${NOTEBOOKS}${ASSISTANTS}${PUBLISHING}${STOREFRONTS}${GATHERINGS}${MEMBERS}${STREAMING}${DELIVERY}${THINGS}`;

/**
 * An expression for something that can be done to anything is less specific than one about money or an account, and so is a single word: measured on
 * labelled questions.
 */
const LESS_SURE = 0.8;
const LESS_SURE_LINES: ReadonlySet<string> = new Set(`${ACTIONS}${THINGS}`.split('\n'));

/** Lines such as `give money back | hand money back > refund, reimbursement`. */
export const EVERYDAY: readonly string[] = LISTS.split('\n').filter((line) => line !== '');

const NAMES = ' > ';
/** How many of the first letters of a word are sure to stay in its stem. */
const BEGINNING = 2;

/**
 * Words that may be between those of an expression and change nothing: "give him his money back". None of them begins an expression, or it would be
 * found everywhere.
 */
export const PASSED_OVER: ReadonlySet<string> = new Set(
  `a an the this that these those some any one my your his her its our their me you him it us them someone somebody something anyone anything
  everyone`.split(/\s+/),
);
/** How many other words may be between two words of an expression: "give a customer the money back". */
const MAX_BETWEEN = 2;

/** An expression in a text. */
export interface FoundExpression {
  /** The indexes of the words that it consists of. */
  readonly places: readonly number[];
  /** What documentation calls it, best first. */
  readonly names: readonly string[];
  /** How sure it is that it was meant, from 0 to 1. */
  readonly certainty: number;
}

/** An expression of a line. It is only taken apart if its first word is found. */
interface Expression {
  readonly text: string;
  readonly line: string;
}

/** The expressions among the words of a text, in any form of the words. */
export function expressionsIn(words: readonly string[]): FoundExpression[] {
  const stems = words.map((word): readonly string[] => [...new Set([stemOf(word), stemOf(baseOf(word))])]);
  return stems.flatMap((forms, first) =>
    forms.flatMap(beginningWith).flatMap(({ text, line }) => {
      const wanted = text.split(/[ '-]/).filter((word) => !PASSED_OVER.has(word));
      const places = placesOf(wanted.map(stemOf), first, stems, words);
      const certainty = LESS_SURE_LINES.has(line) ? LESS_SURE : 1;
      return places === undefined ? [] : [{ places, names: namesIn(line), certainty }];
    }),
  );
}

function placesOf(
  wanted: readonly string[],
  first: number,
  stems: readonly (readonly string[])[],
  words: readonly string[],
): readonly number[] | undefined {
  const places = [first];
  let place = first;
  for (const stem of wanted.slice(1)) {
    let between = 0;
    place += 1;
    while (place < stems.length && !stems[place]?.includes(stem) && between <= MAX_BETWEEN) {
      if (!PASSED_OVER.has(words[place] ?? '')) between += 1;
      place += 1;
    }
    if (!stems[place]?.includes(stem) || between > MAX_BETWEEN) return undefined;
    places.push(place);
  }
  return places;
}

function namesIn(line: string): readonly string[] {
  return line.slice(line.indexOf(NAMES) + NAMES.length).split(', ');
}

/** By the beginning of the first word, and then by its stem: making stems of all takes as long as many a question. */
let expressions: Map<string, Expression[]> | undefined;
const known = new Map<string, ReadonlyMap<string, readonly Expression[]>>();

function beginningWith(stem: string): readonly Expression[] {
  const beginning = stem.slice(0, BEGINNING);
  expressions ??= grouped(everydayExpressions(), ({ text }) => text.slice(0, BEGINNING));
  const byStem = known.get(beginning) ?? grouped(expressions.get(beginning) ?? [], firstStemOf);
  known.set(beginning, byStem);
  return byStem.get(stem) ?? [];
}

function everydayExpressions(): Expression[] {
  return EVERYDAY.flatMap((line) =>
    line
      .slice(0, line.indexOf(NAMES))
      .split(' | ')
      .map((text) => ({ text, line })),
  );
}

function grouped(
  expressions: readonly Expression[],
  keyOf: (one: Expression) => string,
): Map<string, Expression[]> {
  const groups = new Map<string, Expression[]>();
  for (const one of expressions) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

function firstStemOf({ text }: Expression): string {
  return stemOf(text.slice(0, text.search(/[ '-]|$/)));
}
