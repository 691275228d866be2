/** Finds whether a sentence states an edge of the graph. Uses the verbs with which the docs are read, but not the rules that read them. */
import type { EdgeType } from '../core/graph-model.ts';
import { VERB_RULES } from '../ingest/extract/verbs.ts';

/** An edge by the labels of its ends. */
export interface NamedEdge {
  readonly source: string;
  readonly type: EdgeType;
  readonly target: string;
}

/**
 * What a sentence says about an edge:
 * - `states`: that it exists
 * - `denies`: that it does not
 * - `reverses`: that it exists in the opposite direction, if only one of the two can be true
 * - undefined: nothing, or nothing clear
 */
export type Stance = 'states' | 'denies' | 'reverses' | undefined;

/** If there are more characters between two names, the sentence speaks of something else. */
const MAX_BETWEEN = 80;
const DENIAL = /\b(?:not|never|no|neither|nor|without|cannot|instead of|rather than)\b|n['’]t\b/i;
/** After a pronoun the verb may be about something else: "generates an invoice, which triggers". */
const PRONOUN = /(?<![\p{L}\p{N}])(?:it|they|he|she|this|that|these|those|which|who)(?![\p{L}\p{N}])/iu;
/** Directly after a name, a pronoun stands for that. */
const OF_THE_NAME = /^[`"”’*_\])]*,?\s+(?:which|that|who)(?=\s)/iu;

/** Types that hold in both directions if they do in one. */
const EITHER_WAY: ReadonlySet<EdgeType> = new Set(['references']);

interface Phrases {
  readonly active: RegExp;
  /** Matches nothing if the type has no passive form. */
  readonly passive: RegExp;
}

const NOTHING = /(?!)/;
const BY_TYPE = new Map<EdgeType, Phrases>();

export function stanceOf(sentence: string, { source, type, target }: NamedEdge): Stance {
  const [sources, targets] = [placesOf(source, sentence), placesOf(target, sentence)];
  if (sources.length === 0 || targets.length === 0) return undefined;
  const { active, passive } = phrasesOf(type);
  const says = (from: readonly Place[], to: readonly Place[]) =>
    isJoined(from, to, active, sentence) || isJoined(to, from, passive, sentence);
  const forward = says(sources, targets);
  const backward = says(targets, sources);
  if (forward === backward) return undefined;
  if (DENIAL.test(sentence)) return forward ? 'denies' : undefined;
  if (forward) return 'states';
  return EITHER_WAY.has(type) ? undefined : 'reverses';
}

type Place = readonly [start: number, end: number];

/** All places of a name, in any case and number, with its words joined in any way. */
function placesOf(label: string, text: string): Place[] {
  const words = label
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const last = words.pop();
  if (last === undefined) return [];
  const ending = last.endsWith('y') ? `${last.slice(0, -1)}(?:y|ies)` : `${last}(?:e?s)?`;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}._/-])${[...words, ending].join('[\\s._/:{}-]*')}(?![\\p{L}\\p{N}]|[._/-][\\p{L}\\p{N}])`,
    'giu',
  );
  return Array.from(text.matchAll(pattern), ({ 0: { length }, index }) => [index, index + length]);
}

/** Whether one of the phrases is between the two, and close to both. */
function isJoined(from: readonly Place[], to: readonly Place[], phrases: RegExp, sentence: string): boolean {
  return from.some(([, end]) =>
    to.some(([start]) => {
      const between = start - end;
      if (between <= 0 || between > MAX_BETWEEN) return false;
      const said = sentence.slice(end, start).replace(OF_THE_NAME, ' ');
      return phrases.test(said) && !PRONOUN.test(said);
    }),
  );
}

/** For a type without verbs, its own name: `depends on`. */
function phrasesOf(type: EdgeType): Phrases {
  let known = BY_TYPE.get(type);
  if (known === undefined) {
    const ofType = VERB_RULES.filter(({ edge }) => edge === type);
    const active = ofType.filter(({ voice }) => voice === 'active').map(({ phrases }) => phrases);
    const passive = ofType.filter(({ voice }) => voice === 'passive').map(({ phrases }) => phrases);
    const own = type.replaceAll('_', ' ');
    known = { active: anyOf([...active, own].join(',')), passive: anyOf(passive.join(',')) };
    BY_TYPE.set(type, known);
  }
  return known;
}

function anyOf(phrases: string): RegExp {
  const each = phrases
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
  if (each.length === 0) return NOTHING;
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${each.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}
