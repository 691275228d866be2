import type { Database, PreparedStatement } from './database.ts';

/** A content that was replaced. Times are milliseconds since 1970. */
export interface MemoryVersionRow {
  readonly version: number;
  readonly sha256: string;
  /** When the content was written, and when it was replaced. */
  readonly updatedMs: number;
  readonly replacedMs: number;
  readonly content: Uint8Array;
}

/** Contents that were replaced, until gc removes them. */
export class MemoryVersionTable {
  readonly #keep: PreparedStatement<[MemoryVersionRow & { entryId: number }]>;
  readonly #of: PreparedStatement<[number], MemoryVersionRow>;
  readonly #sizeOf: PreparedStatement<[number], number>;
  readonly #sizeBefore: PreparedStatement<[number, number], number>;
  readonly #forgetBefore: PreparedStatement<[number]>;

  constructor(database: Database) {
    this.#keep = database.prepare(
      'INSERT INTO memory_versions VALUES (@entryId, @version, @sha256, @updatedMs, @replacedMs, @content)',
    );
    this.#of =
      database.prepare(`SELECT version, sha256, updated_ms AS updatedMs, replaced_ms AS replacedMs, content
      FROM memory_versions WHERE entry_id = ? ORDER BY version DESC`);
    const size = 'SELECT coalesce(sum(length(content)), 0) FROM memory_versions';
    this.#sizeOf = database.prepare<[number], number>(`${size} WHERE entry_id = ?`).pluck();
    this.#sizeBefore = database
      .prepare<[number, number], number>(
        `${size} JOIN memory_entries ON id = entry_id
          WHERE replaced_ms <= ? AND (removed_ms IS NULL OR removed_ms > ?)`,
      )
      .pluck();
    this.#forgetBefore = database.prepare('DELETE FROM memory_versions WHERE replaced_ms <= ?');
  }

  keep(entryId: number, version: MemoryVersionRow): void {
    this.#keep.run({ ...version, entryId });
  }

  /** The versions of an entry, latest first. */
  of(entryId: number): MemoryVersionRow[] {
    return this.#of.all(entryId);
  }

  sizeBytesOf(entryId: number): number {
    return this.#sizeOf.get(entryId) ?? 0;
  }

  /** The size of the versions that were replaced before a time, without entries that were removed before another time. */
  sizeBytesBefore(replacedMs: number, removedMs: number): number {
    return this.#sizeBefore.get(replacedMs, removedMs) ?? 0;
  }

  forgetBefore(timeMs: number): void {
    this.#forgetBefore.run(timeMs);
  }
}
