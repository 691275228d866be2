import {
  compareNodeTypes,
  EDGE_TYPES,
  type EdgeType,
  EXTRACTED_BY,
  isNodeType,
  isNodeTypeOfMap,
  MAX_WEIGHT,
  NODE_TYPES,
  type NodeKey,
  type NodeType,
} from '../core/graph-model.ts';
import { groupBy } from '../core/group.ts';
import { encodeName } from '../core/names.ts';
import { type CountsByRule, learntConfidence } from '../core/rule-counts.ts';
import { sum } from '../core/sum.ts';
import type { DerivedEdge } from '../store/edges.ts';
import type { DerivedNode } from '../store/nodes.ts';
import { compareTexts } from '../text/compare-texts.ts';
import type { EdgeContribution, NodeContribution } from './contribution.ts';
import { otherNames } from './other-names.ts';

/** A contribution with the path of its document. */
export type From<Contribution> = Contribution & { readonly path: string };

/**
 * What all documents together say about a node; undefined if none of them declares it, nor two of them together. Contributions are weighed,
 * independent of the order in which files were read: the caller passes them in the order of their paths.
 */
export function mergeNode(
  id: number,
  key: NodeKey,
  contributions: readonly From<NodeContribution>[],
): DerivedNode | undefined {
  const declaring = declaringOf(contributions);
  if (declaring.length === 0) return undefined;
  // What rules have found decides what the node is called and what it is. A model's word counts if there is none.
  const ruled = byRules(declaring);
  const named = byRules(contributions);
  const label = bestLabel(named.length > 0 ? named : contributions);
  const describing = contributions.filter(({ description }) => description);
  const described = strongest(byRules(describing)) ?? strongest(describing);
  return {
    id,
    key,
    type: winningType(ruled.length > 0 ? ruled : declaring),
    label,
    baseName: encodeName(label),
    description: described?.description ?? '',
    properties: {
      ...Object.assign({}, ...declaring.map(({ properties }) => properties).reverse()),
      ...otherNames(label, contributions),
      ...(ruled.length > 0 ? {} : foundBy(declaring)),
    },
    weight: weightOf(contributions),
    confidence: Math.max(...declaring.map(({ confidence }) => confidence)),
    sources: contributions.map(({ path, citedLine }) => `${path}:${citedLine}`),
  };
}

/** The contributions that make the node exist; if no single one does, those that do so together. */
function declaringOf(contributions: readonly From<NodeContribution>[]): readonly From<NodeContribution>[] {
  const declaring = contributions.filter(({ declares }) => declares);
  if (declaring.length > 0) return declaring;
  const halves = contributions.filter(({ half }) => half !== undefined);
  return new Set(halves.map(({ half }) => half)).size > 1 ? halves : [];
}

/** Types that a link may accompany. Beside any other type, a link says less than that does. */
const BESIDE_REFERENCES: ReadonlySet<EdgeType> = new Set([
  'references',
  'contains',
  'depends_on',
  'child_of',
  'parent_of',
]);

export type Stated = From<EdgeContribution> & { readonly type: EdgeType };

/**
 * What all documents together say about a pair of nodes, as one edge for each type. If a rule has found how two nodes are related, in either
 * direction, a model that says something else is not believed.
 * @param counts judgements on the rules that have read it: they change confidence, and nothing else
 * @param opposite what is stated from the target to the source. It only matters if a model has found some of the statements
 */
export function mergeEdges(
  statements: readonly Stated[],
  counts: CountsByRule = {},
  opposite: readonly Stated[] = [],
): DerivedEdge[] {
  const ruled = byRules(statements);
  const byType = groupBy(believed(statements, ruled, byRules(opposite)), ({ type }) => type);
  // What a model adds to what rules have read does not take anything away from it.
  const telling = ruled.length > 0 ? ruled : statements;
  if (telling.some(({ type }) => isSpecific(type)) && !statements.some(isLink)) byType.delete('references');
  return Array.from(byType, ([type, group]) => mergeEdge(type, group, counts));
}

/** Only documents have links. The lines in which one mentions the other count the same, whatever other relations there are. */
function isLink({ type, rule, also }: Stated): boolean {
  return type === 'references' && (rule === 'link' || also?.['link'] !== undefined);
}

/** The statements without those that only a model makes about a pair for which rules say something else. */
function believed(
  statements: readonly Stated[],
  ruled: readonly Stated[],
  ruledOpposite: readonly Stated[],
): readonly Stated[] {
  if (ruled.length === statements.length) return statements;
  const types = new Set(ruled.map(({ type }) => type));
  const isSettled = [...ruled, ...ruledOpposite].some(({ type }) => isSpecific(type));
  return statements.filter(
    (one) => !isOfModel(one) || types.has(one.type) || !isSettled || !isSpecific(one.type),
  );
}

/** Whether the type of a relation says more than that one thing mentions the other. */
function isSpecific(type: EdgeType): boolean {
  return EDGE_TYPES.some((known) => known === type) && !BESIDE_REFERENCES.has(type);
}

/** Whether a model has found it and no rule has. */
export function isOfModel({ model }: Pick<EdgeContribution, 'model'>): boolean {
  return model?.role === 'found';
}

function byRules<Contribution extends Pick<EdgeContribution, 'model'>>(
  contributions: readonly Contribution[],
): Contribution[] {
  return contributions.filter((one) => !isOfModel(one));
}

/** The provenance of what no rule has found. */
function foundBy(contributions: readonly Pick<EdgeContribution, 'model'>[]): Record<string, string> {
  const model = contributions.find(isOfModel)?.model;
  return model === undefined ? {} : { [EXTRACTED_BY]: model.name };
}

function mergeEdge(
  type: EdgeType,
  statements: readonly From<EdgeContribution>[],
  counts: CountsByRule,
): DerivedEdge {
  // One document may say the same by two links that lead to the same place, in any order.
  const ordered = statements.toSorted(
    (a, b) => compareTexts(a.path, b.path) || (a.lines[0] ?? 0) - (b.lines[0] ?? 0),
  );
  const evidence = [...groupBy(ordered, ({ path }) => path)].flatMap(([path, group]) => {
    const lines = new Set(group.flatMap((statement) => statement.lines));
    return [...lines].sort((a, b) => a - b).map((line) => `${path}:${line}`);
  });
  return {
    type,
    description: strongest(ordered.filter(({ description }) => description))?.description ?? '',
    properties: statements.every(isOfModel) ? foundBy(statements) : {},
    weight: Math.min(MAX_WEIGHT, evidence.length),
    confidence: Math.max(...statements.map((statement) => learntConfidenceOf(statement, counts))),
    evidence,
  };
}

/** Of the rules that have read it in one document, the one with the highest confidence by now counts. */
function learntConfidenceOf({ confidence, rule, also = {} }: EdgeContribution, counts: CountsByRule): number {
  const first = learntConfidence(confidence, rule === undefined ? undefined : counts[rule]);
  const further = Object.entries(also).map(([other, sure]) => learntConfidence(sure, counts[other]));
  return Math.max(first, ...further);
}

/**
 * The type with most votes among the documents that declare the node. Types of a schema map come first, and those that a model gave count if no rule
 * of the map gives one.
 */
function winningType(contributions: readonly NodeContribution[]): NodeType {
  const ruled = mostVoted(contributions.map(({ votes }) => votes));
  if (ruled !== undefined && isNodeTypeOfMap(ruled)) return ruled;
  return mostVoted(contributions.map(({ modelVotes = {} }) => modelVotes)) ?? ruled ?? NODE_TYPES[0];
}

/** In a tie the earlier type wins. */
function mostVoted(votes: readonly NodeContribution['votes'][]): NodeType | undefined {
  const totals = new Map<NodeType, number>();
  for (const [type, count] of votes.flatMap((ofDocument) => Object.entries(ofDocument))) {
    if (isNodeType(type)) totals.set(type, (totals.get(type) ?? 0) + (count ?? 0));
  }
  const [winner] = [...totals].sort(
    ([one, a], [other, b]) =>
      Number(isNodeTypeOfMap(other)) - Number(isNodeTypeOfMap(one)) || b - a || compareNodeTypes(one, other),
  );
  return winner?.[0];
}

/**
 * The form of the label to show. A form that begins with a capital is preferred to one that does not, then a singular to its plural, then the one
 * with most votes, then the first in code unit order.
 */
function bestLabel(contributions: readonly NodeContribution[]): string {
  const votes = new Map<string, number>();
  for (const { labels } of contributions) {
    for (const [label, count] of Object.entries(labels)) votes.set(label, (votes.get(label) ?? 0) + count);
  }
  for (const acronym of rareAcronyms(votes)) votes.delete(acronym);
  const forms = [...votes].map(([label, count]) => ({
    label,
    cased: isCased(label),
    length: letters(label),
    count,
  }));
  forms.sort(
    (a, b) =>
      Number(b.cased) - Number(a.cased) ||
      a.length - b.length ||
      b.count - a.count ||
      compareTexts(a.label, b.label),
  );
  return forms[0]?.label ?? '';
}

/**
 * Names in capitals that share their key with a longer form by chance and are used less: `TL` of "TL;DR" besides TLS, `AD` of "AD id" besides "Ads".
 * They are not singulars of it: the plurals would be `TLs` and `ADs`, or `ids` in small letters.
 */
function rareAcronyms(votes: ReadonlyMap<string, number>): string[] {
  return [...votes].flatMap(([label, count]) => {
    if (!/^[\p{Lu}\d]+$/u.test(label)) return [];
    const others = [...votes].filter(
      ([form]) => letters(form) > label.length && /^\p{Lu}/u.test(form) && !form.startsWith(`${label}s`),
    );
    return sum(others.map(([, votesOfForm]) => votesOfForm)) > count ? [label] : [];
  });
}

function isCased(label: string): boolean {
  return /^\P{L}*\p{Lu}/u.test(label) && !/^[\p{Lu}\P{L}]{4,}$/u.test(label);
}

/** The number of letters and digits. The forms of one key differ in it only by articles and plural endings. */
function letters(label: string): number {
  return label.replace(/[^\p{L}\p{N}]/gu, '').length;
}

function strongest<Contribution extends { readonly confidence: number }>(
  contributions: readonly Contribution[],
): Contribution | undefined {
  return contributions.reduce<Contribution | undefined>(
    (best, next) => (best === undefined || next.confidence > best.confidence ? next : best),
    undefined,
  );
}

function weightOf(contributions: readonly { readonly lines: readonly number[] }[]): number {
  return Math.min(MAX_WEIGHT, sum(contributions.map(({ lines }) => lines.length)));
}
