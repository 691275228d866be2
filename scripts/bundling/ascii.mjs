/** A file of pure ASCII is read several times as fast, and takes half the memory. */
import { readFileSync } from 'node:fs';

/** Escapes characters beyond ASCII, which esbuild leaves as they are in regular expressions. @returns the text of a module in ASCII */
export function inAscii(path, text) {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text)) throw new Error(`${path}: write it as \\u in String.raw`);
  return text.replace(/(\\?)([^\0-\x7f])/g, (_, backslash, unit) => {
    if (backslash !== '') throw new Error(`${path}: \\${unit} has no other spelling in ASCII`);
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export function requireAscii(file) {
  if (/[^\0-\x7f]/.test(readFileSync(file, 'latin1'))) throw new Error(`${file} is not in ASCII`);
}
