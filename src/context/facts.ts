import { compareTexts } from '../text/compare-texts.ts';
import { termsOf } from '../words/tokens.ts';
import { type FactGraph, type FactNode, factText, type Link, REFERENCES } from './fact-graph.ts';
import type { Fact, FactPath } from './manifest.ts';

export interface Facts {
  readonly paths: readonly FactPath[];
  readonly facts: readonly Fact[];
}

/** More names than this, and a question is about something else. */
const MAX_NAMED = 6;
const MAX_PATHS = 8;
const MAX_VAGUE_PATHS = 2;
const MAX_FACTS_OF_NODE = 10;
const MAX_STEPS = 4;
/** A way that takes more joins what hardly belongs together. */
const MAX_COST = 8;
/** Nodes that are looked at from one end. */
const MAX_VISITS = 60;
const MAX_ENDS = 3;
/** What follows on something is the end of a way, also where the question does not say "trigger". */
const CONSEQUENCE = 'triggers';

/** What a question says. */
interface Asked {
  readonly terms: ReadonlySet<string>;
  /** Without those of the nodes that it names: "create" in "create a charge" asks for no event that has something created. */
  readonly others: ReadonlySet<string>;
}

interface Way {
  readonly ids: readonly number[];
  readonly nodes: readonly string[];
  readonly links: readonly Link[];
  readonly cost: number;
}

/**
 * What the graph says of the nodes that a question names: the ways among them on which most evidence stands, each led on to what its end
 * brings about; and their own relations, those first that the question speaks of.
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

/** The node; of a document those that its title names, such as Charge in "Create a charge", which is what the question is about. */
function nodesNamed(graph: FactGraph, name: string): FactNode[] {
  const node = graph.node(name);
  if (node !== undefined) return [node];
  const title = name.replace(/ \([^)]*\)$/, '');
  return (title.match(/[\p{L}\p{N}_.-]{3,}/gu) ?? []).flatMap((word) => graph.node(word) ?? []);
}

/** Whether a step of it says only that one speaks of the other. */
function isVague({ links }: Way): boolean {
  return links.some(({ fact }) => fact.edgeType === REFERENCES);
}

function distinct(nodes: readonly FactNode[]): FactNode[] {
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}

/**
 * The best way between each two of the nodes, cheapest first: one that leads from the one to the other, and only where there is none one that is walked
 * back in parts. That two need the same third says less than any chain.
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

/** By the ends of the way, whichever it begins at. */
function cheapestOfPairs(ways: readonly Way[]): Map<string, Way> {
  const best = new Map<string, Way>();
  for (const way of ways) {
    const ends = [way.ids[0] ?? 0, way.ids.at(-1) ?? 0].sort((a, b) => a - b).join(' ');
    const known = best.get(ends);
    if (known === undefined || way.cost < known.cost) best.set(ends, way);
  }
  return best;
}

/** Dijkstra's algorithm, as far as it may lead. */
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

/** Ways that are a part of another way say nothing of their own; one that begins where another ends goes on with it. */
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

/** @param isBefore decides where both are the same */
function holds(way: Way, part: Way, isBefore: boolean): boolean {
  const text = ` ${way.ids.join(' ')} `;
  const sought = ` ${part.ids.join(' ')} `;
  return text.includes(sought) && (text.length > sought.length || isBefore);
}

/** The way, led on to what its end brings about and to what the question asks of it; the way itself where there is nothing. */
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

/** Those first whose type the question names, then those whose ends it speaks of more, then the stronger. */
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
