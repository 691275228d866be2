import {
  conceptKey,
  documentKey,
  endpointKey,
  eventKey,
  foldConcept,
  HTTP_METHODS,
  pageKey,
} from '../core/identity.ts';
import { findByOtherName } from '../graph/other-names.ts';
import type { Store } from '../store/store.ts';
import { STOP_WORDS } from '../words/stop-words.ts';

/** A node that a question names. */
export interface NamedNode {
  readonly id: number;
  readonly key: string;
  /** The name as listed in `graph/nodes`. */
  readonly name: string;
  readonly display: string;
}

/** Names are seldom longer. */
const MAX_WORDS = 5;
/** Of a text that is too long for a question, only this many words are looked at. */
const MAX_LOOKED_AT = 64;

const ENDPOINT = new RegExp(`\\b(${HTTP_METHODS.join('|')})\\s+(/\\S*)`, 'gi');
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_.-]*/gu;

/** Nodes whose names occur in a question, in order. Of names within names, only the longest counts. */
export function namedIn(question: string, store: Store): NamedNode[] {
  return named(question, store, (text) => keysOf(text, store));
}

/** The same without documents, whose titles contain the names of things: "Create a charge". */
export function thingsNamedIn(question: string, store: Store): NamedNode[] {
  return named(question, store, (text) => keysOfThing(text, store));
}

/** @param keysOf the keys that a text may stand for; those after the first one that is a node's are not asked for */
function named(question: string, store: Store, keysOf: (text: string) => Iterable<string>): NamedNode[] {
  const found = new Map<number, NamedNode>();
  const note = (key: string): boolean => {
    const node = store.keys.find(key) === undefined ? undefined : store.nodes.byKey(key);
    if (node !== undefined) found.set(node.id, { id: node.id, key, name: node.name, display: node.display });
    return node !== undefined;
  };
  const isName = (text: string): boolean => {
    for (const key of keysOf(text)) if (note(key)) return true;
    return false;
  };
  for (const [, method = '', path = ''] of question.matchAll(ENDPOINT)) note(endpointKey(method, path));
  const words = (question.match(WORD) ?? [])
    .slice(0, MAX_LOOKED_AT)
    .map((word) => word.replace(/[.-]+$/, ''));
  let start = 0;
  while (start < words.length) start += longestAt(words, start, isName);
  return [...found.values()];
}

/** How many words the longest name has that begins here; 1 if there is none, so that the next word is looked at. */
function longestAt(words: readonly string[], start: number, isName: (text: string) => boolean): number {
  for (let count = Math.min(MAX_WORDS, words.length - start); count > 0; count -= 1) {
    const span = words.slice(start, start + count);
    if (span.some((word) => !STOP_WORDS.has(word.toLowerCase())) && isName(span.join(' '))) return count;
  }
  return 1;
}

function* keysOf(text: string, store: Store): Generator<string> {
  if (foldConcept(text) === '') return;
  yield* ownKeys(text);
  const aliasId = store.keys.find(pageKey(text));
  const path = aliasId === undefined ? undefined : store.contributions.documentOfAlias(aliasId);
  if (path !== undefined) yield documentKey(path);
  yield* otherKeys(text, store);
}

function* keysOfThing(text: string, store: Store): Generator<string> {
  if (foldConcept(text) === '') return;
  yield* ownKeys(text);
  yield* otherKeys(text, store);
}

function ownKeys(text: string): string[] {
  return [conceptKey(text), eventKey(text)];
}

/** The key of the node that has this as its other name. */
function otherKeys(text: string, store: Store): string[] {
  const other = findByOtherName(store, text);
  return other === undefined ? [] : [other.key];
}
