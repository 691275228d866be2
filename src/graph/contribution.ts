import type { DocumentFacts, EdgeType, Mention, NodeKey, NodeType, Statement } from '../core/graph-model.ts';
import { groupBy } from '../core/group.ts';

/** All that one document says of one node. */
export interface NodeContribution {
  /** Whether one of the mentions makes the node exist. */
  readonly declares: boolean;
  /** Sum of the confidences of the mentions by type: the document's vote. */
  readonly votes: Partial<Record<NodeType, number>>;
  /** Sum of the confidences by form of the label. */
  readonly labels: Record<string, number>;
  readonly confidence: number;
  /** Lines that mention it, ascending; the first is the best to cite. */
  readonly lines: readonly number[];
  readonly citedLine: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, string>>;
}

/** All places in one document that state one relation. */
export interface EdgeContribution {
  readonly confidence: number;
  readonly lines: readonly number[];
  readonly description?: string;
}

export interface StatedRelation extends EdgeContribution {
  readonly source: NodeKey;
  readonly type: EdgeType;
  readonly target: NodeKey;
}

/** Groups a document's mentions by node. */
export function nodeContributions(facts: DocumentFacts): Map<NodeKey, NodeContribution> {
  return new Map(
    [...groupBy(facts.mentions, ({ key }) => key)].map(([key, mentions]) => [key, summarise(mentions)]),
  );
}

function summarise(mentions: readonly Mention[]): NodeContribution {
  const votes: Partial<Record<NodeType, number>> = {};
  const labels: Record<string, number> = Object.create(null);
  let best: Mention | undefined;
  let described: Mention | undefined;
  let properties: Record<string, string> | undefined;
  for (const mention of mentions) {
    votes[mention.type] = rounded((votes[mention.type] ?? 0) + mention.confidence);
    labels[mention.label] = rounded((labels[mention.label] ?? 0) + mention.confidence);
    if (best === undefined || rank(mention) > rank(best)) best = mention;
    if (mention.description && (described === undefined || rank(mention) > rank(described)))
      described = mention;
    if (mention.properties) properties = { ...mention.properties, ...properties };
  }
  return {
    declares: best?.declares ?? false,
    votes,
    labels,
    confidence: best?.confidence ?? 0,
    lines: linesOf(mentions),
    citedLine: best?.line ?? 0,
    ...(described?.description ? { description: described.description } : {}),
    ...(properties ? { properties } : {}),
  };
}

function rank(mention: Mention): number {
  return mention.confidence + (mention.declares ? 1 : 0);
}

/** Groups a document's statements by relation. A relation of a node to itself says nothing and is left out. */
export function statedRelations(facts: DocumentFacts): StatedRelation[] {
  const groups = groupBy(
    facts.statements.filter(({ source, target }) => source !== target),
    ({ source, type, target }) => `${type}\n${source}\n${target}`,
  );
  return [...groups.values()].flatMap((statements) => {
    const [first] = statements;
    if (first === undefined) return [];
    const best = statements.reduce((a, b) => (b.confidence > a.confidence ? b : a));
    const { source, type, target } = first;
    return [
      {
        source,
        type,
        target,
        confidence: best.confidence,
        lines: linesOf(statements),
        ...(best.description ? { description: best.description } : {}),
      },
    ];
  });
}

function linesOf(places: readonly (Mention | Statement)[]): number[] {
  return [...new Set(places.map(({ line }) => line))].sort((a, b) => a - b);
}

/** Sums of decimal confidences without the noise of binary fractions, so that equal facts are equal text. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
