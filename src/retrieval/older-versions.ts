/**
 * If a page is in the docs in several versions, a question is about one of them: the newest, or the one that it names. The others say nearly the
 * same, and would take the places of pages that may answer. Measured, as in docs/decisions.md.
 */
import { groupBy } from '../core/group.ts';
import type { RankedSource } from './keyword.ts';
import { isAlike, wordsIn } from './likeness.ts';
import { byVersion, type PageVersion, pageVersionOf, versionsNamedIn } from './page-versions.ts';
import { byScoreAndPlace } from './place-order.ts';

/** Sources further behind do not displace anything. */
const LOOKED_AT = 100;
/** The factor for the next version, and again for each further one. */
const WEIGHT = 0.6;
/** The factor for any page of an older version of the docs, since there may be a page of another name in the newest one. */
const WEIGHT_OF_OLDER_DOCS = 0.8;
/** The share of common words, of all words in either, with which two pages are versions of the same. */
const MIN_LIKENESS = 0.5;
/** How many of the best passages of a page are compared with the best answer. */
const COMPARED_PASSAGES = 3;
/** How many groups that say the same are looked for under one path and title: of a hundred releases, each may have its own notes. */
const MAX_GROUPS = 5;

interface Versioned {
  readonly source: RankedSource;
  readonly version: PageVersion;
}

/**
 * Sources, best first, after the preferred version of each page has taken the place of the best one that says the same, and the scores of the others
 * were lowered, as were those of older docs of which a newer version is among the sources.
 */
export function withOlderVersionsBehind(sources: readonly RankedSource[], question: string): RankedSource[] {
  const versioned = sources.slice(0, LOOKED_AT).flatMap(versionOf);
  const isNamed = versionsNamedIn(question);
  const scores = new Map<RankedSource, number>();
  for (const versions of groupBy(versioned, ({ source, version }) => keyOf(source, version)).values()) {
    if (versions.length < 2) continue;
    for (const same of alikeAmong(versions, isNamed)) {
      const best = same[0]?.source.score ?? 0;
      same
        .toSorted(
          ({ version: a }, { version: b }) => Number(isNamed(b)) - Number(isNamed(a)) || byVersion(a, b),
        )
        .forEach(({ source }, rank) => {
          scores.set(source, rank === 0 ? best : WEIGHT ** rank * source.score);
        });
    }
  }
  const isOlder = olderAmong(versioned.map(({ version }) => version));
  for (const { source, version } of versioned) {
    if (isOlder(version) && !isNamed(version))
      scores.set(source, WEIGHT_OF_OLDER_DOCS * (scores.get(source) ?? source.score));
  }
  if (scores.size === 0) return [...sources];
  return sources.map((source) => withScore(source, scores.get(source) ?? source.score)).sort(byScoreAndPlace);
}

/** Tells whether there is a page from a newer version of the same docs among these. */
function olderAmong(versions: readonly PageVersion[]): (version: PageVersion) => boolean {
  const unversioned = versions.filter(({ docs }) => docs === undefined);
  const shared = pagesOfSeveral(versions);
  const newest = new Map<string, PageVersion>();
  for (const version of versions) {
    const { docs, isBesideNewest = false } = version;
    if (docs === undefined || !shared.has(docs)) continue;
    const known = newest.get(docs);
    const others = isBesideNewest && known === undefined ? unversioned : [];
    const out = others.find(({ page }) => page.startsWith(`${docs}/`));
    const newer = out ?? version;
    if (known === undefined || byVersion(newer, known) < 0) newest.set(docs, newer);
  }
  return (version) => {
    const newer = version.docs === undefined ? undefined : newest.get(version.docs);
    return newer !== undefined && byVersion(newer, version) < 0;
  };
}

/** The docs of which a page was found in more than one version. Folders without any may be chapters, or APIs that have nothing in common. */
function pagesOfSeveral(versions: readonly PageVersion[]): ReadonlySet<string> {
  const byPage = groupBy(versions, ({ page }) => page);
  return new Set(
    [...byPage.values()].flatMap((same) => (same.length > 1 ? same.flatMap(({ docs }) => docs ?? []) : [])),
  );
}

/**
 * Pages of one path and title that say the same, in groups with the best first. Not all of them do: notes of two releases, or pages of two APIs, may
 * have the same name and be about different things. A version that the question names belongs to the group, whatever it says.
 */
function* alikeAmong(
  versions: readonly Versioned[],
  isNamed: (version: PageVersion) => boolean,
): Generator<readonly Versioned[]> {
  let left = versions.map((one) => ({ ...one, texts: textsOf(one.source) }));
  for (let group = 0; group < MAX_GROUPS; group += 1) {
    const [best, ...behind] = left;
    if (best === undefined || behind.length === 0) return;
    const [words = new Set<string>()] = best.texts;
    const found = groupBy(
      behind,
      ({ version, texts }) =>
        (isNamed(version) && !isNamed(best.version)) ||
        texts.some((others) => isAlike(words, others, MIN_LIKENESS)),
    );
    yield [best, ...(found.get(true) ?? [])];
    left = found.get(false) ?? [];
  }
}

/** The words of each of the best passages. */
function textsOf({ passages }: RankedSource): ReadonlySet<string>[] {
  return passages.slice(0, COMPARED_PASSAGES).map(({ passage }) => wordsIn(passage));
}

function versionOf(source: RankedSource): Versioned[] {
  const { corpus, sourceId } = source;
  const isDocument = corpus.name === 'docs' && !corpus.isNode(sourceId);
  const found = isDocument ? corpus.source(sourceId) : undefined;
  return found === undefined ? [] : [{ source, version: pageVersionOf(found.path) }];
}

/** A key that pages share if they have the same title besides the same path. Pages with other titles are different ones. */
function keyOf({ passages }: RankedSource, { page }: PageVersion): string {
  return `${page}\0${passages[0]?.passage.titleTerms ?? ''}`;
}

function withScore({ corpus, sourceId, passages }: RankedSource, score: number): RankedSource {
  return { corpus, sourceId, score, passages };
}
