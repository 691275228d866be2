/** One sentence as the rules for relations see it: its words, its names, and what may stand for a subject. */
import type { Ref } from './refs.ts';
import type { Sentence } from './sentences.ts';
import type { Word } from './words.ts';

export interface Clause {
  readonly text: string;
  readonly words: readonly Word[];
  readonly refs: readonly Ref[];
  /** Whether one of its names is that of an event. */
  readonly hasEvents: boolean;
}

/** The subject of a verb, as the words before it express it. */
export type Subject =
  | {
      readonly kind: 'named';
      readonly refs: readonly Ref[];
      /** Every name between the start of the clause and the verb. */
      readonly around: readonly Ref[];
    }
  /** Plain words that may be a name in another document: `key rotation`. */
  | { readonly kind: 'phrase'; readonly ref: Ref }
  /** No subject, or a pronoun: the section's subject is meant. */
  | {
      readonly kind: 'implied';
      /** Whether there is no word at all before the verb. */
      readonly isSilent: boolean;
      /** Whether it is "this" alone, which refers to what was just said. */
      readonly isPointing: boolean;
      /** Whether it is "it" or "they". */
      readonly isIt: boolean;
    }
  /** The endpoint or its request: `this endpoint`, `the request`. */
  | { readonly kind: 'endpoint' }
  /** Something without a name. */
  | { readonly kind: 'unknown' };

export function makeClause({ text, words }: Sentence, refs: readonly Ref[]): Clause {
  return { text, words, refs, hasEvents: refs.some(({ type }) => type === 'Event') };
}

/** Words that end a noun phrase. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `of to in on at by for from with without within upon into onto over under between through during about as per via if when whenever where
  while because so that which who whose what is are was were be been being am do does did has have had will would can could may
  might shall should must not no never nothing none only then than also and or but nor if else there here it they them itself he she you we
  i us me up down out off until unless after before since once across against along among behind beyond throughout toward towards
  whether though although despite whereas`.split(/\s+/),
);

/** Whether a verb is the purpose of another one (`to create a charge, …`), which states no relation. */
export function isInfinitive({ text }: Clause, verbStart: number): boolean {
  return /\bto\s+(?:\w+ly\s+)?$/i.test(text.slice(Math.max(0, verbStart - 30), verbStart));
}

/** Whether the words before a verb negate it. */
export function isNegated({ text }: Clause, verbStart: number): boolean {
  if (/^\W*(?:no|none|neither|nothing)\b/i.test(text)) return true;
  if (
    /\bno\s+(?:[\w-]+\s+){1,3}(?:is|are|was|were|will be|can be)\s+$/i.test(
      text.slice(Math.max(0, verbStart - 60), verbStart),
    )
  )
    return true;
  return /(?:\b(?:not|never|no longer|cannot|without|neither|nor|rather than|instead of)|n['’]t)\s+(?:\w+\s+){0,1}$/i.test(
    text.slice(Math.max(0, verbStart - 40), verbStart),
  );
}

/** Whether the words before a verb make it a mere possibility. */
export function isPossible({ text }: Clause, verbStart: number): boolean {
  return /\b(?:can|may|might|could|should|would|optionally|sometimes|if|possibly)\s+(?:\w+\s+){0,2}$/i.test(
    text.slice(Math.max(0, verbStart - 40), verbStart),
  );
}
