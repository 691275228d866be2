/** Long because each question about the table has a statement. */
import type { MemoryType } from '../core/memory-entry.ts';
import type { Database, PreparedStatement } from './database.ts';

/** A boolean as SQLite stores it. */
export type Flag = 0 | 1;

/** One entry without its content. Times are milliseconds since 1970. */
export interface MemoryRow {
  readonly id: number;
  readonly type: MemoryType;
  /** The folders of its key, empty if there are none; `name` is the last part of the key. */
  readonly folder: string;
  readonly name: string;
  /** Whether it is an editor's own file and not a memory. */
  readonly isTemporary: Flag;
  /** For an entry that an editor has set aside as a temporary file: the place where it belongs, such as `fact/refunds`. */
  readonly origin: string | null;
  readonly sizeBytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly mode: number;
  /** JSON, as is `said`: `metadata` holds what applies now, and `said` what the front matter last said. */
  readonly metadata: string;
  readonly said: string;
  readonly needsReview: Flag;
  readonly actor: string | null;
  readonly session: string | null;
  readonly reviewer: string | null;
  readonly reviewedMs: number | null;
  readonly accessCount: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** The time that stat(2) shows, in milliseconds and the remaining nanoseconds. */
  readonly modifiedMs: number;
  readonly modifiedRestNs: number;
  readonly expiresMs: number | null;
  readonly removedMs: number | null;
  readonly version: number;
}

/** A row with everything that is known of its entry. Places are texts such as `fact/refunds`. */
export interface WholeMemoryRow extends MemoryRow {
  readonly content: Uint8Array;
  readonly duplicateOf: string | null;
  readonly supersededBy: string | null;
}

type NewRow = Omit<MemoryRow, 'id'>;

/** The columns, in the order of their properties. */
const COLUMNS: Readonly<Record<keyof NewRow, string>> = {
  type: 'type',
  folder: 'folder',
  name: 'name',
  isTemporary: 'is_temporary',
  origin: 'origin',
  sizeBytes: 'size_bytes',
  sha256: 'sha256',
  mode: 'mode',
  metadata: 'metadata',
  said: 'said',
  needsReview: 'needs_review',
  actor: 'actor',
  session: 'session',
  reviewer: 'reviewer',
  reviewedMs: 'reviewed_ms',
  accessCount: 'access_count',
  createdMs: 'created_ms',
  updatedMs: 'updated_ms',
  modifiedMs: 'modified_ms',
  modifiedRestNs: 'modified_rest_ns',
  expiresMs: 'expires_ms',
  removedMs: 'removed_ms',
  version: 'version',
};
const PROPERTIES = Object.keys(COLUMNS);
const NAMES = Object.values(COLUMNS);

const selected = (alias: string): string =>
  [`${alias}.id AS id`, ...Object.entries(COLUMNS).map(([key, name]) => `${alias}.${name} AS ${key}`)].join();
const SELECT = `SELECT ${selected('memory_entries')} FROM memory_entries`;

/** The condition for an entry that is remembered at `@nowMs`: neither removed nor expired, and no editor's file. */
export const isRemembered = (alias: string): string =>
  `${alias}.removed_ms IS NULL AND ${alias}.is_temporary = 0 AND (${alias}.expires_ms IS NULL OR ${alias}.expires_ms > @nowMs)`;
export const placeOf = (alias: string): string =>
  `${alias}.type || '/' || iif(${alias}.folder = '', '', ${alias}.folder || '/') || ${alias}.name`;

/** Selects the entries in one of the tables of links that supersede `e`. */
const supersedingIn = (links: string): string =>
  `FROM ${links} l JOIN memory_entries s ON s.id = l.from_id
    WHERE l.to_id = e.id AND l.relation = 'supersedes' AND s.id <> e.id AND ${isRemembered('s')}`;
/** Selects the place of the entry that supersedes this one: if there are several, the one that was made last, or else the first by name. */
const supersededIn = (links: string): string =>
  `(SELECT ${placeOf('s')} ${supersedingIn(links)} ORDER BY s.created_ms DESC, s.type, s.folder, s.name LIMIT 1)`;
/** Queries each table by itself: SQLite would read all rows of a view of both. */
const SUPERSEDED_BY = `coalesce(${supersededIn('memory_links')}, ${supersededIn('memory_said_links')})`;
/** Costs a fraction of finding out which entry it is, for which SQLite sorts. */
export const IS_SUPERSEDED = ['memory_links', 'memory_said_links']
  .map((links) => `EXISTS (SELECT 1 ${supersedingIn(links)})`)
  .join(' OR ');

/** Rows come in their order on the disk. */
const SELECT_WHOLE = `
  SELECT ${selected('e')}, content,
    iif(e.size_bytes = 0, NULL, (SELECT ${placeOf('d')} FROM memory_entries d
      WHERE d.sha256 = e.sha256 AND d.id <> e.id AND ${isRemembered('d')} ORDER BY d.id LIMIT 1)) AS duplicateOf,
    ${SUPERSEDED_BY} AS supersededBy
  FROM memory_entries e NOT INDEXED CROSS JOIN memory_contents USING (id)`;

/** Entries and their contents. Names are sorted by code point. */
export class MemoryEntryTable {
  readonly #at: PreparedStatement<[string, string, string], MemoryRow>;
  readonly #byId: PreparedStatement<[number], MemoryRow>;
  readonly #names: PreparedStatement<[string, string], string>;
  readonly #expired: PreparedStatement<[number, number], MemoryRow>;
  readonly #expiredNames: PreparedStatement<[number, string, string], string>;
  readonly #nextExpiry: PreparedStatement<[number], number | null>;
  readonly #waiting: PreparedStatement<[{ nowMs: number }], MemoryRow>;
  readonly #setAside: PreparedStatement<[string], MemoryRow>;
  readonly #removedAs: PreparedStatement<[string, string], MemoryRow>;
  readonly #removedBefore: PreparedStatement<[number], MemoryRow>;
  readonly #temporaryBefore: PreparedStatement<[number], MemoryRow>;
  readonly #whole: PreparedStatement<[{ nowMs: number; id: number }], WholeMemoryRow>;
  readonly #wholeOfAll: PreparedStatement<[{ nowMs: number }], WholeMemoryRow>;
  readonly #wholeOfType: PreparedStatement<[{ nowMs: number; type: string }], WholeMemoryRow>;
  readonly #wholeOfKind: PreparedStatement<[{ nowMs: number; kind: string }], WholeMemoryRow>;
  readonly #wholeOfRemoved: PreparedStatement<[{ nowMs: number }], WholeMemoryRow>;
  readonly #places: PreparedStatement<[{ nowMs: number }], Pick<MemoryRow, 'type' | 'folder' | 'name'>>;
  readonly #count: PreparedStatement<[{ nowMs: number }], number>;
  readonly #content: PreparedStatement<[number], Buffer>;
  readonly #insert: PreparedStatement<[NewRow]>;
  readonly #update: PreparedStatement<[MemoryRow]>;
  readonly #putContent: PreparedStatement<[number, Uint8Array]>;
  readonly #below: PreparedStatement<[{ type: string; folder: string }], MemoryRow>;
  readonly #forget: PreparedStatement<[number]>;
  readonly #countAccess: PreparedStatement<[number, number]>;

  constructor(database: Database) {
    const rows = <Arguments extends unknown[]>(rest: string) =>
      database.prepare<Arguments, MemoryRow>(`${SELECT} ${rest}`);
    const whole = <Arguments extends unknown[]>(rest: string) =>
      database.prepare<Arguments, WholeMemoryRow>(`${SELECT_WHOLE} ${rest}`);
    this.#at = rows('WHERE type = ? AND folder = ? AND name = ? AND removed_ms IS NULL');
    this.#byId = rows('WHERE id = ?');
    this.#names = database
      .prepare<[string, string], string>(
        'SELECT name FROM memory_entries WHERE type = ? AND folder = ? AND removed_ms IS NULL ORDER BY name',
      )
      .pluck();
    this.#expired = rows('WHERE removed_ms IS NULL AND expires_ms > ? AND expires_ms <= ?');
    // The plus signs keep SQLite from the index of folders, so that it looks only at entries that expire, and not at everything in the folder.
    this.#expiredNames = database
      .prepare<[number, string, string], string>(
        'SELECT name FROM memory_entries WHERE removed_ms IS NULL AND expires_ms <= ? AND +type = ? AND +folder = ?',
      )
      .pluck();
    this.#nextExpiry = database
      .prepare<[number], number | null>(
        'SELECT min(expires_ms) FROM memory_entries WHERE removed_ms IS NULL AND expires_ms > ?',
      )
      .pluck();
    // By a plain "id", SQLite would walk through all entries in order, and not sort the few that the index gives.
    this.#waiting = rows(`WHERE needs_review = 1 AND ${isRemembered('memory_entries')} ORDER BY +id`);
    this.#setAside = rows('WHERE origin = ? AND removed_ms IS NULL ORDER BY id DESC');
    this.#removedAs = rows(
      'WHERE removed_ms IS NOT NULL AND name = ? AND folder = ? ORDER BY removed_ms DESC, id DESC',
    );
    this.#removedBefore = rows('WHERE removed_ms <= ?');
    this.#temporaryBefore = rows('WHERE is_temporary = 1 AND updated_ms <= ?');
    this.#whole = whole('WHERE e.id = @id');
    this.#wholeOfAll = whole(`WHERE ${isRemembered('e')}`);
    this.#wholeOfType = whole(`WHERE e.type = @type AND ${isRemembered('e')}`);
    this.#wholeOfKind = whole(`WHERE e.metadata ->> 'kind' = @kind AND ${isRemembered('e')}`);
    this.#places = database.prepare(
      `SELECT type, folder, name FROM memory_entries WHERE ${isRemembered('memory_entries')}`,
    );
    this.#wholeOfRemoved = whole('WHERE e.removed_ms IS NOT NULL AND e.is_temporary = 0');
    // The two numbers are counted separately, each by an index with hardly any other entries, so that no row is read.
    const remembered = 'removed_ms IS NULL AND is_temporary = 0';
    this.#count = database
      .prepare<[{ nowMs: number }], number>(
        `SELECT (SELECT count(*) FROM memory_entries INDEXED BY memory_entries_by_content WHERE ${remembered})
          - (SELECT count(*) FROM memory_entries INDEXED BY memory_entries_that_expire
             WHERE ${remembered} AND expires_ms IS NOT NULL AND expires_ms <= @nowMs)`,
      )
      .pluck();
    this.#content = database
      .prepare<[number], Buffer>('SELECT content FROM memory_contents WHERE id = ?')
      .pluck();
    this.#insert = database.prepare(
      `INSERT INTO memory_entries (${NAMES.join()}) VALUES (${PROPERTIES.map((key) => `@${key}`).join()})`,
    );
    this.#update = database.prepare(
      `UPDATE memory_entries SET ${PROPERTIES.map((key, index) => `${NAMES[index]} = @${key}`).join()} WHERE id = @id`,
    );
    this.#putContent = database.prepare('INSERT OR REPLACE INTO memory_contents VALUES (?, ?)');
    this.#below = rows(`WHERE type = @type AND removed_ms IS NULL
      AND (folder = @folder OR folder >= @folder || '/' AND folder < @folder || '0')`);
    this.#forget = database.prepare('DELETE FROM memory_entries WHERE id = ?');
    this.#countAccess = database.prepare(
      'UPDATE memory_entries SET access_count = access_count + ? WHERE id = ?',
    );
  }

  /** The entry at a place, even if it has expired or is temporary; undefined if it was removed. */
  at(type: string, folder: string, name: string): MemoryRow | undefined {
    return this.#at.get(type, folder, name);
  }

  byId(id: number): MemoryRow | undefined {
    return this.#byId.get(id);
  }

  /** Names in a folder, from the index of places alone, without reading contents. Those of expired entries are included. */
  names(type: string, folder: string): string[] {
    return this.#names.all(type, folder);
  }

  /** All entries in a folder of keys or below it. */
  below(type: string, folder: string): MemoryRow[] {
    return this.#below.all({ type, folder });
  }

  /** Entries whose time has ended, but that are not yet marked as removed. @param sinceMs leaves out those whose time had ended by then */
  expired(nowMs: number, sinceMs = 0): MemoryRow[] {
    return this.#expired.all(sinceMs, nowMs);
  }

  /** The names of such entries in a folder, in no particular order. */
  expiredNames(type: string, folder: string, nowMs: number): string[] {
    return this.#expiredNames.all(nowMs, type, folder);
  }

  /** The next time at which an entry expires; undefined if there is none. */
  nextExpiryMs(nowMs: number): number | undefined {
    return this.#nextExpiry.get(nowMs) ?? undefined;
  }

  waitingForReview(nowMs: number): MemoryRow[] {
    return this.#waiting.all({ nowMs });
  }

  /** The entry that an editor has moved from this place to the name of a backup. */
  setAsideFrom(place: string): MemoryRow | undefined {
    return this.#setAside.get(place);
  }

  /** The removed entries with this name, last removed first. */
  removedAs(folder: string, name: string): MemoryRow[] {
    return this.#removedAs.all(name, folder);
  }

  removedBefore(timeMs: number): MemoryRow[] {
    return this.#removedBefore.all(timeMs);
  }

  temporaryBefore(timeMs: number): MemoryRow[] {
    return this.#temporaryBefore.all(timeMs);
  }

  whole(id: number, nowMs: number): WholeMemoryRow | undefined {
    return this.#whole.get({ nowMs, id });
  }

  allWhole(nowMs: number, type?: MemoryType): WholeMemoryRow[] {
    return type === undefined ? this.#wholeOfAll.all({ nowMs }) : this.#wholeOfType.all({ nowMs, type });
  }

  /** @param kind the kind of the provenance */
  kindWhole(nowMs: number, kind: string): WholeMemoryRow[] {
    return this.#wholeOfKind.all({ nowMs, kind });
  }

  removedWhole(nowMs: number): WholeMemoryRow[] {
    return this.#wholeOfRemoved.all({ nowMs });
  }

  /** The places of everything that is remembered. */
  places(nowMs: number): Pick<MemoryRow, 'type' | 'folder' | 'name'>[] {
    return this.#places.all({ nowMs });
  }

  count(nowMs: number): number {
    return this.#count.get({ nowMs }) ?? 0;
  }

  content(id: number): Buffer {
    const content = this.#content.get(id);
    if (content === undefined) throw new Error(`memory entry ${id} has no content`);
    return content;
  }

  insert(row: NewRow, content: Uint8Array): MemoryRow {
    const id = Number(this.#insert.run(row).lastInsertRowid);
    this.#putContent.run(id, content);
    return { ...row, id };
  }

  /** @param content left out if it stays as it is */
  update(row: MemoryRow, content?: Uint8Array): void {
    this.#update.run(row);
    if (content !== undefined) this.#putContent.run(row.id, content);
  }

  /** Removes an entry for good. */
  forget(id: number): void {
    this.#forget.run(id);
  }

  countAccess(id: number, times: number): void {
    this.#countAccess.run(times, id);
  }
}
