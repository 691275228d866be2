import type { Hop } from '../core/search.ts';
import type { Adjacency } from '../graph/adjacency.ts';
import { type PathStep, shortestPath } from '../graph/paths.ts';
import type { Store } from '../store/store.ts';
import { thingsNamedIn } from './named-nodes.ts';

/** Something that the docs state, and where. */
export interface Statement {
  /** The path relative to the docs root. */
  readonly path: string;
  readonly line: number;
  readonly hop: Hop;
}

/** If a question names more things than this, it is about something else. */
const MAX_NAMED = 4;
/** Things that are further apart are connected by chance. */
const MAX_STEPS = 4;
/** The maximal number of places of one statement. */
const MAX_PLACES = 2;
/** Edges that say only that one thing mentions the other. */
const VAGUE: ReadonlySet<string> = new Set(['references', 'contains']);
const PLACE = /^(.*):(\d+)$/s;

/** The statements on the paths between each two of the things that a question names, step by step: "how does a renewal create a charge". */
export function waysIn(question: string, store: Store, adjacency: () => Adjacency): Statement[] {
  const things = thingsNamedIn(question, store).slice(0, MAX_NAMED);
  const pairs = things.flatMap((from, index) => things.slice(index + 1).map((to) => [from, to] as const));
  const statements = pairs.flatMap(([from, to]) => {
    const steps = shortestPath(adjacency(), from.id, to.id, (id) => store.keys.keyOf(id)) ?? [];
    return isTelling(steps) ? statementsOn(steps, store) : [];
  });
  return [...new Map(statements.map((statement) => [statement.hop.evidence, statement])).values()];
}

function isTelling(steps: readonly PathStep[]): boolean {
  return (
    steps.length - 1 <= MAX_STEPS && steps.every(({ edge }) => edge === undefined || !VAGUE.has(edge.type))
  );
}

function statementsOn(steps: readonly PathStep[], store: Store): Statement[] {
  return steps.flatMap(({ id, edge }, index) => {
    const next = steps[index + 1];
    if (edge === undefined || next === undefined) return [];
    const [source, target] = edge.direction === 'out' ? [id, next.id] : [next.id, id];
    return store.edges
      .evidenceFrom(source, edge.type)
      .filter(({ targetId }) => targetId === target)
      .flatMap(({ evidence }) => placesIn(evidence))
      .map(({ path, line }) => ({
        path,
        line,
        hop: {
          from: displayOf(source, store),
          edgeType: edge.type,
          to: displayOf(target, store),
          evidence: `${path}:${line}`,
        },
      }));
  });
}

/** @param evidence a list of `file:line`, as JSON */
function placesIn(evidence: string): { path: string; line: number }[] {
  const places: string[] = JSON.parse(evidence);
  return places.slice(0, MAX_PLACES).flatMap((place) => {
    const [, path, line] = PLACE.exec(place) ?? [];
    return path === undefined ? [] : [{ path, line: Number(line) }];
  });
}

function displayOf(id: number, store: Store): string {
  return store.nodes.shown(id)?.display ?? '';
}
