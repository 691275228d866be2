/**
 * Names that docs introduce beside others: `Write-Ahead Log (WAL)`. Only one of the two may be a node, and then the other one finds it, in any
 * document's words. What two documents introduce differently stands for nothing.
 */
import { type NodeKey, SHORT_FOR, SHORT_FORM } from '../core/graph-model.ts';
import { conceptKey } from '../core/identity.ts';
import { decodeName } from '../core/names.ts';
import type { StoredNode } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import type { NodeContribution } from './contribution.ts';

type Properties = Readonly<Record<string, string>>;

/** The short form of a node's name, or what the name is a short form of, as a property, if all documents that introduce one agree. */
export function otherNames(
  label: string,
  contributions: readonly Pick<NodeContribution, 'properties'>[],
): Properties {
  const property = propertyOf(label);
  const names = contributions.flatMap(({ properties }) => properties?.[property] ?? []);
  const [name] = names;
  return name !== undefined && new Set(names.map(conceptKey)).size === 1 ? { [property]: name } : {};
}

/** The node that the docs also call this. @param name as it is written or listed; a short form in capitals, with or without the s of a plural */
export function findByOtherName(store: Store, name: string): StoredNode | undefined {
  const [key] = keyOfOtherName(store, decodeName(name).trim());
  return key === undefined ? undefined : store.nodes.byKey(key);
}

/** The property that a name has if it has another one. Short forms have capitals: `Ads` and `it` are other words than AD and IT. */
function propertyOf(name: string): string {
  return /^\p{Lu}[\p{Lu}\d]{1,5}s?$/u.test(name) ? SHORT_FOR : SHORT_FORM;
}

/** The key of what the docs also call this, or no key. */
export function keyOfOtherName({ keys, contributions }: Store, name: string): readonly NodeKey[] {
  const property = propertyOf(name);
  // One word has no initials, and many documents mention it.
  if (property === SHORT_FORM && !/\p{L}[\s_-]\p{L}/u.test(name)) return [];
  const keyId = keys.find(conceptKey(name));
  if (keyId === undefined) return [];
  const introducing = contributions.mentionsOfKey(keyId).flatMap(({ body }): NodeContribution[] => {
    return body.includes(`"${property}"`) ? [JSON.parse(body)] : [];
  });
  const other = otherNames(name, introducing)[property];
  return other === undefined ? [] : [conceptKey(other)];
}
