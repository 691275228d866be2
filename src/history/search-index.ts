import type { HistoryFile, HistoryTable } from '../store/history-table.ts';
import type { Passage } from '../store/passages.ts';
import type { SearchStore } from '../store/search-store.ts';
import { countedTerms } from '../words/bag.ts';
import { PASSAGES_VERSION } from '../words/passages-version.ts';
import { textHashOf } from '../words/text-hash.ts';
import { indexedTermsOf } from '../words/tokens.ts';

/** Indexing this many takes some ten milliseconds. */
const ENTRIES_AT_ONCE = 500;
/** Of a content that an entry keeps, this many characters are searched. */
const MAX_TEXT_LENGTH = 2_000;
/** Fields with numbers and hashes, which nobody searches for. */
const UNSEARCHED = new Set(['sha256', 'bytes', 'version', 'pid', 'uid', 'timestamp']);

/**
 * The search index of the history: each file is a source, and each entry a passage with its line. When somebody searches the history, what came since the last
 * time is added, and what retention has removed is dropped.
 */
export class HistorySearchIndex {
  readonly #history: HistoryTable;
  readonly #search: SearchStore;
  #takenIn = 0;

  /** @param search a store that is used for the history alone */
  constructor(history: HistoryTable, search: SearchStore) {
    this.#history = history;
    this.#search = search;
  }

  /** Indexes a part of what came. @returns whether nothing is left @throws UserError if the file cannot be written */
  catchUp(): boolean {
    const files = this.#history.files();
    const known = new Map(this.#search.sources.states().map((state) => [state.path, state]));
    const grown = files.filter((file) => {
      const state = known.get(nameOf(file));
      known.delete(nameOf(file));
      return state?.stamp !== stampOf(file) || state.version !== PASSAGES_VERSION;
    });
    if (grown.length === 0 && known.size === 0) return true;
    const left = this.#search.transact(() => {
      for (const path of known.keys()) this.#search.sources.removeFile(path);
      return grown.reduce((left, file) => (left > 0 ? left - this.#take(file, left) : left), ENTRIES_AT_ONCE);
    });
    this.#takenIn += 1;
    return left > 0;
  }

  /** A number that changes with what was indexed. */
  takenIn(): number {
    return this.#takenIn;
  }

  /** Lines of a file, from 1 and inclusive; undefined if the file was removed. @param name such as `2026-11-21_cli.jsonl` */
  lines(name: string, line: number, endLine: number): string | undefined {
    const file = this.#fileOf(name);
    return file && this.#history.lines(file.id, line - 1, endLine - line + 1).join('');
  }

  has(name: string): boolean {
    return this.#fileOf(name) !== undefined;
  }

  #fileOf(name: string): HistoryFile | undefined {
    const end = name.indexOf('_');
    const isFile = end !== -1 && name.endsWith('.jsonl');
    return isFile ? this.#history.file(name.slice(0, end), name.slice(end + 1, -'.jsonl'.length)) : undefined;
  }

  /** @param limit the most entries to index @returns how many were indexed */
  #take(file: HistoryFile, limit: number): number {
    const { sources, passages } = this.#search;
    const path = nameOf(file);
    const before = sources.file(path);
    const isGrown = before?.version === PASSAGES_VERSION && idOf(before.stamp) === file.id;
    const from = isGrown ? entriesOf(before.stamp) : 0;
    const lines = this.#history.lines(file.id, from, limit);
    const id = sources.put({
      kind: 'history',
      path,
      stamp: stampOf({ ...file, entries: from + lines.length }),
      sha256: '',
      version: PASSAGES_VERSION,
      title: path,
      type: 'history',
      tags: '',
      modifiedMs: file.modifiedMs,
      dateMs: file.modifiedMs,
    });
    const made = lines.map((line, index) => passageOf(line, from + index + 1));
    if (from === 0) passages.replace(id, made);
    else passages.add(id, made);
    return lines.length;
  }
}

function nameOf({ date, session }: HistoryFile): string {
  return `${date}_${session}.jsonl`;
}

function stampOf({ id, entries }: HistoryFile): string {
  return `${id} ${entries}`;
}

function idOf(stamp: string): number {
  return Number(stamp.split(' ')[0]);
}

function entriesOf(stamp: string): number {
  return Number(stamp.split(' ')[1]);
}

function passageOf(line: string, number: number): Passage {
  const { event_type, path, actor, data }: Readonly<Record<string, unknown>> = JSON.parse(line);
  const heading = `${event_type ?? ''} ${path ?? ''}`.trim();
  const { terms, bag, length } = countedTerms(
    indexedTermsOf([actor, ...textsIn(data)].join('\n').slice(0, MAX_TEXT_LENGTH)),
  );
  return {
    line: number,
    endLine: number,
    headings: heading,
    titleTerms: '',
    headingTerms: indexedTermsOf(heading).join(' '),
    bodyTerms: terms,
    bodyBag: bag,
    bodyLength: length,
    textHash: textHashOf(line),
  };
}

function textsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.entries(value).flatMap(([key, part]) => (UNSEARCHED.has(key) ? [] : textsIn(part)));
}
