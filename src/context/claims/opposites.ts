/** Pairs of opposites: a text that says one of them does not say the other. */
const GROUPS: readonly (readonly [one: string, other: string])[] = [
  ['before', 'after'],
  ['above', 'below'],
  ['over', 'under'],
  ['older', 'newer'],
  ['oldest', 'newest'],
  ['earlier', 'later'],
  ['earliest', 'latest'],
  ['earliest', 'newest'],
  ['oldest', 'latest'],
  ['more', 'less'],
  ['more', 'fewer'],
  ['most', 'least'],
  ['most', 'fewest'],
  ['maximum', 'minimum'],
  ['max', 'min'],
  ['higher', 'lower'],
  ['highest', 'lowest'],
  ['larger', 'smaller'],
  ['bigger', 'smaller'],
  ['longer', 'shorter'],
  ['faster', 'slower'],
  ['fast', 'slow'],
  ['cheaper', 'dearer'],
  ['cheap', 'expensive'],
  ['increase', 'decrease'],
  ['increases', 'decreases'],
  ['grows', 'shrinks'],
  ['rises', 'falls'],
  ['up', 'down'],
  ['upgrade', 'downgrade'],
  ['enabled', 'disabled'],
  ['enable', 'disable'],
  ['on', 'off'],
  ['open', 'closed'],
  ['true', 'false'],
  ['yes', 'no'],
  ['required', 'optional'],
  ['must', 'may'],
  ['must', 'optional'],
  ['mandatory', 'optional'],
  ['allowed', 'forbidden'],
  ['allow', 'deny'],
  ['accepted', 'rejected'],
  ['accepted', 'refused'],
  ['accept', 'reject'],
  ['accept', 'refuse'],
  ['succeeds', 'fails'],
  ['succeeded', 'failed'],
  ['success', 'failure'],
  ['always', 'never'],
  ['always', 'sometimes'],
  ['always', 'rarely'],
  ['always', 'usually'],
  ['often', 'rarely'],
  ['all', 'none'],
  ['everything', 'nothing'],
  ['everyone', 'nobody'],
  ['public', 'private'],
  ['internal', 'external'],
  ['synchronous', 'asynchronous'],
  ['synchronously', 'asynchronously'],
  ['read', 'write'],
  ['start', 'end'],
  ['beginning', 'end'],
  ['first', 'last'],
  ['ascending', 'descending'],
  ['temporary', 'permanent'],
  ['automatically', 'manually'],
  ['automatic', 'manual'],
  ['mutable', 'immutable'],
  ['client', 'server'],
  ['input', 'output'],
  ['local', 'remote'],
  ['lossy', 'lossless'],
  ['upper', 'lower'],
  ['left', 'right'],
  ['inside', 'outside'],
  ['safe', 'unsafe'],
  ['same', 'different'],
  ['same', 'other'],
  ['attached', 'detached'],
  ['attach', 'detach'],
  ['add', 'remove'],
  ['added', 'removed'],
  ['created', 'deleted'],
  ['create', 'delete'],
  ['test', 'live'],
  ['credit', 'debit'],
  ['credited', 'billed'],
  ['buy', 'sell'],
  ['win', 'lose'],
  ['love', 'hate'],
  ['likes', 'dislikes'],
  ['single', 'multiple'],
];

/** Words that make a claim stronger than a source that lacks them. */
export const STRONG_WORDS: ReadonlySet<string> = new Set(
  'only always exclusively solely forever immediately instantly guaranteed'.split(' '),
);

const OPPOSITES = new Map<string, string[]>();
for (const [one, other] of GROUPS) {
  OPPOSITES.set(one, [...(OPPOSITES.get(one) ?? []), other]);
  OPPOSITES.set(other, [...(OPPOSITES.get(other) ?? []), one]);
}

/** @param word in lower case */
export function oppositesOf(word: string): readonly string[] {
  return OPPOSITES.get(word) ?? [];
}

const PREFIX = /^(?:un|in|im|ir|dis|non|mis)(?=\p{L}{4})/u;

/** The word without a prefix that negates, `supported` for `unsupported`; undefined if it has no such prefix. It may not be a negation at all: `inform`. */
export function deniedBy(word: string): string | undefined {
  return PREFIX.test(word) ? word.replace(PREFIX, '') : undefined;
}
