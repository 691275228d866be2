import { folderOf, isWithin, type SubPath } from '../core/paths.ts';

/** All of it, as the {@link SubPath} of the docs or of a root. */
export const ROOT = '' as SubPath;

/** The paths without those that lie below another one. */
export function outermost(paths: readonly string[] = ['']): string[] {
  const places: string[] = [];
  for (const path of paths.toSorted()) {
    if (!places.some((place) => isWithin(path, place))) places.push(path);
  }
  return places;
}

/** Whether a path is one of these places, or lies below one. There may be as many places as there are files. */
export function isInOne(path: string, places: ReadonlySet<string>): boolean {
  if (places.size === 0) return false;
  for (let place = path; place !== ROOT; place = folderOf(place)) if (places.has(place)) return true;
  return places.has(ROOT);
}

/** @param name the name of one entry, as the kernel gives it, so that the result is a valid path */
export function childOf(folder: SubPath, name: string): SubPath {
  return (folder === '' ? name : `${folder}/${name}`) as SubPath;
}
