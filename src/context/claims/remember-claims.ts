/** Stores the claims of an answer in memory: those that its sources support as facts, the others for a person to review. */
import { documentAt } from '../../core/docs-selection.ts';
import { CONTRADICTED_TAG, type MemoryPlace, placeText, REVIEW_TAG } from '../../core/memory-entry.ts';
import type { OpContext } from '../../core/resolver.ts';
import type { Memory, NewMemory } from '../../memory/memory.ts';
import type { Thesaurus } from '../../words/thesaurus.ts';
import { CLAIM_FOLDER } from './claim-key.ts';
import type { EvaluatedClaim, Evaluation } from './evaluate.ts';
import { type KnownFacts, knownFacts } from './known-facts.ts';

/**
 * What happens to a claim:
 * - `fact`: it becomes a new fact
 * - `episodic`: it becomes an entry that waits for review, since its sources do not say it, or say otherwise
 * - `contradiction`: the same, since it contradicts a known fact
 * - `known`: memory has it already
 * - `rejected`: somebody has removed it before
 */
export type ClaimOutcome = 'fact' | 'episodic' | 'contradiction' | 'known' | 'rejected';

export interface RememberedClaim {
  readonly claim: EvaluatedClaim;
  readonly outcome: ClaimOutcome;
  /** Its place in memory, or the place that it would have. */
  readonly place: MemoryPlace;
  /** The known facts that it contradicts. */
  readonly contradicts: readonly MemoryPlace[];
  /** Whether it has waited for review until now, and is a fact from now on. */
  readonly isConfirmed: boolean;
}

export interface RememberOptions {
  readonly memory: Memory;
  readonly context: OpContext;
  /** The actor of claims that wait for review. Supported claims have the actor of the context. Default: the same for both. */
  readonly claimant?: string | undefined;
  readonly thesaurus?: Pick<Thesaurus, 'related'> | undefined;
  /** Says what would be done, without doing it. Default false. */
  readonly dryRun?: boolean;
}

const CONTRADICTION_TAG = 'contradiction';
const MIN_WEIGHT = 0.1;

/**
 * Stores the claims of an answer in memory. Existing entries are never changed, and a second call with the same answer writes nothing: the key of a
 * claim is always the same.
 * @throws FsError EFBIG, ENOSPC as `Memory.addAll`
 */
export function rememberClaims({ claims }: Evaluation, options: RememberOptions): RememberedClaim[] {
  const { memory, context, claimant, thesaurus, dryRun = false } = options;
  const texts = claims.map(({ text }) => text);
  const facts = knownFacts(memory, texts, thesaurus);
  const removed = removedKeys(memory);
  const remembered = claims.map((claim) => outcomeOf(claim, memory, facts, removed));
  if (dryRun) return remembered;
  const isNew = ({ outcome }: RememberedClaim) => outcome !== 'known' && outcome !== 'rejected';
  memory.addAll(
    remembered.filter(isNew).map((one) => entryOf(one, claimant)),
    context,
  );
  for (const { place, isConfirmed } of remembered) {
    const waiting: MemoryPlace = { type: 'episodic', key: place.key };
    if (isConfirmed && memory.get(waiting) !== undefined) memory.remove(waiting, context);
  }
  relate(remembered, memory, context);
  return remembered;
}

function outcomeOf(
  claim: EvaluatedClaim,
  memory: Memory,
  facts: KnownFacts,
  removed: ReadonlySet<string>,
): RememberedClaim {
  const [asFact, asEpisodic]: MemoryPlace[] = [
    { type: 'fact', key: claim.key },
    { type: 'episodic', key: claim.key },
  ];
  const done = (outcome: ClaimOutcome, place: MemoryPlace, more: Partial<RememberedClaim> = {}) => ({
    claim,
    outcome,
    place,
    contradicts: [],
    isConfirmed: false,
    ...more,
  });
  if (asFact === undefined || asEpisodic === undefined) throw new Error('there are two places');
  const same = memory.get(asFact) === undefined ? facts.same(claim.text) : asFact;
  if (same !== undefined) return done('known', same);
  const waiting = memory.get(asEpisodic);
  const contradicts = facts.contradicted(claim.text);
  if (contradicts.length > 0) {
    const outcome = waiting === undefined ? 'contradiction' : 'known';
    return removed.has(claim.key) && waiting === undefined
      ? done('rejected', asEpisodic)
      : done(outcome, asEpisodic, { contradicts });
  }
  if (claim.verdict === 'supported') {
    if (waiting === undefined && removed.has(claim.key)) return done('rejected', asFact);
    return done('fact', asFact, { isConfirmed: waiting !== undefined });
  }
  if (waiting !== undefined) return done('known', asEpisodic);
  return done(removed.has(claim.key) ? 'rejected' : 'episodic', asEpisodic);
}

/** The keys of claims that somebody has removed or rejected. They do not come back by themselves. */
function removedKeys(memory: Memory): ReadonlySet<string> {
  const removed = memory.list({ removed: true }).filter(({ key }) => key.startsWith(`${CLAIM_FOLDER}/`));
  return new Set(removed.map(({ key }) => key));
}

function entryOf({ claim, outcome, place }: RememberedClaim, claimant: string | undefined): NewMemory {
  const tags = [
    ...(outcome === 'fact' ? [] : [REVIEW_TAG]),
    ...(outcome === 'contradiction' ? [CONTRADICTION_TAG] : []),
    ...(claim.verdict === 'contradicted' ? [CONTRADICTED_TAG] : []),
  ];
  return {
    ...place,
    content: Buffer.from(`${claim.text}\n`),
    confidence: claim.score,
    tags,
    sourcePaths: claim.evidence.map(({ path, line }) => `${sourcePath(path)}:${line}`),
    provenance: { source: 'evaluator', kind: 'claim' },
    ...(outcome === 'fact' || claimant === undefined ? {} : { actor: claimant }),
  };
}

/** Documents have their path in the docs root here, everything else its path in the mount. */
function sourcePath(path: string): string {
  return (documentAt(path) ?? path).replace(/^\//, '');
}

function relate(remembered: readonly RememberedClaim[], memory: Memory, context: OpContext): void {
  if (remembered.every(({ contradicts }) => contradicts.length === 0)) return;
  const there = new Set(
    memory.links().map(({ from, relation, to }) => `${placeText(from)} ${relation} ${placeText(to)}`),
  );
  for (const { claim, place, contradicts } of remembered) {
    for (const fact of contradicts) {
      if (there.has(`${placeText(place)} contradicts ${placeText(fact)}`)) continue;
      memory.relate(place, 'contradicts', fact, Math.max(MIN_WEIGHT, claim.score), context);
    }
  }
}
