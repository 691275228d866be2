import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Teardown } from './temporary.ts';

const LOAD = `const Database = require('better-sqlite3');`;
const COMMIT = `
  const database = new Database(process.argv[1]);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE IF NOT EXISTS notes (text)');
  database.prepare('INSERT INTO notes VALUES (?)').run(process.argv[2]);
  database.close();
`;

/** Has another process commit to a SQLite file, in WAL mode, made where it is missing. It has ended when this returns. */
export function commitElsewhere(file: string, text: string): void {
  // Tests run from the project's root, where its packages are.
  execFileSync(process.execPath, ['-e', `${LOAD}${COMMIT}`, file, text]);
}

/**
 * As `commitElsewhere`, by a process that has started by the time this resolves: a start takes long on a machine that is busy with others.
 * @returns has it commit
 */
export async function readyToCommit(t: Teardown, file: string, text: string): Promise<() => void> {
  const program = `${LOAD} process.stdin.once('data', () => { ${COMMIT} }); console.log('ready')`;
  const child = spawn(process.execPath, ['-e', program, file, text], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return () => child.stdin.end('commit');
}
