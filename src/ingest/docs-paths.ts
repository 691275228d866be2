import { folderOf, isWithin, type SubPath } from '../core/paths.ts';

/** All of it, as {@link SubPath} of the docs or of a root. */
export const ROOT = '' as SubPath;

/** Without those that lie below others. */
export function outermost(paths: readonly string[] = ['']): string[] {
  const places: string[] = [];
  for (const path of paths.toSorted()) {
    if (!places.some((place) => isWithin(path, place))) places.push(path);
  }
  return places;
}

/** Whether it is one of these places, or lies in one. There may be as many places as there are files. */
export function isInOne(path: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false;
  for (let place = path; place !== ROOT; place = folderOf(place)) if (places.has(place)) return true;
  return places.has(ROOT);
}

/** @param name of one entry, as the kernel gives it, so that this is a path */
export function childOf(folder: SubPath, name: string): SubPath {
  return (folder === '' ? name : `${folder}/${name}`) as SubPath;
}
