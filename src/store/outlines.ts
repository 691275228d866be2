import type { Outline } from '../core/outline.ts';
import type { Database, PreparedStatement } from './database.ts';
import type { Revision } from './nodes.ts';

/** A document's structure, and when that last changed. */
export interface StoredOutline {
  /** Relative to the docs root. */
  readonly path: string;
  readonly outline: Outline;
  readonly revision: number;
  readonly changedMs: number;
}

interface OutlineRow {
  readonly path: string;
  readonly body: string;
  readonly revision: number;
  readonly changedMs: number;
}

type NewOutline = [
  documentId: number,
  sectionCount: number,
  body: string,
  changedMs: number,
  revision: number,
];

const ROWS = `SELECT path, body, revision, changed_ms AS changedMs
  FROM outlines JOIN documents ON id = document_id`;

/** How many outlines are read at a time. */
const AT_ONCE = 100;

/** The structure of each document. It belongs to the document's row and is removed with it. */
export class OutlineTable {
  readonly #ofPath: PreparedStatement<[string], OutlineRow>;
  readonly #changedSince: PreparedStatement<[number, number], { path: string }>;
  readonly #after: PreparedStatement<[string], OutlineRow>;
  readonly #put: PreparedStatement<NewOutline>;
  readonly #naming: PreparedStatement<[string], { path: string }>;
  readonly #sectionCount: PreparedStatement<[], { total: number | null }>;

  constructor(database: Database) {
    this.#ofPath = database.prepare(`${ROWS} WHERE path = ?`);
    this.#changedSince = database.prepare(`SELECT path FROM outlines JOIN documents ON id = document_id
      WHERE revision > ? LIMIT ?`);
    this.#after = database.prepare(`${ROWS} WHERE path > ? ORDER BY path LIMIT ${AT_ONCE}`);
    this.#put = database.prepare(`
      INSERT INTO outlines (document_id, section_count, body, changed_ms, revision) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET section_count = excluded.section_count, body = excluded.body,
        changed_ms = excluded.changed_ms, revision = excluded.revision WHERE body <> excluded.body`);
    this.#naming = database.prepare(
      'SELECT path FROM outlines JOIN documents ON id = document_id WHERE instr(body, ?) > 0 ORDER BY path',
    );
    this.#sectionCount = database.prepare('SELECT sum(section_count) AS total FROM outlines');
  }

  of(path: string): StoredOutline | undefined {
    const row = this.#ofPath.get(path);
    return row && outlineIn(row);
  }

  /** Paths of the documents whose structure changed after a revision, at most `limit` of them. */
  changedSince(revision: number, limit: number): string[] {
    return this.#changedSince.all(revision, limit).map(({ path }) => path);
  }

  /** All outlines in path order. A consumer may start another run meanwhile, so no statement is left open. */
  *all(): Generator<StoredOutline> {
    let rows = this.#after.all('');
    while (rows.length > 0) {
      for (const row of rows) yield outlineIn(row);
      rows = rows.length < AT_ONCE ? [] : this.#after.all(rows.at(-1)?.path ?? '');
    }
  }

  /** Paths of the documents that have this text in a link, a title or anywhere else in their structure, in path order. */
  naming(text: string): string[] {
    return this.#naming.all(JSON.stringify(text).slice(1, -1)).map(({ path }) => path);
  }

  /** The number of sections in all documents. */
  sectionCount(): number {
    return this.#sectionCount.get()?.total ?? 0;
  }

  /** Stores an outline. @returns whether it differs from the previous one */
  put(documentId: number, outline: Outline, { revision, nowMs }: Revision): boolean {
    const body = JSON.stringify(outline);
    return this.#put.run(documentId, outline.sections.length, body, nowMs, revision).changes > 0;
  }
}

function outlineIn({ path, body, revision, changedMs }: OutlineRow): StoredOutline {
  const outline: Outline = JSON.parse(body);
  return { path, outline, revision, changedMs };
}
