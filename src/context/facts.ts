import { compareTexts } from '../text/compare-texts.ts';
import { termsOf } from '../words/tokens.ts';
import { type FactGraph, type FactNode, factText, type Link, REFERENCES } from './fact-graph.ts';
import type { Fact, FactPath } from './manifest.ts';

export interface Facts {
  readonly paths: readonly FactPath[];
  readonly facts: readonly Fact[];
}

/** If a question names more nodes than this, it is about something else. */
const MAX_NAMED = 6;
const MAX_PATHS = 8;
const MAX_VAGUE_PATHS = 2;
const MAX_FACTS_OF_NODE = 10;
const MAX_STEPS = 4;
/** A path that costs more connects things that hardly belong together. */
const MAX_COST = 8;
/** How many nodes are visited from one end. */
const MAX_VISITS = 60;
const MAX_ENDS = 3;
/** The relation that may end a path even if the question does not say "trigger": what follows from something is worth telling. */
const CONSEQUENCE = 'triggers';

/** What a question asks for. */
interface Asked {
  readonly terms: ReadonlySet<string>;
  /** Its terms without those of the nodes that it names: "create" in "create a charge" does not ask for an event in which something was created. */
  readonly others: ReadonlySet<string>;
}

interface Way {
  readonly ids: readonly number[];
  readonly nodes: readonly string[];
  readonly links: readonly Link[];
  readonly cost: number;
}

/**
 * What the graph says about the nodes that a question names: the paths between them with most evidence, each continued to what its end causes; and
 * their own relations, beginning with those that the question mentions.
 * @param named names as in `graph/nodes`
 */
export function factsOf(graph: FactGraph, named: readonly string[], terms: ReadonlySet<string>): Facts {
  const nodes = distinct(named.flatMap((name) => nodesNamed(graph, name))).slice(0, MAX_NAMED);
  const others = new Set(terms);
  for (const term of termsOf(named.join(' '))) others.delete(term);
  const asked = { terms, others };
  const ways = waysAmong(graph, nodes);
  const telling = joined(ways.filter((way) => !isVague(way)));
  const long = [
    ...telling.flatMap((way) => ledOn(graph, way, asked)).slice(0, MAX_PATHS),
    ...ways.filter(isVague).slice(0, MAX_VAGUE_PATHS),
  ];
  const paths = long.map(({ nodes, links }) => ({ nodes, steps: links.map(({ fact }) => fact) }));
  const shown = new Set(paths.flatMap(({ steps }) => steps.map(factText)));
  const facts: Fact[] = [];
  for (const { id } of nodes) {
    const own = graph
      .linksOf(id)
      .filter(({ fact }) => fact.edgeType !== REFERENCES && !shown.has(factText(fact)));
    for (const { fact } of byAnswer(own, asked).slice(0, MAX_FACTS_OF_NODE)) {
      shown.add(factText(fact));
      facts.push(fact);
    }
  }
  return { paths, facts };
}

/** The node. For a document, the nodes that its title names, such as Charge in "Create a charge": that is what the question is about. */
function nodesNamed(graph: FactGraph, name: string): FactNode[] {
  const node = graph.node(name);
  if (node !== undefined) return [node];
  const title = name.replace(/ \([^)]*\)$/, '');
  return (title.match(/[\p{L}\p{N}_.-]{3,}/gu) ?? []).flatMap((word) => graph.node(word) ?? []);
}

/** Whether one of its steps only says that one thing mentions the other. */
function isVague({ links }: Way): boolean {
  return links.some(({ fact }) => fact.edgeType === REFERENCES);
}

function distinct(nodes: readonly FactNode[]): FactNode[] {
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}

/**
 * The best path between each two of the nodes, cheapest first. A path that leads from one to the other is preferred to one of which parts are walked
 * backwards. That two nodes need the same third one says less than any chain.
 */
function waysAmong(graph: FactGraph, nodes: readonly FactNode[]): Way[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const forward = cheapestOfPairs(nodes.flatMap((from) => waysFrom(graph, from, ids, 'forward')));
  const pairs = (nodes.length * (nodes.length - 1)) / 2;
  const others =
    forward.size < pairs
      ? cheapestOfPairs(nodes.flatMap((from) => waysFrom(graph, from, ids, 'either way')))
      : [];
  return [...new Map([...others, ...forward]).values()].sort(
    (a, b) => a.cost - b.cost || compareTexts(a.nodes.join('\n'), b.nodes.join('\n')),
  );
}

/** The cheapest path for each pair of ends, in either direction. */
function cheapestOfPairs(ways: readonly Way[]): Map<string, Way> {
  const best = new Map<string, Way>();
  for (const way of ways) {
    const ends = [way.ids[0] ?? 0, way.ids.at(-1) ?? 0].sort((a, b) => a - b).join(' ');
    const known = best.get(ends);
    if (known === undefined || way.cost < known.cost) best.set(ends, way);
  }
  return best;
}

/** Dijkstra's algorithm, up to the limits. */
function waysFrom(
  graph: FactGraph,
  from: FactNode,
  wanted: ReadonlySet<number>,
  walked: 'forward' | 'either way',
): Way[] {
  const open = new Map<number, Way>([[from.id, { ids: [from.id], nodes: [from.label], links: [], cost: 0 }]]);
  const settled = new Set<number>();
  const found: Way[] = [];
  while (open.size > 0 && settled.size < MAX_VISITS && found.length < wanted.size - 1) {
    const way = cheapest(open);
    const id = way.ids.at(-1) ?? from.id;
    open.delete(id);
    settled.add(id);
    if (id !== from.id && wanted.has(id)) found.push(way);
    if (way.links.length >= MAX_STEPS) continue;
    for (const link of graph.linksOf(id)) {
      const cost = way.cost + link.cost;
      if (settled.has(link.otherId) || cost > MAX_COST || (walked === 'forward' && !link.isForward)) continue;
      if (cost < (open.get(link.otherId)?.cost ?? Number.POSITIVE_INFINITY))
        open.set(link.otherId, extended(way, link));
    }
  }
  return found;
}

function cheapest(open: ReadonlyMap<number, Way>): Way {
  let best: Way | undefined;
  for (const way of open.values()) {
    if (best === undefined || way.cost < best.cost) best = way;
  }
  if (best === undefined) throw new Error('there is no way left to choose');
  return best;
}

function extended(way: Way, link: Link): Way {
  return {
    ids: [...way.ids, link.otherId],
    nodes: [...way.nodes, link.isForward ? link.fact.to : link.fact.from],
    links: [...way.links, link],
    cost: way.cost + link.cost,
  };
}

/** Removes paths that are part of another one, and joins a path to one that begins where it ends. */
function joined(ways: readonly Way[]): Way[] {
  const long: Way[] = [];
  for (const way of ways) {
    const before = long.find(
      (other) => other.ids.at(-1) === way.ids[0] && !way.ids.slice(1).some((id) => other.ids.includes(id)),
    );
    if (before === undefined || before.links.length + way.links.length > MAX_STEPS) long.push(way);
    else {
      long[long.indexOf(before)] = {
        ids: [...before.ids, ...way.ids.slice(1)],
        nodes: [...before.nodes, ...way.nodes.slice(1)],
        links: [...before.links, ...way.links],
        cost: before.cost + way.cost,
      };
    }
  }
  return long.filter(
    (way, index) => !long.some((other, at) => at !== index && holds(other, way, at < index)),
  );
}

/** @param isBefore decides which one stays if both are the same */
function holds(way: Way, part: Way, isBefore: boolean): boolean {
  const text = ` ${way.ids.join(' ')} `;
  const sought = ` ${part.ids.join(' ')} `;
  return text.includes(sought) && (text.length > sought.length || isBefore);
}

/** The path continued to what its end causes and to what the question asks about it; the path itself if there is nothing. */
function ledOn(graph: FactGraph, way: Way, asked: Asked): Way[] {
  const last = way.ids.at(-1);
  if (last === undefined || way.links.length >= MAX_STEPS) return [way];
  const next = graph
    .linksOf(last)
    .filter(
      (link) =>
        link.isForward &&
        !way.ids.includes(link.otherId) &&
        (link.fact.edgeType === CONSEQUENCE || isAsked(link.fact.edgeType, asked.terms)),
    );
  const ends = byAnswer(next, asked).slice(0, MAX_ENDS);
  return ends.length === 0 ? [way] : ends.map((link) => extended(way, link));
}

/** Sorts relations: first those whose type the question mentions, then those whose ends it mentions more, then the stronger ones. */
function byAnswer(links: readonly Link[], { terms, others }: Asked): Link[] {
  const worth = ({ fact }: Link): number => {
    const named = termsOf(`${fact.from} ${fact.to}`).filter((term) => others.has(term));
    return (isAsked(fact.edgeType, terms) ? 2 : 0) + new Set(named).size;
  };
  return links
    .map((link) => ({ link, worth: worth(link) }))
    .sort((a, b) => b.worth - a.worth || b.link.strength - a.link.strength)
    .map(({ link }) => link);
}

/** "trigger" asks for `triggers`. */
function isAsked(edgeType: string, terms: ReadonlySet<string>): boolean {
  return termsOf(edgeType).some((term) => terms.has(term));
}
