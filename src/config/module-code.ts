import { hash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { extname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** More files than a module has that somebody has read before trusting it. */
const MAX_FILES = 1000;
const MAX_LITERAL = 4096;
const CODE = new Set(['.js', '.mjs', '.cjs', '.node', '.wasm']);
/** The endings that require() tries after a name without one. */
const TRIED = ['', '.js', '.json', '.node', '/index.js'];
const IMPORTING = /\b(?:from|import|require)\s*(?:\(\s*)?$/;
const PACKAGES = `${sep}node_modules${sep}`;

/**
 * The code that a module's file runs: itself, the files that it imports by path, and so on. Any quoted text that is the path of code counts as an
 * import, whether in a statement, in `import()`, or elsewhere: one file too many does no harm. Packages, which have names and no paths, do not count.
 * @param file absolute
 * @returns SHA-256 by absolute path, empty for a file that does not exist; undefined if there are more than a thousand files
 */
export function codeHashes(file: string): Readonly<Record<string, string>> | undefined {
  const hashes = new Map<string, string>();
  let files = 0;
  const left = [file];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (hashes.has(next)) continue;
    const read = readCode(next);
    hashes.set(next, read === undefined ? '' : hash('sha256', read.bytes, 'hex'));
    if (read === undefined) continue;
    files += 1;
    if (files > MAX_FILES) return undefined;
    left.push(...importsOf(read.bytes.toString('utf8'), read.path));
  }
  return Object.fromEntries(hashes);
}

/** Which code of a module is not what was trusted, and what to do; undefined if all of it is. @param trusted by absolute path, as {@link codeHashes} */
export function whyUntrusted(file: string, trusted: Readonly<Record<string, string>>): string | undefined {
  const now = codeHashes(file) ?? { [file]: 'too much' };
  const other = Object.keys(now).find((path) => now[path] !== trusted[path]);
  if (other === undefined) return undefined;
  const what = other === file ? '' : `, which ${file} imports`;
  return `${other}${what}: it was edited since it was trusted. If the change is right: kgraphfs trust`;
}

/** Node resolves imports from the real path of a file. */
function readCode(file: string): { readonly bytes: Buffer; readonly path: string } | undefined {
  try {
    return { bytes: readFileSync(file), path: realpathSync(file) };
  } catch {
    // Node will load the file and say what is wrong with it.
    return undefined;
  }
}

/** @param path of the file with this text */
function importsOf(text: string, path: string): Set<string> {
  const found = new Set<string>();
  for (const { literal, before } of pathsIn(text)) {
    const file = fileAt(literal, path);
    if (file === undefined || file.includes(PACKAGES)) continue;
    const isImported = IMPORTING.test(before);
    const ending = extname(file);
    // Any other file that is named is data, unless it is imported.
    if (CODE.has(ending) || (isImported && ending !== '')) found.add(file);
    else if (ending === '' && (isImported || literal.startsWith('.')))
      for (const tried of TRIED) found.add(file + tried);
  }
  return found;
}

/**
 * Quoted texts that may be paths, with what is before them. Comments and regular expressions contain quotation marks, too, so each mark is tried as
 * the beginning of a text.
 */
function* pathsIn(text: string): Generator<{ readonly literal: string; readonly before: string }> {
  for (const { index } of text.matchAll(/["'`](?=[./f\\])/g)) {
    const raw = /^(["'`])((?:\\[\s\S]|(?!\1)[^\\\n])*)\1/.exec(text.slice(index, index + MAX_LITERAL))?.[2];
    const literal = raw === undefined ? '' : unescaped(raw);
    if (/^(?:\.{0,2}\/|file:)/.test(literal))
      yield { literal, before: text.slice(Math.max(0, index - 40), index) };
  }
}

/** Undoes the escapes of ECMAScript, with which a path may be written. */
function unescaped(raw: string): string {
  return raw.replace(
    /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|\r?\n|([\s\S]))/gi,
    (_all, braced?: string, four?: string, two?: string, one?: string) => {
      const code = braced ?? four ?? two;
      return code === undefined
        ? (one ?? '')
        : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
    },
  );
}

/** The file that a path leads to, resolved as a URL. */
function fileAt(path: string, from: string): string | undefined {
  try {
    const url = new URL(path, pathToFileURL(from));
    url.search = '';
    url.hash = '';
    return fileURLToPath(url);
  } catch {
    // It is not a path. It may be the name of a package that looks like one.
    return undefined;
  }
}
