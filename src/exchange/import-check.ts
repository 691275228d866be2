import { systemClock } from '../core/clock.ts';
import { isFsError } from '../core/errors.ts';
import { type MemoryLink, type MemoryPlace, placeText } from '../core/memory-entry.ts';
import { FrontMatterError, readFrontMatter } from '../memory/front-matter.ts';
import type { Memory, NewMemory } from '../memory/memory.ts';
import { parsePlace, requireKey } from '../memory/memory-places.ts';
import { isTemporaryKey } from '../memory/temporary-name.ts';
import type { ImportLine } from './import-line.ts';
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

/** What is known of a file that was read to its end. */
export interface ImportPlan {
  /** The line of each entry, by its place. If several lines make the same entry, the last one counts. */
  readonly entryLines: ReadonlyMap<string, number>;
  readonly relationLines: ReadonlySet<number>;
  /** Lines to add to the content of entries, for relations that memory does not know; by the entry's place. */
  readonly statements: ReadonlyMap<string, readonly string[]>;
  /** Places of entries that have expired since they were exported. They and relations with them are left out. */
  readonly ended: ReadonlySet<string>;
  /** How many lines are replaced by a later one of the same entry. */
  readonly repeated: number;
  readonly problems: readonly LineProblem[];
  /** Unknown keys, each with the first line that has it. */
  readonly unknownKeys: ReadonlyMap<string, number>;
}

/** The most bytes that JSON takes for one byte: `\u0000`. */
const ESCAPED_BYTES = 6;
const METADATA_BYTES = 1 << 20;
/** Permission bits of an entry that is not a temporary file of a program. */
const ORDINARY_MODE = 0o644;

export function* importLinesOf({ descriptor, maxEntryBytes }: ImportSource) {
  for (const { number, text } of linesOf(descriptor, maxEntryBytes * ESCAPED_BYTES + METADATA_BYTES)) {
    yield { number, line: parseImportLine(text) };
  }
}

/** Reads a file without changing anything, and finds everything that is wrong with it. */
export function checkImport(
  source: ImportSource,
  memory: Pick<Memory, 'get'>,
  nowMs = systemClock.nowMs(),
): ImportPlan {
  const check = new Check(source.maxEntryBytes, memory, nowMs);
  for (const { number, line } of importLinesOf(source)) check.take(line, number);
  return check.end();
}

type LineOfKind<Kind extends ImportLine['kind']> = Extract<ImportLine, { readonly kind: Kind }>;

class Check {
  readonly #maxEntryBytes: number;
  readonly #memory: Pick<Memory, 'get'>;
  readonly #nowMs: number;
  readonly #entryLines = new Map<string, number>();
  readonly #ended = new Set<string>();
  readonly #relationLines = new Set<number>();
  readonly #statements = new Map<string, string[]>();
  readonly #unknownKeys = new Map<string, number>();
  readonly #problems: LineProblem[] = [];
  /** Relations with an entry that may be in a later line. */
  readonly #loose: { readonly link: MemoryLink; readonly number: number }[] = [];
  #repeated = 0;

  constructor(maxEntryBytes: number, memory: Pick<Memory, 'get'>, nowMs: number) {
    this.#maxEntryBytes = maxEntryBytes;
    this.#memory = memory;
    this.#nowMs = nowMs;
  }

  take(line: ImportLine, number: number): void {
    if (line.kind === 'problem') this.#refuse(number, line.why);
    else if (line.kind === 'entry') this.#takeEntry(line, number);
    else this.#takeRelation(line, number);
  }

  /** To be called once, after the last line. */
  end(): ImportPlan {
    this.#refuseLoose();
    this.#refuseFoldersThatAreEntries();
    return {
      entryLines: this.#entryLines,
      relationLines: this.#relationLines,
      ended: this.#ended,
      statements: this.#statements,
      repeated: this.#repeated,
      problems: this.#problems.sort((a, b) => a.line - b.line),
      unknownKeys: this.#unknownKeys,
    };
  }

  #takeEntry({ entry, unknownKeys }: LineOfKind<'entry'>, number: number): void {
    const why = wrongEntry(entry, this.#maxEntryBytes);
    if (why !== undefined) {
      this.#refuse(number, why);
      return;
    }
    const place = placeText(entry);
    if (this.#entryLines.has(place)) this.#repeated += 1;
    if (hasEnded(entry, this.#nowMs)) {
      this.#entryLines.delete(place);
      this.#ended.add(place);
      return;
    }
    this.#ended.delete(place);
    this.#entryLines.set(place, number);
    for (const key of unknownKeys) if (!this.#unknownKeys.has(key)) this.#unknownKeys.set(key, number);
  }

  #takeRelation({ link, statement }: LineOfKind<'relation'>, number: number): void {
    if (statement === undefined && isToItself(link)) {
      this.#refuse(number, `${placeText(link.from)} cannot be related to itself`);
      return;
    }
    this.#relationLines.add(number);
    if (this.#missingEnd(link) !== undefined) this.#loose.push({ link, number });
    if (statement !== undefined) addTo(this.#statements, placeText(link.from), statement);
  }

  /** An end of a relation that neither the lines so far nor memory contain. */
  #missingEnd({ from, to }: MemoryLink): MemoryPlace | undefined {
    return [from, to].find(
      (place) => !this.#entryLines.has(placeText(place)) && this.#memory.get(place) === undefined,
    );
  }

  #refuseLoose(): void {
    for (const { link, number } of this.#loose) {
      const place = this.#missingEnd(link);
      if (place === undefined) continue;
      this.#relationLines.delete(number);
      if (this.#ended.has(placeText(place))) continue;
      this.#refuse(number, `there is no entry ${placeText(place)} here or in memory to relate`);
    }
  }

  #refuseFoldersThatAreEntries(): void {
    for (const [name, number] of this.#entryLines) {
      const above = entryAbove(name, this.#entryLines, this.#memory);
      if (above === undefined) continue;
      this.#entryLines.delete(name);
      this.#refuse(number, `${above} is an entry, and cannot be a folder for ${name} as well`);
    }
  }

  #refuse(line: number, why: string): void {
    this.#problems.push({ line, why });
  }
}

/** Whether an entry has expired, by the time to live in the line or its front matter, and by the creation time in the line. */
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

/** How many of a plan's entries have a place that is taken. */
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

/** Why memory would refuse an entry; undefined if it would not. */
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
