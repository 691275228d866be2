import { distance } from 'fastest-levenshtein';
import { compareNodeTypes, type NodeKey, type NodeType } from '../core/graph-model.ts';
import {
  conceptKey,
  documentKey,
  endpointKey,
  eventKey,
  foldConcept,
  HTTP_METHODS,
  linkKey,
  pageKey,
  wikiKey,
} from '../core/identity.ts';
import { decodeName } from '../core/names.ts';
import type { StoredNode } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';

const ENDPOINT = new RegExp(`^(${HTTP_METHODS.join('|')})\\s+(/\\S*)$`, 'i');

/** Nodes by their names. */
export interface NodesByName<Node> {
  byName(name: string): Node | undefined;
  byKey(key: NodeKey): Node | undefined;
  byFoldedName(folded: string): Node[];
}

/**
 * The node that a person means by a name: the listed name comes first, then the node with that identity (a concept in any case and number, an
 * endpoint with other names for its parameters, a document by its path), then one whose name differs only in case and punctuation.
 */
export function findNode<Node extends { readonly type: NodeType }>(
  nodes: NodesByName<Node>,
  name: string,
): Node | undefined {
  const exact = nodes.byName(name);
  if (exact !== undefined) return exact;
  const text = decodeName(name).trim();
  if (text === '') return undefined;
  const endpoint = ENDPOINT.exec(text);
  const keys = [conceptKey(text), eventKey(text), documentKey(text)];
  if (endpoint) keys.push(endpointKey(endpoint[1] ?? '', endpoint[2] ?? ''));
  for (const key of keys) {
    const node = nodes.byKey(key);
    if (node !== undefined) return node;
  }
  const folded = foldConcept(text);
  return folded === '' ? undefined : nodes.byFoldedName(folded).toSorted(byType)[0];
}

/** A path of the docs as search, contexts and evidence name it: in the tree or below the docs root, possibly with lines. */
const PLACE = /^(?:\/?docs\/)?(.+?)(?::\d+(?:-\d+)?)?$/s;

/**
 * The document that a name means: one at the place that is named, else by a name that links and front matter may use, which is an id, a path without
 * its ending, or the name of its file.
 */
export function findDocument({ keys, contributions, nodes }: Store, name: string): StoredNode | undefined {
  const text = decodeName(name).trim();
  // A path is written as it is, while a listed name has signs in place of some characters.
  for (const place of [name.trim(), text]) {
    const node = nodes.byKey(documentKey(PLACE.exec(place)?.[1] ?? place));
    if (node !== undefined) return node;
  }
  // The empty path is that of the docs root's own page, which a link may mean, but not a name.
  if (text === '') return undefined;
  const byName = foldConcept(text) === '' ? [] : [pageKey(text)];
  for (const key of [...byName, linkKey(text), wikiKey(text)]) {
    const aliasId = keys.find(key);
    const path = aliasId === undefined ? undefined : contributions.documentOfAlias(aliasId);
    if (path !== undefined) return nodes.byKey(documentKey(path));
  }
  return undefined;
}

function byType(a: { readonly type: NodeType }, b: { readonly type: NodeType }): number {
  return compareNodeTypes(a.type, b.type);
}

export interface NameMatch {
  readonly name: string;
  readonly type: StoredNode['type'];
  /** 1 for the same name, falling to 0. */
  readonly score: number;
}

/** A name with a lower score is not similar any more. */
const MIN_SCORE = 0.5;

/** Listed names that are similar to this one, best first: mistyped, shortened, or with the words in another order. */
export function similarNames(store: Store, text: string, limit: number): NameMatch[] {
  const wanted = foldConcept(text);
  if (wanted === '') return [];
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return store.nodes
    .names()
    .map(({ name, type }) => ({ name, type, score: likeness(wanted, words, decodeName(name)) }))
    .filter(({ score }) => score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}

function likeness(wanted: string, words: readonly string[], label: string): number {
  const folded = foldConcept(label);
  if (folded === wanted) return 1;
  if (folded.startsWith(wanted) || wanted.startsWith(folded)) return 0.75 + 0.2 * lengthRatio(folded, wanted);
  const lower = label.toLowerCase();
  if (words.every((word) => lower.includes(word))) return 0.7 + 0.2 * lengthRatio(folded, wanted);
  if (lengthRatio(folded, wanted) < MIN_SCORE) return 0;
  return 1 - distance(folded, wanted) / Math.max(folded.length, wanted.length);
}

function lengthRatio(a: string, b: string): number {
  return Math.min(a.length, b.length) / Math.max(a.length, b.length, 1);
}
