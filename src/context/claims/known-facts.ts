/** The facts that memory already has, to compare claims with. */
import { type MemoryEntry, type MemoryPlace, REVIEW_TAG } from '../../core/memory-entry.ts';
import type { Memory } from '../../memory/memory.ts';
import { pathOf } from '../../memory/memory-places.ts';
import type { Thesaurus } from '../../words/thesaurus.ts';
import { termsOf } from '../../words/tokens.ts';
import { canonicalText } from './answer-claims.ts';
import { type Judge, judgeOf } from './judge.ts';
import { statementsOf } from './markdown-statements.ts';

/** A fact that shares less of a claim's words is about something else. */
const SHARED = 0.5;

export interface KnownFacts {
  /** The fact that says exactly this. */
  same(claim: string): MemoryPlace | undefined;
  /** The facts that contradict this. */
  contradicted(claim: string): readonly MemoryPlace[];
}

/** Chooses the facts that could be about one of the claims. */
export function knownFacts(
  memory: Pick<Memory, 'list'>,
  claims: readonly string[],
  thesaurus: Pick<Thesaurus, 'related'> | undefined,
): KnownFacts {
  const wanted = claims.map((claim) => new Set(termsOf(claim)));
  const near = memory
    .list({ type: 'fact' })
    .filter(({ tags }) => !tags.includes(REVIEW_TAG))
    .map((entry) => ({ entry, text: Buffer.from(entry.content).toString() }))
    .filter(({ text }) => {
      const terms = new Set(termsOf(text));
      return wanted.some((claim) => sharedShare(claim, terms) >= SHARED);
    });
  const places = new Map<string, MemoryPlace>();
  for (const { entry, text } of near) {
    for (const statement of statementsOf(text)) places.set(canonicalText(statement.text), placeOf(entry));
    places.set(canonicalText(text), placeOf(entry));
  }
  const judges = near.map(({ entry, text }): { place: MemoryPlace; judge: Judge } => {
    const source = {
      path: pathOf(entry),
      line: 1,
      title: entry.key.replace(/^.*\//, ''),
      headings: [],
      text,
    };
    return { place: placeOf(entry), judge: judgeOf([source], thesaurus) };
  });
  return {
    same: (claim) => places.get(canonicalText(claim)),
    contradicted: (claim) =>
      judges
        .filter(({ judge }) => judge.judge({ text: claim, citations: [] }).verdict === 'contradicted')
        .map(({ place }) => place),
  };
}

function sharedShare(claim: ReadonlySet<string>, terms: ReadonlySet<string>): number {
  if (claim.size === 0) return 0;
  return [...claim].filter((term) => terms.has(term)).length / claim.size;
}

function placeOf({ type, key }: MemoryEntry): MemoryPlace {
  return { type, key };
}
