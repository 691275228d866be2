import type { Database, PreparedStatement } from './database.ts';
import { FOUND, type FoundPassage } from './passages.ts';

/** Passages that contain something, by their ids in ascending order. */
export type Postings = Int32Array<ArrayBuffer>;

export interface SourceOrder {
  /** The place of each source in the order, by source id. */
  readonly places: Int32Array;
  /** Places below this are files; places from this one on are nodes. */
  readonly fileCount: number;
}

/** The columns of `FOUND`, in their order. */
type FoundColumns = [
  id: number,
  sourceId: number,
  line: number,
  endLine: number,
  headings: string,
  titleTerms: string,
  headingTerms: string,
  bodyBag: string,
  bodyLength: number,
  before: number | null,
  after: number | null,
];

/**
 * The tables of passages as ranking reads them: all passages that contain a term, at once. SQLite joins their ids to one text, which takes a fifth of the time
 * of a row for each.
 */
export class PostingTable {
  readonly #holding: PreparedStatement<[string], string | null>;
  readonly #sources: PreparedStatement<[], { readonly ids: string | null; readonly sources: string | null }>;
  readonly #sourcesByPath: PreparedStatement<[isNode: 0 | 1], string | null>;
  readonly #read: PreparedStatement<[string], FoundColumns>;

  constructor(database: Database) {
    this.#holding = database
      .prepare<[string], string | null>(
        'SELECT group_concat(rowid) FROM passage_terms WHERE passage_terms MATCH ?',
      )
      .pluck();
    // An index contains both numbers, and is a fraction of the size of the rows.
    this.#sources = database.prepare(
      'SELECT group_concat(id) AS ids, group_concat(source_id) AS sources FROM passages INDEXED BY passages_by_source',
    );
    // An index of paths already has this order, so nothing is sorted.
    this.#sourcesByPath = database
      .prepare<[isNode: 0 | 1], string | null>(
        "SELECT group_concat(id) FROM (SELECT id FROM sources WHERE (kind = 'node') = ? ORDER BY path)",
      )
      .pluck();
    this.#read = database
      .prepare<[string], FoundColumns>(
        `SELECT ${FOUND} FROM json_each(?) AS wanted CROSS JOIN passages ON passages.id = wanted.value`,
      )
      .raw();
  }

  /** Passages that contain a term. */
  holding(term: string): Postings {
    return numbersIn(this.#holding.get(`"${term}"`));
  }

  /** Passages with a term in their title or headings. */
  named(term: string): Postings {
    return numbersIn(this.#holding.get(`{title headings} : "${term}"`));
  }

  /** The id of the source of each passage, by passage id; 0 if there is no passage of that id. */
  sourceIds(): Int32Array {
    const row = this.#sources.get();
    const ids = numbersIn(row?.ids);
    const sources = numbersIn(row?.sources);
    const byPassage = arrayFor(ids);
    ids.forEach((id, index) => {
      byPassage[id] = sources[index] ?? 0;
    });
    return byPassage;
  }

  /** Files in the order of their paths, and then nodes in the order of their keys. */
  sourceOrder(): SourceOrder {
    const files = numbersIn(this.#sourcesByPath.get(0));
    const nodes = numbersIn(this.#sourcesByPath.get(1));
    const places = arrayFor(files, nodes);
    files.forEach((id, place) => {
      places[id] = place;
    });
    nodes.forEach((id, place) => {
      places[id] = files.length + place;
    });
    return { places, fileCount: files.length };
  }

  /** Reads passages; those that do not exist are left out. One query without column names for each value takes half the time. */
  read(ids: readonly number[]): FoundPassage[] {
    return ids.length === 0 ? [] : this.#read.all(JSON.stringify(ids)).map(passageOf);
  }
}

// biome-ignore format: the order of the columns
function passageOf([id, sourceId, line, endLine, headings, titleTerms, headingTerms, bodyBag, bodyLength, before, after]: FoundColumns): FoundPassage {
  // biome-ignore format: the order of the columns
  return { id, sourceId, line, endLine, headings, titleTerms, headingTerms, bodyBag, bodyLength, before, after };
}

/** An array with room for each of these ids. */
function arrayFor(...all: readonly Postings[]): Int32Array {
  const most = all.reduce((most, ids) => ids.reduce((most, id) => Math.max(most, id), most), 0);
  return new Int32Array(most + 1);
}

/** The ids in a text such as `3,17,204`. */
function numbersIn(text: string | null | undefined): Postings {
  if (text === null || text === undefined || text === '') return new Int32Array(0);
  let count = 1;
  for (let at = text.indexOf(','); at !== -1; at = text.indexOf(',', at + 1)) count += 1;
  const numbers = new Int32Array(count);
  let number = 0;
  let index = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COMMA) {
      numbers[index] = number;
      index += 1;
      number = 0;
    } else number = number * 10 + code - ZERO;
  }
  numbers[index] = number;
  return numbers;
}

const COMMA = 44;
const ZERO = 48;
