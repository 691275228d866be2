import { systemClock } from '../core/clock.ts';
import { isFsError } from '../core/errors.ts';
import { type MemoryLink, placeText } from '../core/memory-entry.ts';
import { FrontMatterError, readFrontMatter } from '../memory/front-matter.ts';
import type { Memory, NewMemory } from '../memory/memory.ts';
import { parsePlace, requireKey } from '../memory/places.ts';
import { isTemporaryKey } from '../memory/temporary-name.ts';
import { linesOf } from './lines.ts';
import { parseImportLine } from './parse-line.ts';

/** A file to import. */
export interface ImportSource {
  /** Open for reading at any position. */
  readonly descriptor: number;
  readonly maxEntryBytes: number;
}

export interface LineProblem {
  /** 1-based. */
  readonly line: number;
  readonly why: string;
}

/** What is known of a file once it has been read to its end. */
export interface ImportPlan {
  /** The line of each entry by its place; where several lines make one entry, the last one counts. */
  readonly entryLines: ReadonlyMap<string, number>;
  readonly relationLines: ReadonlySet<number>;
  /** Lines for the content of an entry, from relations that are none of ours; by the entry's place. */
  readonly statements: ReadonlyMap<string, readonly string[]>;
  /** Places of entries whose time to live has ended since they were written down: they are left out, and relations with them. */
  readonly ended: ReadonlySet<string>;
  /** How many lines a later one of the same entry replaces. */
  readonly repeated: number;
  readonly problems: readonly LineProblem[];
  /** Keys that mean nothing here, each with the first line that has it. */
  readonly unknownKeys: ReadonlyMap<string, number>;
}

/** What JSON makes of a byte at most: `\u0000`. */
const ESCAPED_BYTES = 6;
const METADATA_BYTES = 1 << 20;
/** Permission bits of an entry that no program made for itself. */
const ORDINARY_MODE = 0o644;

export function* importLinesOf({ descriptor, maxEntryBytes }: ImportSource) {
  for (const { number, text } of linesOf(descriptor, maxEntryBytes * ESCAPED_BYTES + METADATA_BYTES)) {
    yield { number, line: parseImportLine(text) };
  }
}

/** Reads a file without changing anything, and finds all that is wrong with it. */
export function checkImport(
  source: ImportSource,
  memory: Pick<Memory, 'get'>,
  nowMs = systemClock.nowMs(),
): ImportPlan {
  const entryLines = new Map<string, number>();
  const ended = new Set<string>();
  const relationLines = new Set<number>();
  const statements = new Map<string, string[]>();
  const unknownKeys = new Map<string, number>();
  const problems: LineProblem[] = [];
  const loose: { readonly link: MemoryLink; readonly number: number }[] = [];
  let repeated = 0;
  const missingEnd = ({ from, to }: MemoryLink) =>
    [from, to].find((place) => !entryLines.has(placeText(place)) && memory.get(place) === undefined);

  for (const { number, line } of importLinesOf(source)) {
    if (line.kind === 'problem') problems.push({ line: number, why: line.why });
    else if (line.kind === 'entry') {
      const why = wrongEntry(line.entry, source.maxEntryBytes);
      if (why !== undefined) {
        problems.push({ line: number, why });
        continue;
      }
      const place = placeText(line.entry);
      if (entryLines.has(place)) repeated += 1;
      if (hasEnded(line.entry, nowMs)) {
        entryLines.delete(place);
        ended.add(place);
        continue;
      }
      ended.delete(place);
      entryLines.set(place, number);
      for (const key of line.unknownKeys) if (!unknownKeys.has(key)) unknownKeys.set(key, number);
    } else if (line.statement === undefined && isToItself(line.link)) {
      problems.push({ line: number, why: `${placeText(line.link.from)} cannot be related to itself` });
    } else {
      relationLines.add(number);
      // The entry may come on a later line.
      if (missingEnd(line.link) !== undefined) loose.push({ link: line.link, number });
      if (line.statement !== undefined) addTo(statements, placeText(line.link.from), line.statement);
    }
  }
  for (const { link, number } of loose) {
    const place = missingEnd(link);
    if (place === undefined) continue;
    relationLines.delete(number);
    if (ended.has(placeText(place))) continue;
    problems.push({ line: number, why: `there is no entry ${placeText(place)} here or in memory to relate` });
  }
  for (const [name, number] of entryLines) {
    const above = entryAbove(name, entryLines, memory);
    if (above === undefined) continue;
    entryLines.delete(name);
    problems.push({ line: number, why: `${above} is an entry, and cannot be a folder for ${name} as well` });
  }
  problems.sort((a, b) => a.line - b.line);
  return { entryLines, relationLines, ended, statements, repeated, problems, unknownKeys };
}

/** Whether the time to live of an entry, as the line or its front matter says it, is over by what the line says of when it began. */
function hasEnded(entry: NewMemory, nowMs: number): boolean {
  const { content, updatedMs, expiresMs } = entry;
  if (updatedMs === undefined && expiresMs === undefined) return false;
  const ttlSeconds = entry.ttlSeconds ?? readFrontMatter(content).fields.ttl;
  if (ttlSeconds === undefined) return false;
  return (expiresMs ?? (updatedMs ?? nowMs) + ttlSeconds * 1000) <= nowMs;
}

export function isToItself({ from, to }: MemoryLink): boolean {
  return placeText(from) === placeText(to);
}

/** How many of a plan's entries have a place that is in use. */
export function countExisting({ entryLines }: ImportPlan, memory: Pick<Memory, 'get'>): number {
  let count = 0;
  for (const text of entryLines.keys()) {
    const place = parsePlace(text);
    if (place !== undefined && memory.get(place) !== undefined) count += 1;
  }
  return count;
}

/** The entry whose key is a folder of another key. */
function entryAbove(
  name: string,
  entryLines: ReadonlyMap<string, number>,
  memory: Pick<Memory, 'get'>,
): string | undefined {
  const parts = name.split('/');
  for (let count = 2; count < parts.length; count += 1) {
    const above = parts.slice(0, count).join('/');
    const place = parsePlace(above);
    if (entryLines.has(above) || (place !== undefined && memory.get(place) !== undefined)) return above;
  }
  return undefined;
}

/** Why memory would refuse an entry, or undefined. */
function wrongEntry(entry: NewMemory, maxEntryBytes: number): string | undefined {
  const { key, content } = entry;
  if (content.byteLength > maxEntryBytes) {
    return `content has ${content.byteLength} bytes; an entry has at most ${maxEntryBytes}`;
  }
  try {
    requireKey(entry);
    readFrontMatter(content);
  } catch (error) {
    if (isFsError(error)) return `key "${key}": ${error.why}`;
    if (error instanceof FrontMatterError) return `content, its line ${error.line}: ${error.message}`;
    throw error;
  }
  return isTemporaryKey(key, { mode: ORDINARY_MODE, sizeBytes: content.byteLength })
    ? `key "${key}" is a name that editors give to their temporary files`
    : undefined;
}

function addTo(lists: Map<string, string[]>, key: string, text: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [text]);
  else if (!list.includes(text)) list.push(text);
}
