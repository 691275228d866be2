import { CONTEXT_SCHEMA } from './context-store.ts';
import { type DatabaseOptions, openDatabase, type Schema } from './database.ts';
import { INDEX_SCHEMA } from './store.ts';

/** The completion of a word in a shell must not wait. */
const HOW: DatabaseOptions = { readOnly: true, waitMs: 0 };

/** Names of nodes, as files have them, that begin like this in upper or lower case, in order. @throws UserError if there is no index to be read */
export function nodeNamesLike(indexFile: string, beginning: string, limit: number): string[] {
  return namesIn(indexFile, INDEX_SCHEMA, 'SELECT name FROM nodes', beginning, limit);
}

/** Entries of memory, such as `fact/refunds`, that begin like this. @throws UserError if there is no memory to be read */
export function memoryNamesLike(contextFile: string, beginning: string, limit: number): string[] {
  const entries = `SELECT type || '/' || iif(folder = '', '', folder || '/') || name AS name FROM memory_entries
    WHERE removed_ms IS NULL AND is_temporary = 0`;
  return namesIn(contextFile, CONTEXT_SCHEMA, `SELECT name FROM (${entries})`, beginning, limit);
}

/** Ids of sessions that begin like this. @throws UserError if there are none to be read */
export function sessionIdsLike(contextFile: string, beginning: string, limit: number): string[] {
  return namesIn(
    contextFile,
    CONTEXT_SCHEMA,
    'SELECT name FROM (SELECT id AS name FROM sessions)',
    beginning,
    limit,
  );
}

function namesIn(file: string, schema: Schema, select: string, beginning: string, limit: number): string[] {
  const database = openDatabase(file, schema, HOW);
  try {
    const pattern = `${beginning.replace(/[\\%_]/g, '\\$&')}%`;
    const rows = database
      .prepare<[string, number], { name: string }>(
        `${select} WHERE name LIKE ? ESCAPE '\\' ORDER BY name LIMIT ?`,
      )
      .all(pattern, limit);
    return rows.map(({ name }) => name);
  } finally {
    database.close();
  }
}
