import { execFileSync } from 'node:child_process';

const COMMIT = `
  const database = new (require('better-sqlite3'))(process.argv[1]);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE IF NOT EXISTS notes (text)');
  database.prepare('INSERT INTO notes VALUES (?)').run(process.argv[2]);
  database.close();
`;

/** Has another process commit to a SQLite file, in WAL mode, made where it is missing. It has ended when this returns. */
export function commitElsewhere(file: string, text: string): void {
  // Tests run from the project's root, where its packages are.
  execFileSync(process.execPath, ['-e', COMMIT, file, text]);
}
