import { placeInText } from '../core/place-in-text.ts';

const TOKEN = /"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/gs;
/** Deeper than any key that we know. */
const MAX_DEPTH = 8;

interface Frame {
  /** Of what comes next: an index in a list; undefined before the key of an object. */
  key: string | number | undefined;
}

/**
 * Where a key, or an item of a list, begins in a text that is JSON.
 * @param path of keys and indexes; the longest part of it that is there counts
 * @returns a line and a column, from 1
 */
export function placeInJson(text: string, path: readonly PropertyKey[]): { line: number; column: number } {
  const places = placesOf(text);
  let length = path.length;
  while (length > 0 && !places.has(nameOf(path.slice(0, length)))) length -= 1;
  return placeInText(text, places.get(nameOf(path.slice(0, length))) ?? 0);
}

function placesOf(text: string): Map<string, number> {
  const places = new Map<string, number>();
  const stack: Frame[] = [];
  const note = (offset: number) => {
    const name = stack.length > MAX_DEPTH ? undefined : nameOf(stack.map(({ key }) => key ?? ''));
    if (name !== undefined && !places.has(name)) places.set(name, offset);
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const frame = stack.at(-1);
    if (token === '}' || token === ']') stack.pop();
    else if (token === ',') next(frame);
    else if (token !== ':') {
      if (frame !== undefined && frame.key === undefined) frame.key = String(JSON.parse(token));
      note(index);
      if (token === '{') stack.push({ key: undefined });
      if (token === '[') stack.push({ key: 0 });
    }
  }
  return places;
}

function next(frame: Frame | undefined): void {
  if (frame !== undefined) frame.key = typeof frame.key === 'number' ? frame.key + 1 : undefined;
}

function nameOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path.map(String));
}
