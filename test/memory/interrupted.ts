import Sqlite from 'better-sqlite3';
import { MemoryTables } from '../../src/store/memory-tables.ts';
import type { Teardown } from '../support/temporary.ts';

/** Tables of a memory, between whose statements another process can come. */
export interface InterruptedTables {
  readonly tables: MemoryTables;
  /**
   * Has something done just before one of the statements that the body runs.
   * @param statement which one, from 1
   * @returns whether there were so many
   */
  before(statement: number, act: () => void, body: () => void): boolean;
}

/** @param file of a memory that is there */
export function interruptedTables(t: Teardown, file: string): InterruptedTables {
  let beforeStatement = () => {};
  const database = new Sqlite(file, { verbose: () => beforeStatement() });
  t.teardown(() => database.close());
  return {
    tables: new MemoryTables(database),
    before(statement, act, body) {
      let run = 0;
      beforeStatement = () => {
        run += 1;
        if (run === statement) act();
      };
      body();
      beforeStatement = () => {};
      return run >= statement;
    },
  };
}
