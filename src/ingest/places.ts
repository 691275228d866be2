/** Without those that lie below others. */
export function outermost(paths: readonly string[] = ['']): string[] {
  const places: string[] = [];
  for (const path of paths.toSorted()) {
    if (!places.some((place) => isWithin(path, place))) places.push(path);
  }
  return places;
}

export function isWithin(path: string, place: string): boolean {
  return place === '' || path === place || path.startsWith(`${place}/`);
}
