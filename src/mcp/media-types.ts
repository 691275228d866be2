import type { VfsPath } from '../core/paths.ts';

const BY_ENDING: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['mdx', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['json', 'application/json'],
  ['jsonl', 'application/jsonl'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
  ['html', 'text/html'],
  ['csv', 'text/csv'],
  ['svg', 'image/svg+xml'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['pdf', 'application/pdf'],
]);

/** Generated files without an ending, by their paths. */
const BY_PLACE: readonly (readonly [beginning: string, type: string])[] = [
  ['/graph/nodes/', 'application/json'],
  ['/graph/path/', 'application/json'],
  ['/graph/markdown/', 'text/markdown'],
  ['/context/for/', 'text/markdown'],
];

/** The media type of a file, by its name; text if nothing else is known. */
export function mediaTypeOf(path: VfsPath, isText = true): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const place = BY_PLACE.find(([beginning]) => path.startsWith(beginning));
  if (place !== undefined) return place[1];
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  return BY_ENDING.get(ending) ?? (isText ? 'text/plain' : 'application/octet-stream');
}
