import type { Database } from './database.ts';
import { openLogged } from './only-read.ts';

/** How the rows of each part of an index are selected for a comparison. The names are those of the parts. */
const PARTS = {
  documents: { sql: 'SELECT path, sha256, extractor_version, title FROM %.documents' },
  mentions: {
    sql: `SELECT path, key, declares, body FROM %.mentions
      LEFT JOIN %.keys k ON k.id = key_id LEFT JOIN %.documents d ON d.id = document_id`,
  },
  statements: {
    sql: `SELECT path, s.key AS source, type, t.key AS target, r.key AS resolved, body FROM %.statements
      LEFT JOIN %.keys s ON s.id = source_id LEFT JOIN %.keys t ON t.id = target_id
      LEFT JOIN %.keys r ON r.id = resolved_id LEFT JOIN %.documents d ON d.id = document_id`,
  },
  aliases: {
    sql: `SELECT path, key FROM %.aliases LEFT JOIN %.keys k ON k.id = alias_id
      LEFT JOIN %.documents d ON d.id = document_id`,
  },
  outlines: {
    sql: 'SELECT path, body FROM %.outlines LEFT JOIN %.documents d ON d.id = document_id',
  },
  nodes: {
    sql: `SELECT n.key AS key, k.key AS own, type, label, base_name, display, name, folded_name, description, properties,
        weight, confidence, sources
      FROM %.nodes n LEFT JOIN %.keys k ON k.id = n.id`,
  },
  edges: {
    sql: `SELECT @source_id AS source_id, @target_id AS target_id, s.key AS source, t.key AS target, type, weight, confidence,
        description, evidence, extracted_by
      FROM %.edges LEFT JOIN %.keys s ON s.id = source_id LEFT JOIN %.keys t ON t.id = target_id`,
  },
} as const;

export type IndexPart = keyof typeof PARTS;

/** A row that is not the same in two indexes. */
export interface IndexDifference {
  readonly part: IndexPart;
  /** For a part that comes from documents, the document; null if there is no such document. Undefined for nodes and edges. */
  readonly path?: string | null;
  /** The key of a node, or of the source of an edge; null for an id without a key. */
  readonly key?: string | null;
  /** The key of the target of an edge. */
  readonly target?: string | null;
}

/** If more than this differs, it is as good as everything. */
const MAX_DIFFERENCES = 200_000;

/**
 * Compares an index with another one that was just made from the docs. Ids differ between the two, so what they stand for is compared. The times and revisions
 * of indexing are not compared.
 */
export class IndexComparison {
  readonly #database: Database;

  /** @throws Error if one of them cannot be read */
  constructor(file: string, freshFile: string) {
    this.#database = openLogged(file, { timeout: 10_000 });
    this.#database.pragma('foreign_keys = ON');
    this.#database.prepare('ATTACH ? AS fresh').run(freshFile);
  }

  /** The rows that differ, each once, in all parts or in those that are named. */
  differences(parts: readonly IndexPart[] = PART_NAMES): IndexDifference[] {
    return this.#database.transaction(() => parts.flatMap((part) => this.#differencesOf(part))).deferred();
  }

  /** Documents that have the same content in both, but were read by the rules of another version. */
  readByOtherRules(): string[] {
    return this.#database
      .prepare<[], string>(
        `SELECT path FROM main.documents JOIN fresh.documents AS other USING (path)
         WHERE main.documents.sha256 = other.sha256 AND main.documents.extractor_version <> other.extractor_version`,
      )
      .pluck()
      .all();
  }

  /** How many edges have an end that is no node. */
  danglingEdges(): number {
    return this.#count(`SELECT count(*) FROM main.edges WHERE source_id NOT IN (SELECT id FROM main.nodes)
      OR target_id NOT IN (SELECT id FROM main.nodes)`);
  }

  /** How many nodes are declared neither by a document nor by two documents together. */
  undeclaredNodes(): number {
    return this.#count(`SELECT count(*) FROM main.nodes
      WHERE NOT EXISTS (SELECT 1 FROM main.mentions WHERE key_id = nodes.id AND declares = 1)
        AND (SELECT count(DISTINCT declares) FROM main.mentions WHERE key_id = nodes.id AND declares > 1) < 2`);
  }

  /** Removes the rows of the index that differ, and documents with all their rows, so that they are read again. */
  removeDifferences(differences: readonly IndexDifference[]): void {
    const run = (sql: string) => this.#database.prepare<unknown[]>(sql);
    const removeDocument = run('DELETE FROM main.documents WHERE path = ?');
    const removeNode = run('DELETE FROM main.nodes WHERE key = ?');
    const removeEdges = run(`DELETE FROM main.edges WHERE source_id = (SELECT id FROM main.keys WHERE key = ?)
      AND target_id = (SELECT id FROM main.keys WHERE key = ?)`);
    this.#database
      .transaction(() => {
        for (const { part, path, key, target } of differences) {
          if (part === 'nodes') removeNode.run(key);
          else if (part === 'edges') removeEdges.run(key, target);
          else if (typeof path === 'string') removeDocument.run(path);
        }
        const gone = 'document_id NOT IN (SELECT id FROM main.documents)';
        for (const table of ['mentions', 'statements', 'aliases', 'outlines']) {
          run(`DELETE FROM main.${table} WHERE ${gone}`).run();
        }
        run(`DELETE FROM main.edges WHERE source_id NOT IN (SELECT id FROM main.keys)
          OR target_id NOT IN (SELECT id FROM main.keys)`).run();
        run(
          'DELETE FROM main.nodes WHERE id NOT IN (SELECT id FROM main.keys WHERE keys.key = nodes.key)',
        ).run();
      })
      .immediate();
  }

  close(): void {
    this.#database.close();
  }

  #differencesOf(part: IndexPart): IndexDifference[] {
    const { sql } = PARTS[part];
    const of = (schema: string) =>
      sql
        .replaceAll('%', schema)
        .replace('@source_id', 'iif(s.key IS NULL, source_id, 0)')
        .replace('@target_id', 'iif(t.key IS NULL, target_id, 0)');
    const columns = columnsOf(part);
    const rows = this.#database.prepare<unknown[], IndexDifference>(`
      SELECT DISTINCT ${columns} FROM (
        SELECT * FROM (${of('main')} EXCEPT ${of('fresh')})
        UNION ALL SELECT * FROM (${of('fresh')} EXCEPT ${of('main')})
      ) LIMIT ${MAX_DIFFERENCES}`);
    return rows.all().map((row) => ({ ...row, part }));
  }

  #count(sql: string): number {
    return this.#database.prepare<[], number>(sql).pluck().get() ?? 0;
  }
}

const PART_NAMES: readonly IndexPart[] = [
  'documents',
  'mentions',
  'statements',
  'aliases',
  'outlines',
  'nodes',
  'edges',
];

function columnsOf(part: IndexPart): string {
  if (part === 'nodes') return 'key';
  return part === 'edges' ? 'source AS key, target' : 'path';
}
