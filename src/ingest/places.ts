import { isWithin, type SubPath } from '../core/paths.ts';

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

/** @param name of one entry, as the kernel gives it, so that this is a path */
export function childOf(folder: SubPath, name: string): SubPath {
  return (folder === '' ? name : `${folder}/${name}`) as SubPath;
}
