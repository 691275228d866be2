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
export function findByOtherName({ keys, contributions, nodes }: Store, name: string): StoredNode | undefined {
  const text = decodeName(name).trim();
  const property = propertyOf(text);
  // One word has no initials, and many documents mention it.
  if (property === SHORT_FORM && !/\p{L}[\s_-]\p{L}/u.test(text)) return undefined;
  const keyId = keys.find(conceptKey(text));
  if (keyId === undefined) return undefined;
  const others = new Set(
    contributions.mentionsOfKey(keyId).flatMap(({ body }) => {
      if (!body.includes(`"${property}"`)) return [];
      const { properties }: NodeContribution = JSON.parse(body);
      const other = properties?.[property];
      return other === undefined ? [] : [conceptKey(other)];
    }),
  );
  const called = [...others].flatMap((key) => nodes.byKey(key) ?? []).filter((node) => isCalled(node, text));
  return called.length === 1 ? called[0] : undefined;
}

/** Whether a node has this other name, as {@link otherNames} gave it. */
function isCalled({ properties }: StoredNode, name: string): boolean {
  const { [SHORT_FORM]: short, [SHORT_FOR]: long = '' } = properties;
  return propertyOf(name) === SHORT_FOR ? short === shortOf(name) : conceptKey(long) === conceptKey(name);
}

/** The property that a name has if it has another one. Short forms have capitals: `Ads` and `it` are other words than AD and IT. */
function propertyOf(name: string): string {
  return /^\p{Lu}[\p{Lu}\d]{1,5}s?$/u.test(name) ? SHORT_FOR : SHORT_FORM;
}

/** A short form without the s of a plural. */
function shortOf(name: string): string {
  return name.replace(/s$/, '');
}
