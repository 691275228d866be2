import type { EdgeType, NodeKey, NodeType } from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';

/**
 * What each row of `nodes` and `edges` was before it changed: `until_revision` is the first revision in which it is different, and `is_there` tells whether
 * there was such a row at all. So the row at a revision is the first of those with a later `until_revision`, or else the present row.
 *
 * Triggers of the connection that writes keep the history up to date, whatever writes. They are made from the columns that the tables have.
 */
const TABLES = [
  {
    table: 'nodes',
    history: 'node_history',
    id: ['id'],
    /** These columns say when a node changed, and not what it is. */
    unkept: ['changed_ms', 'revision', 'listed_ms', 'listed_revision'],
    indexes: ['name', 'key', 'folded_name'],
  },
  {
    table: 'edges',
    history: 'edge_history',
    id: ['source_id', 'target_id', 'type'],
    unkept: [],
    indexes: ['target_id'],
  },
] as const;

type HistoryTables = (typeof TABLES)[number];

/** Makes the tables if they are missing, and lets them follow what this connection writes from now on. */
export function keepHistory(database: Database): void {
  for (const tables of TABLES) {
    const columns = keptColumns(database, tables);
    makeTable(database, tables, columns);
    makeTriggers(database, tables, columns);
  }
}

function keptColumns(database: Database, { table, unkept }: HistoryTables): string[] {
  const without = new Set<string>(unkept);
  return columnsOf(database, table).filter((column) => !without.has(column));
}

function columnsOf(database: Database, table: string): string[] {
  return database.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
}

function makeTable(database: Database, { history, id, indexes }: HistoryTables, columns: string[]): void {
  const known = new Set(columnsOf(database, history));
  if (known.size === 0) {
    const definitions = columns.map((column) => (isKey(id, column) ? `${column} NOT NULL` : column));
    database.exec(`CREATE TABLE ${history} (until_revision INTEGER NOT NULL, is_there INTEGER NOT NULL, ${definitions.join(', ')},
      PRIMARY KEY (${id.join(', ')}, until_revision)) WITHOUT ROWID;
      CREATE INDEX ${history}_by_revision ON ${history} (until_revision);`);
    for (const column of indexes)
      database.exec(`CREATE INDEX ${history}_by_${column} ON ${history} (${column})`);
    return;
  }
  for (const column of columns) {
    if (!known.has(column)) database.exec(`ALTER TABLE ${history} ADD COLUMN ${column}`);
  }
}

function makeTriggers(database: Database, { table, history, id }: HistoryTables, columns: string[]): void {
  const next = "(SELECT ifnull(max(CAST(value AS INTEGER)), 0) + 1 FROM main.meta WHERE name = 'revision')";
  /** Notes a row only before its first change in a revision. A conflict clause would not do, since that of the outer statement overrides it. */
  const note = (row: 'OLD' | 'NEW', values: readonly string[]) => {
    const isNoted = id.map((column) => `${column} = ${row}.${column}`).join(' AND ');
    return `INSERT INTO ${history} (until_revision, is_there, ${columns.join(', ')})
      SELECT ${next}, ${row === 'OLD' ? 1 : 0}, ${values.join(', ')}
      WHERE NOT EXISTS (SELECT 1 FROM ${history} WHERE ${isNoted} AND until_revision = ${next});`;
  };
  const before = columns.map((column) => `OLD.${column}`);
  const nothing = columns.map((column) => (isKey(id, column) ? `NEW.${column}` : 'NULL'));
  const differs = columns.map((column) => `OLD.${column} IS NOT NEW.${column}`).join(' OR ');
  database.exec(`
    CREATE TEMP TRIGGER ${history}_insert AFTER INSERT ON main.${table} BEGIN ${note('NEW', nothing)} END;
    CREATE TEMP TRIGGER ${history}_update AFTER UPDATE ON main.${table} WHEN ${differs} BEGIN ${note('OLD', before)} END;
    CREATE TEMP TRIGGER ${history}_delete AFTER DELETE ON main.${table} BEGIN ${note('OLD', before)} END;`);
}

function isKey(id: readonly string[], column: string): boolean {
  return id.includes(column);
}

/** A node as it was at a revision. */
export interface PastNode {
  readonly id: number;
  readonly key: NodeKey;
  readonly type: NodeType;
  readonly display: string;
  readonly name: string;
  readonly foldedName: string;
  readonly description: string;
  readonly weight: number;
  readonly confidence: number;
  /** A list of texts, as JSON. */
  readonly sources: string;
  /** Texts by name, as JSON. */
  readonly properties: string;
}

/** An edge as it was at a revision. */
export interface PastEdge {
  readonly sourceId: number;
  readonly targetId: number;
  readonly type: EdgeType;
  readonly weight: number;
  readonly confidence: number;
  readonly description: string;
  /** A list of texts, as JSON. */
  readonly evidence: string;
}

export interface EdgeId {
  readonly sourceId: number;
  readonly targetId: number;
  readonly type: EdgeType;
}

const NODE_COLUMNS = `id, key, type, display, name, folded_name AS foldedName, description, weight, confidence, sources, properties`;
const EDGE_COLUMNS =
  'source_id AS sourceId, target_id AS targetId, type, weight, confidence, description, evidence';

type Past<Row> = Row & { readonly isThere: number };

/** The graph as it was at any revision since its history is kept. */
export class GraphHistory {
  readonly #node: PreparedStatement<[number], PastNode>;
  readonly #nodeBefore: PreparedStatement<[number, number], Past<PastNode>>;
  readonly #idsOfName: PreparedStatement<[{ value: string }], number>;
  readonly #idsOfKey: PreparedStatement<[{ value: string }], number>;
  readonly #idsOfFoldedName: PreparedStatement<[{ value: string }], number>;
  readonly #edge: PreparedStatement<[number, number, string], PastEdge>;
  readonly #edgeBefore: PreparedStatement<[number, number, string, number], Past<PastEdge>>;
  readonly #edgesOfNode: PreparedStatement<[{ id: number }], EdgeId>;
  readonly #changedNodes: PreparedStatement<[number, number], number>;
  readonly #changedEdges: PreparedStatement<[number, number], EdgeId>;
  readonly #prunings: readonly PreparedStatement<[number]>[];

  constructor(database: Database) {
    this.#node = database.prepare(`SELECT ${NODE_COLUMNS} FROM nodes WHERE id = ?`);
    this.#nodeBefore = database.prepare(`SELECT is_there AS isThere, ${NODE_COLUMNS} FROM node_history
      WHERE id = ? AND until_revision > ? ORDER BY until_revision LIMIT 1`);
    const idsOf = (column: string) =>
      database
        .prepare<[{ value: string }], number>(
          `SELECT id FROM nodes WHERE ${column} = @value UNION SELECT id FROM node_history WHERE ${column} = @value`,
        )
        .pluck();
    this.#idsOfName = idsOf('name');
    this.#idsOfKey = idsOf('key');
    this.#idsOfFoldedName = idsOf('folded_name');
    this.#edge = database.prepare(
      `SELECT ${EDGE_COLUMNS} FROM edges WHERE source_id = ? AND target_id = ? AND type = ?`,
    );
    this.#edgeBefore = database.prepare(`SELECT is_there AS isThere, ${EDGE_COLUMNS} FROM edge_history
      WHERE source_id = ? AND target_id = ? AND type = ? AND until_revision > ? ORDER BY until_revision LIMIT 1`);
    const ids = 'source_id AS sourceId, target_id AS targetId, type';
    this.#edgesOfNode = database.prepare(`
      SELECT ${ids} FROM edges WHERE source_id = @id UNION SELECT ${ids} FROM edges WHERE target_id = @id
      UNION SELECT ${ids} FROM edge_history WHERE source_id = @id
      UNION SELECT ${ids} FROM edge_history WHERE target_id = @id`);
    this.#changedNodes = database
      .prepare<[number, number], number>(
        'SELECT DISTINCT id FROM node_history WHERE until_revision > ? AND until_revision <= ?',
      )
      .pluck();
    this.#changedEdges = database.prepare(
      `SELECT DISTINCT ${ids} FROM edge_history WHERE until_revision > ? AND until_revision <= ?`,
    );
    this.#prunings = TABLES.map((tables) => pruning(database, tables));
  }

  node(id: number, revision: number): PastNode | undefined {
    const before = this.#nodeBefore.get(id, revision);
    if (before === undefined) return this.#node.get(id);
    return before.isThere === 1 ? before : undefined;
  }

  /** Sorted by key, if several nodes were listed under one name. */
  nodesOfName(name: string, revision: number): PastNode[] {
    return this.#nodes(this.#idsOfName.all({ value: name }), revision, (node) => node.name === name);
  }

  nodeOfKey(key: NodeKey, revision: number): PastNode | undefined {
    return this.#nodes(this.#idsOfKey.all({ value: key }), revision, (node) => node.key === key)[0];
  }

  /** Sorted by key. */
  nodesOfFoldedName(folded: string, revision: number): PastNode[] {
    return this.#nodes(
      this.#idsOfFoldedName.all({ value: folded }),
      revision,
      (node) => node.foldedName === folded,
    );
  }

  edge({ sourceId, targetId, type }: EdgeId, revision: number): PastEdge | undefined {
    const before = this.#edgeBefore.get(sourceId, targetId, type, revision);
    if (before === undefined) return this.#edge.get(sourceId, targetId, type);
    return before.isThere === 1 ? before : undefined;
  }

  /** All edges that lead away from a node or to it, in no particular order. */
  edgesOfNode(id: number, revision: number): PastEdge[] {
    return this.#edgesOfNode.all({ id }).flatMap((edge) => this.edge(edge, revision) ?? []);
  }

  /** Nodes that may differ between a revision and a later one. */
  changedNodes(revision: number, later: number): number[] {
    return this.#changedNodes.all(revision, later);
  }

  /** Edges that may differ between a revision and a later one. */
  changedEdges(revision: number, later: number): EdgeId[] {
    return this.#changedEdges.all(revision, later);
  }

  /** Forgets what was written in the last revision about rows that are the same as before it. */
  prune(revision: number): void {
    for (const pruning of this.#prunings) pruning.run(revision);
  }

  #nodes(ids: readonly number[], revision: number, isMeant: (node: PastNode) => boolean): PastNode[] {
    return ids
      .flatMap((id) => this.node(id, revision) ?? [])
      .filter(isMeant)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}

function pruning(database: Database, tables: HistoryTables): PreparedStatement<[number]> {
  const { table, history, id } = tables;
  const isSame = (columns: readonly string[]) =>
    columns.map((column) => `now.${column} IS before.${column}`).join(' AND ');
  return database.prepare(`DELETE FROM ${history} AS before WHERE until_revision = ? AND (
    (is_there = 1 AND EXISTS (SELECT 1 FROM ${table} AS now WHERE ${isSame(keptColumns(database, tables))})) OR
    (is_there = 0 AND NOT EXISTS (SELECT 1 FROM ${table} AS now WHERE ${isSame(id)})))`);
}
