import {
  type DocumentFacts,
  type Half,
  isNodeTypeOfMap,
  type Mention,
  type ModelPart,
  type NodeKey,
  type NodeType,
  type Problem,
  type Statement,
} from '../core/graph-model.ts';
import { groupBy } from '../core/group.ts';
import { isLinkKey } from '../core/identity.ts';
import type { StatedType } from '../store/contributions.ts';

/** Everything that one document says about one node. */
export interface NodeContribution {
  /** Whether one of the mentions makes the node exist. */
  readonly declares: boolean;
  /** If none of them does: the half that one of them contributes. Both halves together make the node exist. */
  readonly half?: Half;
  /** The sums of the confidences of the mentions by type: how the document votes. */
  readonly votes: Partial<Record<NodeType, number>>;
  /** The same for types of a schema map that only a model gave. They count if no rule of the map gives a type. Absent if there are none. */
  readonly modelVotes?: Partial<Record<NodeType, number>>;
  /** The sums of the confidences by form of the label. */
  readonly labels: Record<string, number>;
  readonly confidence: number;
  /** Lines that mention the node, ascending. The first is the best one to cite. */
  readonly lines: readonly number[];
  readonly citedLine: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, string>>;
  /** Absent if only rules have found it. */
  readonly model?: ModelPart;
}

/** All places in one document that state one relation. */
export interface EdgeContribution {
  readonly confidence: number;
  /** The rule whose confidence this is, if a rule has read it. */
  readonly rule?: string;
  /** The confidences of other rules that have read the same in this document. */
  readonly also?: Readonly<Record<string, number>>;
  readonly lines: readonly number[];
  readonly description?: string;
  /** Absent if only rules have found it. */
  readonly model?: ModelPart;
}

/** Everything that a document contributes, in the form in which it is stored and compared. */
export interface Contribution {
  readonly title: string;
  readonly problems: readonly Problem[];
  /** Names of the document besides those that follow from its path. */
  readonly aliases?: readonly NodeKey[];
  /** One for each node; `body` is a NodeContribution as JSON. */
  readonly mentions: readonly {
    readonly key: NodeKey;
    readonly declares: boolean;
    readonly half?: Half | undefined;
    readonly body: string;
  }[];
  /** One for each relation; `body` is an EdgeContribution as JSON. */
  readonly statements: readonly StatedRelation[];
}

export interface StatedRelation {
  readonly source: NodeKey;
  readonly type: StatedType;
  readonly target: NodeKey;
  readonly body: string;
}

/** Groups a document's mentions by node and its statements by relation. Equal facts give equal text. */
export function contributionOf(facts: DocumentFacts): Contribution {
  const byKey = groupBy(facts.mentions, ({ key }) => key);
  return {
    title: facts.title,
    problems: facts.problems,
    aliases: facts.aliases ?? [],
    mentions: Array.from(byKey, ([key, mentions]) => {
      const [only] = mentions;
      if (only !== undefined && mentions.length === 1 && only.model === undefined)
        return { key, declares: only.declares, half: only.half, body: bodyOfMention(only) };
      const contribution = summarise(mentions);
      const { declares, half } = contribution;
      return { key, declares, half, body: JSON.stringify(contribution) };
    }),
    statements: statedRelations(facts),
  };
}

/**
 * The same JSON as that of `summarise`, for a node with a single mention. Most nodes are mentioned once in a document, and building objects whose
 * keys are data takes several times as long. The parts are joined, since a template would keep each of them in memory: 550 bytes for 160.
 */
function bodyOfMention({
  type,
  label,
  line,
  confidence,
  declares,
  half,
  description,
  properties,
}: Mention): string {
  const vote = rounded(confidence);
  const parts: (string | number | boolean)[] = ['{"declares":', declares];
  if (half) parts.push(',"half":"', half, '"');
  parts.push(',"votes":{', JSON.stringify(type), ':', vote, '},"labels":{', JSON.stringify(label), ':', vote);
  parts.push('},"confidence":', confidence, ',"lines":[', line, '],"citedLine":', line);
  if (description) parts.push(',"description":', JSON.stringify(description));
  if (properties) parts.push(',"properties":', JSON.stringify(properties));
  parts.push('}');
  return parts.join('');
}

function summarise(mentions: readonly Mention[]): NodeContribution {
  const best = surestOf(mentions);
  const described = surestOf(mentions.filter(({ description }) => description));
  const typed = groupBy(mentions, isTypedByModel);
  const modelVotes = confidencesBy(typed.get(true) ?? [], ({ type }) => type);
  const properties = propertiesOf(mentions);
  const model = partOfModel(mentions);
  const declares = best?.declares === true || (hasHalf(mentions, 'headed') && hasHalf(mentions, 'used'));
  const half = declares ? undefined : mentions.find((mention) => mention.half !== undefined)?.half;
  return {
    declares,
    ...(half === undefined ? {} : { half }),
    votes: confidencesBy(typed.get(false) ?? [], ({ type }) => type),
    ...(typed.has(true) ? { modelVotes } : {}),
    labels: confidencesBy(mentions, ({ label }) => label),
    confidence: agreed(best?.confidence ?? 0, model),
    lines: linesOf(mentions),
    citedLine: best?.line ?? 0,
    ...(described?.description ? { description: described.description } : {}),
    ...(properties ? { properties } : {}),
    ...(model ? { model } : {}),
  };
}

/** Whether only a model gave a node a type of a schema map. */
function isTypedByModel({ model, type }: Mention): boolean {
  return model?.role === 'found' && isNodeTypeOfMap(type);
}

/** The sum of the confidences of all mentions with one key. */
function confidencesBy(
  mentions: readonly Mention[],
  keyOf: (mention: Mention) => string,
): Record<string, number> {
  const sums: Record<string, number> = Object.create(null);
  for (const mention of mentions) {
    const key = keyOf(mention);
    sums[key] = rounded((sums[key] ?? 0) + mention.confidence);
  }
  return sums;
}

/** The first of the mentions with the highest rank. */
function surestOf(mentions: readonly Mention[]): Mention | undefined {
  let best: Mention | undefined;
  for (const mention of mentions) if (best === undefined || rank(mention) > rank(best)) best = mention;
  return best;
}

/** Properties of all mentions. If several have the same property, the first one counts. */
function propertiesOf(mentions: readonly Mention[]): Record<string, string> | undefined {
  let all: Record<string, string> | undefined;
  for (const { properties } of mentions) if (properties) all = { ...properties, ...all };
  return all;
}

function hasHalf(mentions: readonly Mention[], half: Half): boolean {
  return mentions.some((mention) => mention.half === half);
}

/** The part of a model in facts that become one in the graph: it has found them if it found all of them, and otherwise confirmed them. */
function partOfModel(facts: readonly (Mention | Statement)[]): ModelPart | undefined {
  const parts = facts.flatMap(({ model }) => model ?? []);
  const [first] = parts;
  if (first === undefined) return undefined;
  const isFound = parts.length === facts.length && parts.every(({ role }) => role === 'found');
  return { name: first.name, role: isFound ? 'found' : 'confirmed' };
}

/** How much of the doubt remains if a model and a rule have found the same independently. */
const DOUBT_LEFT = 0.4;

function agreed(confidence: number, model: ModelPart | undefined): number {
  if (model?.role !== 'confirmed') return confidence;
  return Math.round((1 - (1 - confidence) * DOUBT_LEFT) * 100) / 100;
}

function rank(mention: Mention): number {
  return mention.confidence + (mention.declares ? 1 : 0);
}

/** Relations between nodes. One of a node with itself says nothing and is left out. */
function statedRelations(facts: DocumentFacts): StatedRelation[] {
  const groups = groupBy(
    facts.statements.filter(({ source, target }) => source !== target),
    ({ source, type, target }) => `${type}\n${source}\n${target}`,
  );
  const relations: StatedRelation[] = [];
  for (const statements of groups.values()) {
    const [first] = statements;
    if (first === undefined) continue;
    const { source, type, target } = first;
    const isAlone = statements.length === 1 && first.model === undefined;
    const body = isAlone ? bodyOfStatement(first) : JSON.stringify(summariseStatements(statements, first));
    const isTurned = isLinkKey(source) && !isLinkKey(target);
    relations.push(
      isTurned ? { source: target, type: `~${type}`, target: source, body } : { source, type, target, body },
    );
  }
  return relations;
}

/** The same JSON as that of `summariseStatements`, for a single statement. */
function bodyOfStatement({ confidence, rule, line, description }: Statement): string {
  const parts: (string | number)[] = ['{"confidence":', confidence];
  if (rule !== undefined) parts.push(',"rule":', JSON.stringify(rule));
  parts.push(',"lines":[', line, ']');
  if (description) parts.push(',"description":', JSON.stringify(description));
  parts.push('}');
  return parts.join('');
}

function summariseStatements(statements: readonly Statement[], first: Statement): EdgeContribution {
  const best = statements.reduce((a, b) => (b.confidence > a.confidence ? b : a), first);
  const further = statements.filter(({ rule }) => rule !== undefined && rule !== best.rule);
  const also = Object.fromEntries(
    further
      .sort((a, b) => a.confidence - b.confidence)
      .map(({ rule, confidence }) => [rule ?? '', confidence])
      .sort(),
  );
  const model = partOfModel(statements);
  return {
    confidence: agreed(best.confidence, model),
    ...(best.rule === undefined ? {} : { rule: best.rule }),
    ...(further.length === 0 ? {} : { also }),
    lines: linesOf(statements),
    ...(best.description ? { description: best.description } : {}),
    ...(model ? { model } : {}),
  };
}

function linesOf(places: readonly (Mention | Statement)[]): number[] {
  return [...new Set(places.map(({ line }) => line))].sort((a, b) => a - b);
}

/** Rounds sums of decimal confidences to remove the noise of binary fractions, so that equal facts give equal text. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
