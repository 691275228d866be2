/**
 * Of a page that stands in the docs in several versions, who asks wants one: the newest, or the one that the question names. The others say
 * nearly the same, and took the places of pages that may answer. Measured, as in docs/decisions.md.
 */
import { groupBy } from '../core/group.ts';
import type { RankedSource } from './keyword.ts';
import { byVersion, type PageVersion, pageVersionOf, versionsNamedIn } from './page-versions.ts';
import { compareSources } from './place-order.ts';

/** What stands farther behind takes nobody's place. */
const LOOKED_AT = 100;
/** What the next version counts, and each further one of the one before. */
const WEIGHT = 0.6;

interface Versioned {
  readonly source: RankedSource;
  readonly version: PageVersion;
}

/** Sources, best first, after of each page one version took the place of the best one, and the others were made less. */
export function withOlderVersionsBehind(sources: readonly RankedSource[], question: string): RankedSource[] {
  const versioned = sources.slice(0, LOOKED_AT).flatMap(versionOf);
  const named = versionsNamedIn(question);
  const scores = new Map<RankedSource, number>();
  for (const versions of groupBy(versioned, ({ source, version }) => keyOf(source, version)).values()) {
    if (versions.length < 2) continue;
    const best = Math.max(...versions.map(({ source }) => source.score));
    const isNamed = ({ version }: Versioned) => Number(named.has(version.number));
    versions
      .sort((a, b) => isNamed(b) - isNamed(a) || byVersion(a.version, b.version))
      .forEach(({ source }, rank) => {
        scores.set(source, rank === 0 ? best : WEIGHT ** rank * source.score);
      });
  }
  if (scores.size === 0) return [...sources];
  return sources
    .map((source) => withScore(source, scores.get(source) ?? source.score))
    .sort((a, b) => b.score - a.score || compareSources(a, b));
}

function versionOf(source: RankedSource): Versioned[] {
  const { corpus, sourceId } = source;
  const found = corpus.name === 'docs' ? corpus.source(sourceId) : undefined;
  return found?.kind === 'document' ? [{ source, version: pageVersionOf(found.path) }] : [];
}

/** Pages of other titles are others, whatever their paths. */
function keyOf({ passages }: RankedSource, { page }: PageVersion): string {
  return `${page}\0${passages[0]?.passage.titleTerms ?? ''}`;
}

function withScore({ corpus, sourceId, passages }: RankedSource, score: number): RankedSource {
  return { corpus, sourceId, score, passages };
}
