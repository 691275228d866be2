import { HIT_KINDS, type ParsedQuery } from '../core/search.ts';
import { nearest } from '../text/near.ts';
import type { Corpus, ListedSource } from './corpus.ts';
import type { GraphFilters } from './filter.ts';
import { Scope } from './scope.ts';

const MAX_TYPES_SHOWN = 12;

/** Asked of all sources at once. */
interface Sought {
  readonly isThere: (source: ListedSource) => boolean;
  readonly said: (names: Names) => string;
}

interface Names {
  /** Types of documents and nodes as they are shown, most frequent first. */
  readonly types: readonly string[];
  readonly tags: ReadonlySet<string>;
}

/**
 * Says of each filter of a question that lets nothing through by itself what is missing, in one sentence each. Sentences name no memories, and no tags of
 * theirs: not everybody who may ask may read those.
 * @param corpora without the history, about which nothing is said
 */
export function emptyFilters(
  { types, tags, scopes, related }: ParsedQuery,
  corpora: readonly Corpus[],
  graph: GraphFilters,
): string[] {
  const nodes = related.filter(({ name }) => graph.around(name, 1) === undefined);
  const said = nodes.map(({ name }) => `there is no node "${name}"`);
  const sought = [
    ...types.filter((type) => !isKind(type) && graph.speakingOf(type).size === 0).map(ofType),
    ...tags.map(ofTag),
    ...scopes.flatMap((scope) => ofScope(scope) ?? []),
  ];
  if (sought.length === 0) return said;
  const missing = new Set(sought);
  const names = namesIn(corpora, (source) => {
    for (const one of missing) if (one.isThere(source)) missing.delete(one);
  });
  return [...said, ...Array.from(missing, (one) => one.said(names))];
}

function ofType(wanted: string): Sought {
  return {
    isThere: ({ type }) => type === wanted,
    said({ types }) {
      const known = [...HIT_KINDS, ...types];
      const near = nearest(wanted, known);
      const shown = known.slice(0, MAX_TYPES_SHOWN).join(', ');
      const more = known.length > MAX_TYPES_SHOWN ? ', …' : '';
      return `nothing is of the type "${wanted}"; ${near === undefined ? `there are ${shown}${more}` : `did you mean ${near}?`}`;
    },
  };
}

function ofTag(wanted: string): Sought {
  return {
    isThere: ({ tags }) => tags.includes(wanted),
    said({ tags }) {
      const near = nearest(wanted, tags);
      return `nothing has the tag "${wanted}"${near === undefined ? '' : `; did you mean ${near}?`}`;
    },
  };
}

/** Undefined for a path of which it is not known what lies there. */
function ofScope(path: string): Sought | undefined {
  const scope = new Scope({ scopes: [path] }, { limit: 1 });
  if (scope.reaches('history')) return undefined;
  // The path of a node takes a look at the graph.
  const kinds = HIT_KINDS.filter((kind) => scope.reaches(kind));
  return {
    isThere: (source) =>
      kinds.includes(source.kind) && (scope.holdsAll(source.kind) || scope.holds(source.path)),
    said: () => `nothing that is searched lies in ${path}`,
  };
}

function namesIn(corpora: readonly Corpus[], look: (source: ListedSource) => void): Names {
  const tags = new Set<string>();
  const shown = new Map<string, { readonly name: string; count: number }>();
  for (const corpus of corpora) {
    for (const source of corpus.sources()) {
      look(source);
      if (corpus.name !== 'docs') continue;
      for (const tag of source.tags) tags.add(tag);
      const known = shown.get(source.type);
      if (known !== undefined) known.count += 1;
      else if (source.type !== '') shown.set(source.type, { name: source.shownType, count: 1 });
    }
  }
  const types = [...shown.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return { types: types.map(({ name }) => name), tags };
}

function isKind(type: string): boolean {
  return HIT_KINDS.some((kind) => kind === type);
}
