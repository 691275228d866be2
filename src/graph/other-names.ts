/**
 * Names that docs introduce beside others: `Write-Ahead Log (WAL)`. Only one of the two may be a node, and then the other one finds it, in any
 * document's words. What two documents introduce differently stands for nothing.
 */
import { SHORT_FOR, SHORT_FORM } from '../core/graph-model.ts';
import { conceptKey } from '../core/identity.ts';
import { decodeName } from '../core/names.ts';
import type { StoredNode } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import { initialsOf } from '../text/initials.ts';
import type { NodeContribution } from './contribution.ts';

type Properties = Readonly<Record<string, string>>;

/** The short form of a node's name, or what the name is a short form of, as a property, if all documents that introduce one agree. */
export function otherNames(
  label: string,
  contributions: readonly Pick<NodeContribution, 'properties'>[],
): Properties {
  const property = propertyOf(label);
  const all = contributions.flatMap(({ properties }) => properties?.[property] ?? []);
  // JWK and JWKS have one key, as a word and its plural have.
  const names = property === SHORT_FORM ? all : all.filter((one) => initialsOf(one) === shortOf(label));
  const [name] = names;
  return name !== undefined && new Set(names.map(conceptKey)).size === 1 ? { [property]: name } : {};
}

/**
 * The node that the docs also call this; undefined if two nodes are called so. Whatever would make it another node changes that node, too, so the answer is
 * right as long as the graph has the same revision.
 * @param name as it is written or listed; a short form in capitals, with or without the s of a plural
 */
export function findByOtherName(store: Store, name: string): StoredNode | undefined {
  const text = decodeName(name).trim();
  return propertyOf(text) === SHORT_FOR ? findByShortForm(store, text) : findByLongForm(store, text);
}

function findByShortForm({ keys, contributions, nodes }: Store, text: string): StoredNode | undefined {
  const keyId = keys.find(conceptKey(text));
  if (keyId === undefined) return undefined;
  const longForms = contributions.mentionsWith(keyId, `"${SHORT_FOR}"`).flatMap((body) => {
    const { properties }: NodeContribution = JSON.parse(body);
    return properties?.[SHORT_FOR] ?? [];
  });
  const called = [...new Set(longForms.map(conceptKey))]
    .flatMap((key) => nodes.byKey(key) ?? [])
    .filter(({ properties }) => properties[SHORT_FORM] === shortOf(text));
  return called.length === 1 ? called[0] : undefined;
}

function findByLongForm({ keys, nodes }: Store, text: string): StoredNode | undefined {
  // One word has no initials.
  if (!/\p{L}[\s_-]\p{L}/u.test(text)) return undefined;
  const key = conceptKey(initialsOf(text));
  const node = keys.find(key) === undefined ? undefined : nodes.byKey(key);
  const { [SHORT_FOR]: long = '' } = node?.properties ?? {};
  return conceptKey(long) === conceptKey(text) ? node : undefined;
}

/** The property that a name has if it has another one. Short forms have capitals: `Ads` and `it` are other words than AD and IT. */
function propertyOf(name: string): string {
  return /^\p{Lu}[\p{Lu}\d]{1,5}s?$/u.test(name) ? SHORT_FOR : SHORT_FORM;
}

/** A short form without the s of a plural. */
function shortOf(name: string): string {
  return name.replace(/s$/, '');
}
