import { documentAt } from '../core/docs-selection.ts';
import type { Hop } from '../core/search.ts';
import type { GraphView } from './graph-view.ts';
import type { RankedSource, ScoredPassage } from './keyword.ts';
import { byScoreAndPlace, type PlacedSource } from './place-order.ts';
import type { Statement } from './ways.ts';

/** A source as the graph ranks it: by what it says itself, and by what links to it. */
export interface ReachedSource extends RankedSource {
  /** The strongest way to it; empty if it stands by itself. */
  readonly hops: readonly Hop[];
}

/** How many passages are followed by their links: what answers a question leads to the rest of the answer. Measured in docs/evaluation.md. */
const SEEDS = 20;
/** What a link adds to its target, as a share of the score of the passage with the link. */
const WEIGHT = 0.8;
const DECAY = 0.5;
/** What a statement on a path between things that the question names adds to its document, as a share of the best score. */
const STATEMENT_WEIGHT = 0.5;

/** The number of passages of a usual page. The best of more passages says less about whether the page is about the question. */
const USUAL_PASSAGES = 8;
/** How fast a longer page loses: one with 64 passages has the factor 0.81. Measured, see docs/decisions.md. */
const LENGTH_EXPONENT = 0.1;

/** A document as its store has it. */
export type Reached = PlacedSource;

/** The document at a path relative to the docs root; undefined if there is none, or it may not be found. */
export type Reach = (path: string) => Reached | undefined;

interface Way {
  readonly gain: number;
  readonly hops: readonly Hop[];
}

/**
 * Adds the sources to which good passages lead: each link in such a passage adds a share of its score to the target, which is smaller the more links
 * the passage has. Of several ways to a document the best one counts. What a page says itself counts less for a long page: with many passages, one of
 * them says something about anything, and pages about everything came before those that they link to.
 * @param depth how many links are followed, one after another
 */
export function spread(
  sources: readonly RankedSource[],
  graph: GraphView,
  reach: Reach,
  depth: number,
): ReachedSource[] {
  const ways = new Map<string, Way & Reached>();
  for (const [path, way] of waysFrom(seedsIn(sources), graph, depth)) {
    const found = reach(path);
    if (found !== undefined) ways.set(keyOf(found), { ...way, ...found });
  }
  const reached = sources.map((source): ReachedSource => {
    const way = ways.get(keyOf(source));
    ways.delete(keyOf(source));
    const { corpus, sourceId, passages } = source;
    const score = source.score * weightByLength(source);
    return way === undefined
      ? { corpus, sourceId, score, passages, hops: [] }
      : { corpus, sourceId, score: score + way.gain, passages, hops: way.hops };
  });
  for (const { corpus, sourceId, gain, hops } of ways.values()) {
    const [first] = corpus.passagesOf(sourceId);
    const passages: ScoredPassage[] = first === undefined ? [] : [{ corpus, passage: first, score: gain }];
    reached.push({ corpus, sourceId, score: gain, passages, hops });
  }
  return reached.sort(byScoreAndPlace);
}

/** Only the lengths of documents differ: conversations are ranked turn by turn, and memories are short. */
function weightByLength({ corpus, sourceId }: Reached): number {
  if (corpus.name !== 'docs') return 1;
  return Math.min(1, (USUAL_PASSAGES / corpus.passageCountOf(sourceId)) ** LENGTH_EXPONENT);
}

/** Raises the sources that state something on the paths between things that a question names. Each such document gains the same, whatever its words are. */
export function withStatements(
  sources: readonly ReachedSource[],
  statements: readonly Statement[],
  reach: Reach,
): ReachedSource[] {
  const gain = STATEMENT_WEIGHT * (sources[0]?.score ?? 0);
  const stated = new Map<string, Reached & Pick<Statement, 'line' | 'hop'>>();
  for (const { path, line, hop } of statements) {
    const found = reach(path);
    if (found !== undefined && !stated.has(keyOf(found))) stated.set(keyOf(found), { ...found, line, hop });
  }
  const gained = sources.map((source) => {
    const statement = stated.get(keyOf(source));
    stated.delete(keyOf(source));
    return statement === undefined
      ? source
      : { ...source, score: source.score + gain, hops: [statement.hop] };
  });
  const others = Array.from(stated.values(), ({ corpus, sourceId, line, hop }): ReachedSource => {
    const all = corpus.passagesOf(sourceId);
    const passage = all.find((one) => one.line <= line && line <= one.endLine) ?? all[0];
    const passages = passage === undefined ? [] : [{ corpus, passage, score: gain }];
    return { corpus, sourceId, score: gain, passages, hops: [hop] };
  });
  return [...gained, ...others].sort(byScoreAndPlace);
}

function keyOf({ corpus, sourceId }: Reached): string {
  return `${corpus.name} ${sourceId}`;
}

interface Seed {
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
  readonly score: number;
}

function seedsIn(sources: readonly RankedSource[]): Seed[] {
  return sources
    .flatMap((source) => source.passages)
    .sort((a, b) => b.score - a.score)
    .slice(0, SEEDS)
    .flatMap(({ corpus, passage, score }) => {
      const isDocument = corpus.name === 'docs' && !corpus.isNode(passage.sourceId);
      const source = isDocument ? corpus.source(passage.sourceId) : undefined;
      if (source === undefined) return [];
      return [{ path: documentAt(source.path) ?? '', line: passage.line, endLine: passage.endLine, score }];
    });
}

/** The best way to each document, by its path relative to the docs root. */
function waysFrom(seeds: readonly Seed[], graph: GraphView, depth: number): Map<string, Way> {
  const ways = new Map<string, Way>();
  let frontier: readonly (Seed & { readonly hops: readonly Hop[] })[] = seeds.map((seed) => ({
    ...seed,
    hops: [],
  }));
  let weight = WEIGHT;
  for (let level = 0; level < depth; level += 1) {
    const next = new Map<string, Way>();
    for (const seed of frontier) {
      for (const [path, way] of waysOutOf(seed, graph, weight)) {
        if (way.gain > (ways.get(path)?.gain ?? 0)) {
          ways.set(path, way);
          next.set(path, way);
        }
      }
    }
    frontier = Array.from(next, ([path, { gain, hops }]) => ({
      path,
      line: 1,
      endLine: Number.MAX_SAFE_INTEGER,
      score: gain / weight,
      hops,
    }));
    weight *= DECAY;
  }
  return ways;
}

function waysOutOf(
  { path, line, endLine, score, hops }: Seed & { readonly hops: readonly Hop[] },
  graph: GraphView,
  weight: number,
): Map<string, Way> {
  const lines = new Map<string, number>();
  for (const link of graph.linksOf(path)) {
    if (link.line >= line && link.line <= endLine && !lines.has(link.target))
      lines.set(link.target, link.line);
  }
  const gain = (weight * score) / Math.sqrt(lines.size);
  return new Map(
    Array.from(lines, ([target, at]) => {
      const hop = {
        from: graph.labelOf(path),
        edgeType: 'references',
        to: graph.labelOf(target),
        evidence: `${path}:${at}`,
      };
      return [target, { gain, hops: [...hops, hop] }];
    }),
  );
}
