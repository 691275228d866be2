import { sum } from '../core/sum.ts';

/** Folders of the docs, by the first part of the address at which the site serves them. */
export type Mounts = ReadonlyMap<string, string>;

/** How many different addresses have to agree. */
const ENOUGH_TO_BE_A_MOUNT = 3;

/**
 * Finds out, for example, that `/docs/a/b` is `src/markdown/a/b.md`, from addresses that end like the path of exactly one document.
 * @param paths different addresses that are not found otherwise, without slashes at their ends
 * @param withRouteEnd documents whose path ends like a route
 */
export function findMounts(
  paths: readonly string[],
  withRouteEnd: (route: string) => readonly string[],
): Mounts {
  const votes = new Map<string, Map<string, number>>();
  for (const path of paths) {
    const slash = path.indexOf('/');
    const route = path.slice(slash + 1).replace(/\.html?$/i, '');
    const [document, ...others] = withRouteEnd(route);
    if (document === undefined || others.length > 0) continue;
    const folders = document.replace(/\/(?:_?index|readme)\.\w+$/i, '').split('/');
    const folder = folders.slice(0, Math.max(0, folders.length - route.split('/').length)).join('/');
    const ofFirst = votes.get(path.slice(0, slash)) ?? new Map<string, number>();
    ofFirst.set(folder, (ofFirst.get(folder) ?? 0) + 1);
    votes.set(path.slice(0, slash), ofFirst);
  }
  const mounts = new Map<string, string>();
  for (const [first, ofFirst] of votes) {
    const [best] = [...ofFirst].sort(([, a], [, b]) => b - a);
    const all = sum(ofFirst.values());
    if (best !== undefined && best[1] >= ENOUGH_TO_BE_A_MOUNT && best[1] * 2 > all)
      mounts.set(first, best[0]);
  }
  return mounts;
}

export function mountedCandidates(mounts: Mounts, path: string): string[] {
  const slash = path.indexOf('/');
  const folder = mounts.get(slash === -1 ? path : path.slice(0, slash));
  if (folder === undefined) return [];
  const rest = slash === -1 ? '' : path.slice(slash + 1);
  return [[folder, rest].filter((part) => part !== '').join('/')];
}
