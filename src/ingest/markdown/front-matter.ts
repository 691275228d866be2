/**
 * YAML front matter: the block between `---` lines at the very start of a file. Hugo's `+++` block (TOML) is removed, too, and its plain `key = "value"` lines
 * are read, so that its title is not lost.
 */

import { createRequire } from 'node:module';
import { reasonOf } from '../../core/errors.ts';
import type { Problem } from '../../core/graph-model.ts';
import { isTooDeepYaml, TOO_DEEP_YAML } from '../../core/yaml-depth.ts';
import { newlinesIn } from '../../words/pieces.ts';

export interface FrontMatter {
  /** The top-level keys; empty if there is no front matter or it cannot be read. */
  readonly data: ReadonlyMap<string, unknown>;
  /** The index of the first character after the block. */
  readonly bodyStart: number;
  /** How many lines come before the body. */
  readonly lineCount: number;
  /** The line of each top-level key, from 1. */
  readonly keyLines: ReadonlyMap<string, number>;
  /** The lines of the block, including the one that opens it. */
  readonly lines: readonly string[];
  readonly problems: readonly FrontMatterProblem[];
}

export interface FrontMatterProblem extends Problem {
  readonly column: number;
}

const require = createRequire(import.meta.url);
let loaded: typeof import('yaml') | undefined;

/** Loads the parser with the first front matter: that takes longer than loading everything else that reads documents, and a commit waits for it. */
function yaml(): typeof import('yaml') {
  const module: typeof import('yaml') = loaded ?? require('yaml');
  loaded = module;
  return module;
}

const OPENING = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n/;
/** Longer front matter is taken for a document that begins with a rule. */
const MAX_LENGTH = 100_000;

const NONE: FrontMatter = {
  data: new Map(),
  bodyStart: 0,
  lineCount: 0,
  keyLines: new Map(),
  lines: [],
  problems: [],
};

/** Never throws: front matter that cannot be read is a problem, and the body below it is read all the same. */
export function readFrontMatter(text: string): FrontMatter {
  const opening = OPENING.exec(text);
  const fence = opening?.[1];
  if (opening === null || fence === undefined) return NONE;
  const closing = findClosing(text, opening[0].length, fence);
  if (closing === undefined) return NONE;
  const source = text.slice(opening[0].length, closing.start);
  const read = fence === '---' ? readYaml(source) : { data: readToml(source), problems: [] };
  const lines = text.slice(0, closing.end).split('\n');
  return {
    ...read,
    bodyStart: closing.end,
    lineCount: newlinesIn(text.slice(0, closing.end)),
    keyLines: linesOfKeys(source, read.data),
    lines,
  };
}

function findClosing(text: string, from: number, fence: string): { start: number; end: number } | undefined {
  const pattern = fence === '---' ? /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/my : /^\+\+\+[ \t]*(?:\r?\n|$)/my;
  for (let at = from; at <= text.length && at - from <= MAX_LENGTH; ) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return { start: at, end: at + match[0].length };
    const newline = text.indexOf('\n', at);
    if (newline === -1) return undefined;
    at = newline + 1;
  }
  return undefined;
}

function readYaml(source: string): { data: ReadonlyMap<string, unknown>; problems: FrontMatterProblem[] } {
  const plain = readPlainYaml(source);
  if (plain !== undefined) return { data: plain, problems: [] };
  if (isTooDeepYaml(source, yaml())) {
    return { data: readTopLevelStrings(source), problems: [brokenAt(1, 1, TOO_DEEP_YAML)] };
  }
  try {
    const value: unknown = parseYaml(source);
    if (value === null || value === undefined) return { data: new Map(), problems: [] };
    if (typeof value !== 'object' || Array.isArray(value)) {
      return { data: new Map(), problems: [brokenAt(1, 1, 'it is not a mapping of keys to values')] };
    }
    return withoutCircles(new Map(Object.entries(value)), source);
  } catch (error) {
    return { data: readTopLevelStrings(source), problems: [brokenBy(error, source)] };
  }
}

/** Also accepts a list in brackets, or a text in quotes, whose further lines are not indented, as site generators do and YAML does not. */
function parseYaml(source: string): unknown {
  const options = { logLevel: 'error', maxAliasCount: 50, uniqueKeys: false, prettyErrors: false } as const;
  try {
    return yaml().parse(source, options);
  } catch (error) {
    const indented = withIndentedValues(source);
    if (indented === source) throw error;
    try {
      return yaml().parse(indented, options);
    } catch {
      // The error must be about the text of the document.
      throw error;
    }
  }
}

const OPENING_VALUE = /^[\w-]+:[ \t]*(?:[[{][^\]}]*|"[^"]*|'[^']*)$/;

/** Indents the lines after one such as `key: [` or `key: "text`, up to the closing bracket or quote. */
function withIndentedValues(source: string): string {
  let closing: RegExp | undefined;
  const lines = source.split('\n').map((line) => {
    const shown = closing ? line.replace(/^[ \t]*(?=\S)/, '  ') : line;
    if (closing?.test(line)) closing = undefined;
    else closing ??= closingOf(line);
    return shown;
  });
  return closing ? source : lines.join('\n');
}

/** What ends the value that this line begins and does not end. */
function closingOf(line: string): RegExp | undefined {
  if (!OPENING_VALUE.test(line)) return undefined;
  const opening = /:[ \t]*(.)/.exec(line)?.[1];
  if (opening === '"') return /"/;
  return opening === "'" ? /'/ : /[\]}]/;
}

/** Removes values that contain themselves, which have no end. */
function withoutCircles(
  data: Map<string, unknown>,
  source: string,
): { data: ReadonlyMap<string, unknown>; problems: FrontMatterProblem[] } {
  const circles = [...data].filter(([, value]) => holdsItself(value)).map(([key]) => key);
  if (circles.length === 0) return { data, problems: [] };
  const lines = linesOfKeys(source, data);
  const problems = circles.map((key) =>
    brokenAt(lines.get(key) ?? 1, 1, `"${key}" holds itself by an alias`),
  );
  for (const key of circles) data.delete(key);
  return { data, problems };
}

function holdsItself(value: unknown, within: ReadonlySet<unknown> = new Set()): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (within.has(value)) return true;
  const further = new Set(within).add(value);
  return Object.values(value).some((item) => holdsItself(item, further));
}

const PLAIN_LINE =
  /^([A-Za-z_][\w-]*):(?: +([A-Za-z/][^:#\r]*|(?:"[^"\\\r]*"|[1-9]\d{0,14})[ \t]*)|[ \t]*)\r?$/;
const PLAIN_ITEM = /^ *- +([A-Za-z/](?:[^:#\r]*[^:#\r \t])?)[ \t]*\r?$/;
/** Plain scalars that some version of YAML reads as something other than text. */
const KEYWORD = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const SWITCHES = new Map<string, boolean>([
  ['true', true],
  ['false', false],
]);

/**
 * Most front matter consists of keys with plain text, a number or a switch, and of lists of text. Reading that line by line gives the same result as the YAML
 * parser, in a tenth of the time.
 * @returns undefined if the source contains anything else
 */
function readPlainYaml(source: string): Map<string, unknown> | undefined {
  const data = new Map<string, unknown>();
  let list: string[] | undefined;
  let emptyKey: string | undefined;
  for (const line of source.split('\n')) {
    if (line.trim() === '') continue;
    const item = PLAIN_ITEM.exec(line)?.[1];
    if (item !== undefined && emptyKey !== undefined && !KEYWORD.test(item)) {
      list ??= [];
      list.push(item);
      data.set(emptyKey, list);
      continue;
    }
    const [, key, value] = PLAIN_LINE.exec(line) ?? [];
    if (key === undefined || data.has(key)) return undefined;
    const scalar = value === undefined ? null : readPlainScalar(value.trimEnd());
    if (scalar === undefined) return undefined;
    data.set(key, scalar);
    list = undefined;
    emptyKey = value === undefined ? key : undefined;
  }
  return data;
}

function readPlainScalar(value: string): unknown {
  if (KEYWORD.test(value)) return SWITCHES.get(value);
  return /^\d/.test(value) ? Number(value) : unquote(value);
}

/** @param error the error of YAML, whose lines count from the one after the fence */
function brokenBy(error: unknown, source: string): FrontMatterProblem {
  const place = error instanceof yaml().YAMLParseError ? placeAt(source, error.pos[0]) : undefined;
  const reported = place?.line ?? 1;
  const reason = inPlainWords(firstLine(reasonOf(error)).replace(/ at line \d+, column \d+:?$/, ''));
  const opened = openedAt(source.split(/\r?\n/), reported);
  const isThere = opened === undefined || opened === reported;
  return brokenAt((opened ?? reported) + 1, isThere ? (place?.col ?? 1) : 1, reason);
}

/** What the parser says of the commonest mistakes names its own notions. */
function inPlainWords(reason: string): string {
  const quote = /^Missing closing (["'])quote$/.exec(reason)?.[1];
  if (quote !== undefined) return `the ${quote} before this value is never closed`;
  return reason === 'Unexpected scalar at node end'
    ? 'the value ends at a quote or bracket, and more text follows; put all of it in quotes, and double or escape those within'
    : reason;
}

/** The place of the first error alone: YAML would show lines of the source with each of the thousands of errors that it may find. */
function placeAt(source: string, offset: number): { readonly line: number; readonly col: number } {
  const before = source.slice(0, offset);
  return { line: newlinesIn(before) + 1, col: offset - before.lastIndexOf('\n') };
}

/** The last line, up to the reported one, with a quote or bracket that is never closed, which YAML notices only further down. Counted from 1. */
function openedAt(lines: readonly string[], reported: number): number | undefined {
  for (let line = reported; line > 0; line -= 1) {
    const value = /^[\w-]+:\s+(["'[{].*)$/.exec(lines[line - 1] ?? '')?.[1];
    if (value !== undefined) return isLeftOpen(value.trimEnd()) ? line : undefined;
  }
  return undefined;
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', "'": "'", '[': ']', '{': '}' };

function isLeftOpen(value: string): boolean {
  const closing = CLOSING[value.charAt(0)] ?? '';
  return value.length < 2 || !value.slice(1).includes(closing);
}

function brokenAt(line: number, column: number, reason: string): FrontMatterProblem {
  const message = `front matter: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  return { line, column, code: 'front-matter', message };
}

/** The `key: plain value` lines of front matter that YAML rejects, for example because of a title with an unquoted colon. */
function readTopLevelStrings(source: string): Map<string, unknown> {
  const data = new Map<string, unknown>();
  for (const line of source.split('\n')) {
    const match = /^([\w-]+):[ \t]+(\S.*)$/.exec(line.trimEnd());
    if (match?.[1] && match[2]) data.set(match[1], unquote(match[2]));
  }
  return data;
}

function readToml(source: string): Map<string, unknown> {
  const data = new Map<string, unknown>();
  for (const line of source.split('\n')) {
    if (line.startsWith('[')) break;
    const match = /^([\w-]+)[ \t]*=[ \t]*(\S.*)$/.exec(line.trimEnd());
    if (match?.[1] && match[2]) data.set(match[1], unquote(match[2]));
  }
  return data;
}

function unquote(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}

/**
 * The lines of the keys that were read, and of what looks like a key if the block cannot be read as a whole. All keys may have the same indentation, and may
 * contain spaces.
 */
function linesOfKeys(source: string, data: ReadonlyMap<string, unknown>): Map<string, number> {
  const lines = new Map<string, number>();
  let indent: string | undefined;
  source.split('\n').forEach((line, index) => {
    const match = /^( *)(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'#:=][^:=]{0,200}))\s*[:=]/.exec(line);
    if (match === null) return;
    indent ??= match[1];
    const key = (match[2] ?? match[3] ?? match[4])?.trim();
    if (key === undefined || match[1] !== indent || lines.has(key)) return;
    if (data.has(key) || (indent === '' && /^[\w$-]+$/.test(key))) lines.set(key, index + 2);
  });
  return lines;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
