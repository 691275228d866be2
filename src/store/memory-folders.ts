import type { Database, PreparedStatement } from './database.ts';

/** A folder of keys. The folder of a whole type has neither a folder nor a name. */
export interface MemoryFolderRow {
  readonly type: string;
  readonly folder: string;
  readonly name: string;
  readonly mode: number;
  readonly modifiedMs: number;
  readonly modifiedRestNs: number;
}

type Move = Record<'type' | 'folder' | 'name' | 'toType' | 'toFolder' | 'toName', string>;
type MoveBelow = Record<'type' | 'from' | 'toType' | 'to', string>;

const COLUMNS = 'type, folder, name, mode, modified_ms AS modifiedMs, modified_rest_ns AS modifiedRestNs';

/** The folders that were made in the folders of the types, and when their lists last changed. */
export class MemoryFolderTable {
  readonly #at: PreparedStatement<[string, string, string], MemoryFolderRow>;
  readonly #names: PreparedStatement<[string, string], string>;
  readonly #put: PreparedStatement<[MemoryFolderRow]>;
  readonly #touch: PreparedStatement<[number, string, string, string]>;
  readonly #move: PreparedStatement<[Move]>;
  readonly #moveBelow: PreparedStatement<[MoveBelow]>;
  readonly #remove: PreparedStatement<[string, string, string]>;

  constructor(database: Database) {
    const isHere = 'type = ? AND folder = ? AND name = ?';
    this.#at = database.prepare(`SELECT ${COLUMNS} FROM memory_folders WHERE ${isHere}`);
    this.#names = database
      .prepare<[string, string], string>(
        "SELECT name FROM memory_folders WHERE type = ? AND folder = ? AND name <> '' ORDER BY name",
      )
      .pluck();
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO memory_folders VALUES (@type, @folder, @name, @mode, @modifiedMs, @modifiedRestNs)',
    );
    this.#touch = database.prepare(
      `UPDATE memory_folders SET modified_ms = ?, modified_rest_ns = 0 WHERE ${isHere}`,
    );
    this.#move =
      database.prepare(`UPDATE memory_folders SET type = @toType, folder = @toFolder, name = @toName
      WHERE type = @type AND folder = @folder AND name = @name`);
    this.#moveBelow = database.prepare(`
      UPDATE memory_folders SET type = @toType, folder = @to || substr(folder, length(@from) + 1)
      WHERE type = @type AND (folder = @from OR folder >= @from || '/' AND folder < @from || '0')`);
    this.#remove = database.prepare(`DELETE FROM memory_folders WHERE ${isHere}`);
  }

  at(type: string, folder: string, name: string): MemoryFolderRow | undefined {
    return this.#at.get(type, folder, name);
  }

  names(type: string, folder: string): string[] {
    return this.#names.all(type, folder);
  }

  put(row: MemoryFolderRow): void {
    this.#put.run(row);
  }

  /** Notes that the list of a folder has changed. @returns whether there is such a folder */
  touch(type: string, folder: string, name: string, nowMs: number): boolean {
    return this.#touch.run(nowMs, type, folder, name).changes > 0;
  }

  /** Moves a folder with the folders below it. */
  move(from: Omit<Move, `to${string}`>, to: Omit<Move, `to${string}`>): void {
    this.#move.run({ ...from, toType: to.type, toFolder: to.folder, toName: to.name });
    const path = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
    this.#moveBelow.run({
      type: from.type,
      from: path(from.folder, from.name),
      toType: to.type,
      to: path(to.folder, to.name),
    });
  }

  remove(type: string, folder: string, name: string): void {
    this.#remove.run(type, folder, name);
  }
}
