import type { EdgeType } from '../../core/graph-model.ts';
import { ANSWERED_EDGE_TYPES, type AnsweredEdgeType } from '../../model-extraction/answer.ts';
import type { AskedEdgeType } from '../../model-extraction/map-types.ts';
import { plainOf, type Stretch } from './quoted-lines.ts';

/** The kind of an end of a relation. */
export type EndKind = 'endpoint' | 'event' | 'thing';

/** The kinds of ends that each relation may lead from and to. In the other direction, it would say nothing that these words mean. */
const ENDS: Readonly<
  Record<AnsweredEdgeType, { readonly from: readonly EndKind[]; readonly to: readonly EndKind[] }>
> = {
  returns: { from: ['endpoint'], to: ['thing'] },
  requires: { from: ['endpoint', 'thing'], to: ['endpoint', 'thing'] },
  depends_on: { from: ['endpoint', 'thing'], to: ['endpoint', 'thing'] },
  triggers: { from: ['endpoint', 'thing', 'event'], to: ['event', 'thing'] },
  generates: { from: ['endpoint', 'thing'], to: ['thing'] },
  belongs_to: { from: ['thing'], to: ['thing'] },
  contains: { from: ['thing'], to: ['thing', 'endpoint', 'event'] },
  references: { from: ['endpoint', 'thing', 'event'], to: ['endpoint', 'thing', 'event'] },
};

/** Words that express one relation and no other. */
const TELLING: Readonly<Partial<Record<AnsweredEdgeType, RegExp>>> = {
  requires: /\brequir|\bmust\b|\bneeds?\b|\bmandatory\b|\bprerequisite/,
  returns: /\breturn(?!ed to)/,
  triggers: /\btrigger|\bemit|\bfires?\b|\bfired\b|\bdispatch/,
  generates: /\bgenerat|\bcreat(?:es|ing)\b|\binitiat|\bproduc/,
  belongs_to: /\bbelong|\bowned by\b|\bpart of\b/,
  references: /\breferenc|\brefers? to\b/,
};

/** Further words that may express it. */
const FITTING: Readonly<Record<AnsweredEdgeType, RegExp>> = {
  requires: /\bwithout\b|\bonly (?:if|when|after|with)\b|\bfirst\b|\bbefore\b|\bdepend|\buses?\b/,
  returns: /\brespon|\bresult|\byield|\blists?\b|\bretriev|\bfetch/,
  triggers: /\bsen[dt]|\bpublish|\brais|\bcaus|\bnotif|\bevent|\bwebhook|\bleads? to\b|\bstarts?\b|\bwhen\b/,
  generates: /\bcreated\b|\bissu|\bspawn|\bmakes?\b|\bbill|\binvoic|\brenew/,
  belongs_to: /\bof\b|\bparent|\bper\b|\bunder\b|\battached\b|'s\b|\bowner|\bowns\b/,
  depends_on: /\bdepend|\brel(?:y|ies)\b|\buses?\b|\bneeds?\b|\brequir|\bbased on\b/,
  contains: /\bcontain|\binclud|\bconsist|\bhas\b|\bhave\b|\bholds?\b|\bcompris|\bcarr(?:y|ies)\b/,
  references: /\blink|\bpoint|\bmention|\bsee\b|\buses?\b|\bvia\b|\bby\b/,
};

/** Between two names: what follows does, or has, what comes before. */
const TURNED = /\b(?:by|when|whenever|once|after|upon|if|from|on behalf of|as soon as)\b/;
/** `| charge.succeeded | A Charge was processed |`: in a row, the thing that an event is about follows the event. */
const TURNED_FOR_EVENTS = /\b(?:by|when|whenever|once|after|upon|if|from|an?|the|for)\b/;
const TURNED_FOR_OWNERS = /\b(?:has|have|owns?|contains?|with|includes?|holds?)\b/;

export interface ClaimedRelation {
  readonly type: EdgeType;
  /** Set if the type is one of a schema map. */
  readonly asked?: AskedEdgeType | undefined;
  readonly from: EndKind;
  readonly to: EndKind;
  /** The quoted line, as plain words. */
  readonly line: string;
  /** Where the line names its ends; undefined if it does not. */
  readonly fromPlace: Stretch | undefined;
  readonly toPlace: Stretch | undefined;
  /** Whether the section names the source above the line. */
  readonly isFromAbove: boolean;
  readonly isToAbove: boolean;
}

/**
 * How well the line that a model quotes supports the relation: `said` if it has words for the relation, `implied` if it names both ends and says nothing else.
 * Undefined if it says another relation, leads in the other direction, or lists the two side by side.
 */
export function bearing(claim: ClaimedRelation): 'said' | 'implied' | undefined {
  const { type, asked, from, to, fromPlace, toPlace } = claim;
  if (asked !== undefined) return bearingOfMap(claim, asked);
  if (!isAnswered(type)) return undefined;
  if (!ENDS[type].from.includes(from) || !ENDS[type].to.includes(to)) return undefined;
  if (type === 'references') return fromPlace || toPlace ? 'implied' : undefined;
  const words = wordsOf(claim);
  if (words === undefined || isSideBySide(words)) return undefined;
  if (TELLING[type]?.test(words)) return 'said';
  const saysOther = Object.entries(TELLING).some(([other, telling]) => other !== type && telling.test(words));
  const fits = FITTING[type].test(words);
  if (saysOther && !(type === 'depends_on' && fits)) return undefined;
  return fits ? 'said' : 'implied';
}

function isAnswered(type: EdgeType): type is AnsweredEdgeType {
  return ANSWERED_EDGE_TYPES.some((known) => known === type);
}

/**
 * For a type of a schema map, only the words of the map and those of the type's name count: nobody knows which other words could mean it, and in which
 * direction.
 */
function bearingOfMap(
  { line, fromPlace, toPlace }: ClaimedRelation,
  asked: AskedEdgeType,
): 'said' | undefined {
  if (fromPlace === undefined || toPlace === undefined) return undefined;
  const isForward = fromPlace.end <= toPlace.start;
  const between = isForward
    ? line.slice(fromPlace.end, toPlace.start)
    : line.slice(toPlace.end, fromPlace.start);
  if (/\b(?:not|never|no|without|cannot)\b|n't\b/.test(between)) return undefined;
  const named = { words: asked.type.replaceAll('_', ' '), isReverse: false };
  const isSaid = [named, ...asked.phrases].some(
    ({ words, isReverse }) => isForward !== isReverse && ` ${between} `.includes(` ${plainOf(words)} `),
  );
  return isSaid ? 'said' : undefined;
}

/**
 * The words of the line about the two ends: those between them, or the whole line if one end is named above. Undefined if the line leads in the other
 * direction.
 */
function wordsOf(claim: ClaimedRelation): string | undefined {
  const { line, fromPlace, toPlace, isFromAbove, isToAbove } = claim;
  if (fromPlace !== undefined && toPlace !== undefined) {
    const isForward = fromPlace.start < toPlace.start;
    const between = isForward
      ? line.slice(fromPlace.end, toPlace.start)
      : line.slice(toPlace.end, fromPlace.start);
    const leadsForward = isForward ? !/\bby\b/.test(between) : isTurned(claim, between);
    return leadsForward ? between : undefined;
  }
  if (fromPlace === undefined) {
    if (toPlace === undefined || !isFromAbove) return undefined;
    const before = line.slice(0, toPlace.start);
    return /\bby\s+(?:an?|the|each|every)?\s*$/.test(before) ? undefined : line;
  }
  return isToAbove && isTurned(claim, line.slice(0, fromPlace.start)) ? line : undefined;
}

/** Whether names are listed in a row: `Charge, Customer and Invoice`. */
function isSideBySide(words: string): boolean {
  const isRow = /^\s*(?:,|\/|&|\band\b|\bor\b)/.test(words);
  return isRow && !Object.values(TELLING).some((telling) => telling.test(words));
}

function isTurned({ type, to }: ClaimedRelation, between: string): boolean {
  if (type === 'belongs_to') return TURNED_FOR_OWNERS.test(between);
  if (type === 'triggers' && to === 'event') return TURNED_FOR_EVENTS.test(between);
  return TURNED.test(between);
}
