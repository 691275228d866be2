import { hash } from 'node:crypto';
import type { Database } from './database.ts';

/** Entries whose content was lost, as places, by what they contain now. */
export interface LostContents {
  /** The text that search had of the entry, in lower case. */
  readonly asSearched: readonly string[];
  readonly asBefore: readonly string[];
  /** Nothing was left, so the entries were removed. */
  readonly gone: readonly string[];
}

interface LostRow {
  readonly id: number;
  readonly place: string;
  readonly sha256: string;
  readonly folded: string | null;
}

interface VersionRow {
  readonly sha256: string;
  readonly content: Buffer;
}

/** Restores what is left of the content of entries that have none. Afterwards each entry has a content, which all code that reads memory relies on. */
export function settleLostContents(database: Database): LostContents {
  const version = database.prepare<[number, string], VersionRow>(
    'SELECT sha256, content FROM memory_versions WHERE entry_id = ? ORDER BY sha256 = ? DESC, version DESC LIMIT 1',
  );
  const put = database.prepare<[number, Uint8Array]>('INSERT INTO memory_contents VALUES (?, ?)');
  const correct = database.prepare<[string, number, number]>(
    'UPDATE memory_entries SET sha256 = ?, size_bytes = ? WHERE id = ?',
  );
  const forget = database.prepare<[number]>('DELETE FROM memory_entries WHERE id = ?');
  const lost = { asSearched: [] as string[], asBefore: [] as string[], gone: [] as string[] };
  const settle = ({ id, place, sha256, folded }: LostRow): void => {
    const before = version.get(id, sha256);
    const isTheSame = before?.sha256 === sha256;
    // The text that search has begins with the key.
    const searched = folded === null ? undefined : Buffer.from(folded.slice(folded.indexOf('\n') + 1));
    const content = isTheSame ? before.content : (searched ?? before?.content);
    if (content === undefined) forget.run(id);
    else {
      put.run(id, content);
      correct.run(hash('sha256', content), content.byteLength, id);
    }
    if (isTheSame) return;
    if (searched !== undefined) lost.asSearched.push(place);
    else if (before !== undefined) lost.asBefore.push(place);
    else lost.gone.push(place);
  };
  const rows = database.prepare<[], LostRow>(`
    SELECT e.id AS id, type || '/' || iif(folder = '', '', folder || '/') || name AS place, sha256, folded
    FROM memory_entries e LEFT JOIN memory_texts USING (id)
    WHERE NOT EXISTS (SELECT 1 FROM memory_contents c WHERE c.id = e.id)`);
  database
    .transaction(() => {
      for (const row of rows.all()) settle(row);
    })
    .immediate();
  return lost;
}
