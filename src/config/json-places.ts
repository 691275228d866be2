import { placeInText } from '../text/place-in-text.ts';

const TOKEN = /"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs;
/** Deeper than any key of a config. */
const MAX_DEPTH = 8;

interface Frame {
  /** The key of the next value: an index in a list; undefined before the key of an object. */
  key: string | number | undefined;
}

interface Place {
  /** Keys and indexes. */
  readonly path: readonly (string | number)[];
  readonly offset: number;
  readonly isKey: boolean;
}

/**
 * Where a key, or an item of a list, begins in a JSON text.
 * @param path keys and indexes; if not all of it exists, the longest part that does counts
 * @returns a line and a column, from 1
 */
export function placeInJson(text: string, path: readonly PropertyKey[]): { line: number; column: number } {
  const places = placesOf(text);
  let length = path.length;
  while (length > 0 && !places.has(nameOf(path.slice(0, length)))) length -= 1;
  return placeInText(text, places.get(nameOf(path.slice(0, length))) ?? 0);
}

/**
 * The first key that occurs twice in one object; undefined if none does. `JSON.parse` takes the last one and says nothing.
 * @returns `at` is the offset of the second one; lines are from 1
 */
export function keyTwice(
  text: string,
): { readonly path: Place['path']; readonly at: number; readonly firstLine: number } | undefined {
  const keys = new Map<string, number>();
  for (const { path, offset, isKey } of eachPlace(text)) {
    if (!isKey) continue;
    const name = nameOf(path);
    const first = keys.get(name);
    if (first !== undefined) return { path, at: offset, firstLine: placeInText(text, first).line };
    keys.set(name, offset);
  }
  return undefined;
}

function placesOf(text: string): Map<string, number> {
  const places = new Map<string, number>();
  for (const { path, offset } of eachPlace(text)) {
    const name = nameOf(path);
    if (!places.has(name)) places.set(name, offset);
  }
  return places;
}

/** All keys and values in the order of the text. */
function* eachPlace(text: string): Generator<Place> {
  const stack: Frame[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const frame = stack.at(-1);
    if (token === '}' || token === ']') stack.pop();
    else if (token === ',') next(frame);
    else if (token !== ':') {
      const isKey = frame !== undefined && frame.key === undefined;
      if (isKey) frame.key = String(JSON.parse(token));
      if (stack.length <= MAX_DEPTH) yield { path: stack.map(({ key }) => key ?? ''), offset: index, isKey };
      if (token === '{') stack.push({ key: undefined });
      if (token === '[') stack.push({ key: 0 });
    }
  }
}

function next(frame: Frame | undefined): void {
  if (frame !== undefined) frame.key = typeof frame.key === 'number' ? frame.key + 1 : undefined;
}

function nameOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}
