import { entriesOf, generatedTree, notFolder, type Place } from '../core/generated-tree.ts';
import { partsOf } from '../core/paths.ts';
import type { DirEntry, Resolver } from '../core/resolver.ts';

/** A tree that never changes: texts, folders of them, and links. */
export type FixedTree = { readonly [name: string]: FixedTree | string | { readonly linkTo: string } };

/**
 * A resolver for texts, folders and links that never change.
 * @param where how refusals name it. Default: its name
 */
export function fixedResolver(name: string, tree: FixedTree, modifiedNs: bigint, where?: string): Resolver {
  return generatedTree(name, (path) => placeAt(tree, partsOf(path), modifiedNs, path), where);
}

function placeAt(
  tree: FixedTree,
  parts: readonly string[],
  modifiedNs: bigint,
  path: string,
): Place | undefined {
  const [first, ...rest] = parts;
  if (first === undefined) return { kind: 'directory', modifiedNs, list: () => listOf(tree) };
  const found = Object.hasOwn(tree, first) ? tree[first] : undefined;
  if (found === undefined) return undefined;
  if (typeof found === 'string') {
    return rest.length > 0
      ? notFolder(path)
      : { kind: 'file', modifiedNs, pageKey: path, render: () => found };
  }
  if (isLink(found))
    return rest.length > 0 ? notFolder(path) : { kind: 'link', modifiedNs, target: found.linkTo };
  return placeAt(found, rest, modifiedNs, path);
}

function listOf(tree: FixedTree): DirEntry[] {
  return entriesOf('file', Object.keys(tree)).map(({ name }) => {
    const found = tree[name];
    if (typeof found === 'string') return { name, kind: 'file' };
    return { name, kind: found !== undefined && isLink(found) ? 'link' : 'directory' };
  });
}

function isLink(found: FixedTree | { readonly linkTo: string }): found is { readonly linkTo: string } {
  return typeof found['linkTo'] === 'string';
}
