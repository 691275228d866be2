import { z } from 'zod';

const textsSchema = z.array(z.string());
const MAX_DEPTH = 6;

/** Places of the docs and the tree that an answer of a tool names: evidence, sources, and where hits are. */
export function placesIn(value: unknown, depth = 0): string[] {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => placesIn(item, depth + 1));
  return Object.entries(value).flatMap(([name, field]) => {
    if (name === 'call' || name === 'more') return [];
    if (name === 'evidence' || name === 'sources') return textsSchema.safeParse(field).data ?? [];
    if (name === 'path' && typeof field === 'string') return [withoutRoot(field)];
    return placesIn(field, depth + 1);
  });
}

/** Documents are named as evidence names them. */
function withoutRoot(path: string): string {
  return path.replace(/^\/docs\//, '');
}
