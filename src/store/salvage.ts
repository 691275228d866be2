import type { Database } from './database.ts';
import { openSqlite } from './only-read.ts';

/** How many rows are tried one by one, between the last one that could be read from the start and the first one from the end. */
const MAX_TRIED = 1_000_000;

type Row = Readonly<Record<string, unknown>>;

/**
 * Copies what can be read of a damaged file into a new one that has its tables and no rows. Each table is read from its start until that fails, then from its
 * end in the same way, and the rows in between one by one.
 * @returns how many rows were read
 */
export function salvage(damagedFile: string, newFile: string): number {
  const target = openSqlite(newFile);
  try {
    target.pragma('foreign_keys = OFF');
    const damaged = openDamaged(damagedFile);
    if (damaged === undefined) return 0;
    try {
      return target.transaction(() => copyAll(damaged, target))();
    } finally {
      damaged.close();
    }
  } finally {
    target.close();
  }
}

function openDamaged(file: string): Database | undefined {
  try {
    const database = openSqlite(file, { readonly: true });
    // The file's own schema may be damaged, too. An index or trigger that makes no sense must not prevent the tables from being read.
    database.unsafeMode(true);
    database.pragma('writable_schema = ON');
    return database;
  } catch {
    // Nothing in the file can be read.
    return undefined;
  }
}

/** Triggers are dropped for the copy, since they check new rows by the rules of daily work. */
function copyAll(damaged: Database, target: Database): number {
  const made = target
    .prepare<[], { type: string; name: string; sql: string }>(
      "SELECT type, name, sql FROM sqlite_master WHERE type IN ('table', 'trigger') AND name NOT LIKE 'sqlite_%'",
    )
    .all();
  const triggers = made.filter(({ type }) => type === 'trigger');
  for (const { name } of triggers) target.exec(`DROP TRIGGER ${name}`);
  let rows = 0;
  for (const { type, name, sql } of made) {
    if (type === 'table') rows += copyTable(damaged, target, name, /WITHOUT ROWID\s*$/i.test(sql));
  }
  for (const { sql } of triggers) target.exec(sql);
  return rows;
}

function copyTable(damaged: Database, target: Database, table: string, isWithoutRowid: boolean): number {
  const columns = target.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
  const put = target.prepare<[Row]>(
    `INSERT OR IGNORE INTO ${table} (${columns.join()}) VALUES (${columns.map((name) => `@${name}`).join()})`,
  );
  const list = columns.map((name) => `"${name}"`).join();
  const key = isWithoutRowid ? columns[0] : 'rowid';
  let copied = 0;
  /** @returns the key of the last row that was read; undefined if all were read */
  const take = (sql: string): { readonly last: unknown } | undefined => {
    let last: unknown;
    try {
      for (const row of damaged.prepare<[], Row>(sql).iterate()) {
        copied += put.run(row).changes;
        last = row['key_of_row'];
      }
      return undefined;
    } catch {
      // This is damage. What lies behind it is read from the other end. An error of writing would show at the commit.
      return { last };
    }
  };
  // Indexes are not used, since the row itself is what counts.
  const select = `SELECT ${list}, ${key} AS key_of_row FROM ${table} NOT INDEXED`;
  const fromStart = take(`${select} ORDER BY ${key}`);
  if (fromStart === undefined) return copied;
  const fromEnd = take(`${select} ORDER BY ${key} DESC`);
  const [first, end] = [fromStart.last ?? 0, fromEnd?.last];
  if (isWithoutRowid || typeof first !== 'number' || typeof end !== 'number') return copied;
  for (let rowid = first + 1; rowid < Math.min(end, first + MAX_TRIED); rowid += 1) {
    take(`${select} WHERE rowid = ${rowid}`);
  }
  return copied;
}
