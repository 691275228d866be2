import t from 'tap';
import { damageOrReason, isDamage, isOfMachine } from '../../src/disk/damage.ts';

/** As better-sqlite3 throws it. */
function ofSqlite(code: string, message: string): Error {
  return Object.assign(new Error(message), { name: 'SqliteError', code });
}

t.test(
  'what a file holds is told from what was asked of it, and from what the machine refuses',
  async (t) => {
    const errors: [error: Error, isDamage: boolean, isOfMachine: boolean][] = [
      [ofSqlite('SQLITE_CORRUPT_INDEX', 'database disk image is malformed'), true, false],
      [ofSqlite('SQLITE_NOTADB', 'file is not a database'), true, false],
      [ofSqlite('SQLITE_ERROR', 'no such table: nodes'), true, false],
      [ofSqlite('SQLITE_ERROR', 'no such column: title'), true, false],
      [ofSqlite('SQLITE_ERROR', 'near "SELEC": syntax error'), false, false],
      [ofSqlite('SQLITE_IOERR_WRITE', 'disk I/O error'), false, true],
      [ofSqlite('SQLITE_FULL', 'database or disk is full'), false, true],
      [Object.assign(new Error('no such table: nodes'), { code: 'SQLITE_ERROR' }), false, false],
    ];
    for (const [error, damage, ofMachine] of errors)
      t.same([isDamage(error), isOfMachine(error)], [damage, ofMachine], error.message);
  },
);

t.test(
  'damage is not told for sure, since SQLite says the same of a page that its disk fails to read',
  async (t) => {
    t.match(
      damageOrReason(ofSqlite('SQLITE_CORRUPT', 'database disk image is malformed')),
      /is damaged, or its disk fails to read it \(database disk image is malformed\); "kgraphfs check" says which/,
    );
  },
);
