/** Long because each question about the table has a statement and a method. */
import {
  type EdgeType,
  EXTRACTED_BY,
  type GraphEdge,
  type NodeKey,
  type NodeType,
} from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';

/** An edge with the ids and display labels of its ends. */
export interface StoredEdge extends GraphEdge {
  readonly sourceId: number;
  readonly targetId: number;
  readonly sourceDisplay: string;
  readonly targetDisplay: string;
}

/** What the projection derives from the statements about a pair. */
export type DerivedEdge = Omit<GraphEdge, 'source' | 'target'>;

/** An edge that is new, that has changed, or that is gone. */
export interface EdgeChange {
  readonly type: EdgeType;
  readonly by: 1 | 0 | -1;
}

/** The edge at one side of a node, as searches over the graph walk along it. */
export interface Step {
  readonly id: number;
  readonly key: NodeKey;
  readonly nodeType: NodeType;
  readonly type: EdgeType;
  readonly direction: 'out' | 'in';
}

/** An edge as seen from one of its ends. */
export interface Relation {
  readonly direction: 'out' | 'in';
  readonly type: EdgeType;
  readonly weight: number;
  readonly confidence: number;
  readonly evidence: readonly string[];
  /** The display label of the other end. */
  readonly display: string;
  /** The model that found the edge, if no rule did. */
  readonly extractedBy?: string;
}

/** An edge as a tree needs it that grows from one of its ends. */
export interface Branch {
  /** The id of the node at the other end. */
  readonly id: number;
  readonly display: string;
  readonly nodeType: NodeType;
  readonly type: EdgeType;
  readonly direction: 'out' | 'in';
  readonly weight: number;
}

interface NeighbourChoice {
  readonly id: number;
  readonly out: 0 | 1;
  readonly in: 0 | 1;
  /** A list as JSON; null for all types. */
  readonly types: string | null;
  readonly but: number;
}

/** An edge as the list of its type shows it. */
export type TypedEdge = Pick<
  StoredEdge,
  'type' | 'sourceDisplay' | 'targetDisplay' | 'weight' | 'confidence' | 'evidence'
>;

type TypedRow = [
  sourceDisplay: string,
  targetDisplay: string,
  weight: number,
  confidence: number,
  evidence: string,
];

type RelationRow = [
  isIncoming: number,
  type: EdgeType,
  weight: number,
  confidence: number,
  evidence: string,
  display: string,
  extractedBy: string,
];

type PairColumns = Omit<DerivedEdge, 'properties' | 'evidence'> & { evidence: string; extractedBy: string };
type EdgeColumns = Omit<StoredEdge, 'properties' | 'evidence'> & { evidence: string; extractedBy: string };

const MANY_RELATIONS = 1000;

const SELECT = `SELECT source_id AS sourceId, target_id AS targetId, s.key AS source, t.key AS target,
  s.display AS sourceDisplay, t.display AS targetDisplay, edges.type AS type, edges.weight AS weight,
  edges.confidence AS confidence, edges.description AS description, evidence,
  extracted_by AS extractedBy FROM edges JOIN nodes s ON s.id = source_id JOIN nodes t ON t.id = target_id`;

/** The edges of the graph. They are derived from contributions by the projection, and from nothing else. */
export class EdgeTable {
  readonly #ofPair: PreparedStatement<[number, number], PairColumns>;
  readonly #outgoing: PreparedStatement<[number], EdgeColumns>;
  readonly #incoming: PreparedStatement<[number], EdgeColumns>;
  readonly #among: PreparedStatement<[string], [type: EdgeType, ...TypedRow]>;
  readonly #neighbours: PreparedStatement<[{ id: number }], number>;
  readonly #ofType: PreparedStatement<[string], TypedRow>;
  readonly #all: PreparedStatement<[], EdgeColumns>;
  readonly #relations: PreparedStatement<[{ id: number }], RelationRow>;
  readonly #fewRelations: PreparedStatement<[{ id: number }], RelationRow>;
  readonly #sides: PreparedStatement<[{ id: number }], { type: EdgeType; direction: 'out' | 'in' }>;
  readonly #targetNames: PreparedStatement<[number, EdgeType, number], string>;
  readonly #sourceNames: PreparedStatement<[number, EdgeType, number], string>;
  readonly #has: PreparedStatement<[number, number, EdgeType], unknown>;
  readonly #steps: PreparedStatement<[{ id: number }], Step>;
  readonly #branchesOut: PreparedStatement<[number], Branch>;
  readonly #branchesIn: PreparedStatement<[number], Branch>;
  readonly #neighbourCount: PreparedStatement<[NeighbourChoice], number>;
  readonly #ends: PreparedStatement<[], { type: EdgeType; sources: string; targets: string }>;
  readonly #counts: PreparedStatement<[], { type: EdgeType; total: number }>;
  readonly #evidenceFrom: PreparedStatement<[number, EdgeType], [targetId: number, evidence: string]>;
  readonly #put: PreparedStatement<[number, number, string, number, number, string, string, string]>;
  readonly #removePair: PreparedStatement<[number, number]>;

  constructor(database: Database) {
    const select = <Arguments extends unknown[]>(rest: string) =>
      database.prepare<Arguments, EdgeColumns>(`${SELECT} ${rest}`);
    this.#ofPair =
      database.prepare(`SELECT type, weight, confidence, description, evidence, extracted_by AS extractedBy FROM edges
      WHERE source_id = ? AND target_id = ? ORDER BY type`);
    this.#outgoing = select('WHERE source_id = ?');
    this.#incoming = select('WHERE target_id = ?');
    // The plus sign keeps SQLite from using the index on the target, which would look up each pair of the few nodes.
    this.#among = database
      .prepare<[string], [type: EdgeType, ...TypedRow]>(`
        WITH reached AS MATERIALIZED (SELECT value AS id FROM json_each(?))
        SELECT edges.type, s.display, t.display, edges.weight, edges.confidence, evidence
        FROM reached CROSS JOIN edges ON source_id = reached.id
          JOIN nodes s ON s.id = source_id JOIN nodes t ON t.id = target_id
        WHERE +target_id IN (SELECT id FROM reached)`)
      .raw();
    this.#neighbours = database
      .prepare<[{ id: number }], number>(`
        SELECT target_id FROM edges WHERE source_id = @id UNION ALL SELECT source_id FROM edges WHERE target_id = @id`)
      .pluck();
    this.#ofType = database
      .prepare<[string], TypedRow>(`
        SELECT s.display, t.display, edges.weight, edges.confidence, evidence
        FROM edges JOIN nodes s ON s.id = source_id JOIN nodes t ON t.id = target_id
        WHERE edges.type = ? ORDER BY s.name, t.name`)
      .raw();
    this.#all = select('ORDER BY s.name, t.name, edges.type');
    // The limit is part of the text: a bound one adds half to the time, even if it is never reached.
    const selectRelations = (rest: string) =>
      database
        .prepare<[{ id: number }], RelationRow>(`
          SELECT 0, edges.type, edges.weight, edges.confidence, evidence, display, extracted_by
          FROM edges JOIN nodes ON nodes.id = target_id WHERE source_id = @id
          UNION ALL SELECT 1, edges.type, edges.weight, edges.confidence, evidence, display, extracted_by
          FROM edges JOIN nodes ON nodes.id = source_id WHERE target_id = @id ${rest}`)
        .raw();
    this.#relations = selectRelations('');
    this.#fewRelations = selectRelations(`LIMIT ${MANY_RELATIONS}`);
    this.#sides = database.prepare(`
      SELECT DISTINCT type, 'out' AS direction FROM edges WHERE source_id = @id
      UNION ALL SELECT DISTINCT type, 'in' FROM edges WHERE target_id = @id`);
    const namesOf = (otherEnd: string, end: string) =>
      database
        .prepare<[number, EdgeType, number], string>(
          `SELECT name FROM edges JOIN nodes ON nodes.id = ${otherEnd} WHERE ${end} = ? AND edges.type = ? LIMIT ?`,
        )
        .pluck();
    this.#targetNames = namesOf('target_id', 'source_id');
    this.#sourceNames = namesOf('source_id', 'target_id');
    this.#has = database.prepare('SELECT 1 FROM edges WHERE source_id = ? AND target_id = ? AND type = ?');
    this.#steps = database.prepare(`
      SELECT nodes.id AS id, key, nodes.type AS nodeType, edges.type AS type, 'out' AS direction
      FROM edges JOIN nodes ON nodes.id = target_id WHERE source_id = @id
      UNION ALL SELECT nodes.id, key, nodes.type, edges.type, 'in'
      FROM edges JOIN nodes ON nodes.id = source_id WHERE target_id = @id`);
    const selectBranches = (end: string, otherEnd: string, direction: string) =>
      database.prepare<[number], Branch>(`
        SELECT nodes.id AS id, display, nodes.type AS nodeType, edges.type AS type, '${direction}' AS direction,
          edges.weight AS weight
        FROM edges JOIN nodes ON nodes.id = ${otherEnd} WHERE ${end} = ?`);
    this.#branchesOut = selectBranches('source_id', 'target_id', 'out');
    this.#branchesIn = selectBranches('target_id', 'source_id', 'in');
    const isChosen = '(@types IS NULL OR type IN (SELECT value FROM json_each(@types)))';
    this.#neighbourCount = database
      .prepare<[NeighbourChoice], number>(`
        SELECT count(*) FROM (
          SELECT target_id AS other FROM edges WHERE @out AND source_id = @id AND ${isChosen}
          UNION SELECT source_id FROM edges WHERE @in AND target_id = @id AND ${isChosen}
        ) WHERE other <> @but`)
      .pluck();
    this.#ends = database.prepare(`
      SELECT type, group_concat(source_id) AS sources, group_concat(target_id) AS targets
      FROM edges GROUP BY type ORDER BY type`);
    this.#counts = database.prepare('SELECT type, count(*) AS total FROM edges GROUP BY type');
    this.#evidenceFrom = database
      .prepare<[number, EdgeType], [targetId: number, evidence: string]>(
        'SELECT target_id, evidence FROM edges WHERE source_id = ? AND type = ?',
      )
      .raw();
    this.#put = database.prepare('INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#removePair = database.prepare('DELETE FROM edges WHERE source_id = ? AND target_id = ?');
  }

  /** The edges on one or both sides of a node, in no particular order. */
  branches(id: number, direction: 'out' | 'in' | 'both'): Branch[] {
    return [
      ...(direction === 'in' ? [] : this.#branchesOut.all(id)),
      ...(direction === 'out' ? [] : this.#branchesIn.all(id)),
    ];
  }

  /** How many nodes `branches` leads to, not counting one of them. If types are given, only edges of these types count. */
  neighbourCount(
    id: number,
    direction: 'out' | 'in' | 'both',
    types: readonly string[] | undefined,
    but: number | undefined,
  ): number {
    return (
      this.#neighbourCount.get({
        id,
        out: direction === 'in' ? 0 : 1,
        in: direction === 'out' ? 0 : 1,
        types: types === undefined ? null : JSON.stringify(types),
        but: but ?? -1,
      }) ?? 0
    );
  }

  /** The edges that lead away from a node, in no particular order. */
  outgoing(id: number): StoredEdge[] {
    return this.#outgoing.all(id).map(parseRow);
  }

  /** The edges that lead to a node, in no particular order. */
  incoming(id: number): StoredEdge[] {
    return this.#incoming.all(id).map(parseRow);
  }

  /** The edges with both ends among these nodes, in no particular order. */
  among(ids: readonly number[]): TypedEdge[] {
    return this.#among.all(JSON.stringify(ids)).map(([type, ...row]) => typedEdgeOf(type, row));
  }

  /** The node at the other end of each edge of a node, in no particular order. Rows are read as they are asked for. */
  neighbours(id: number): IterableIterator<number> {
    return this.#neighbours.iterate({ id });
  }

  /** The edges from a node and to it, in no particular order, with what its page shows of them, by one query. */
  relations(id: number): Relation[] {
    return this.#relations.all({ id }).map(relationOf);
  }

  /** The same; undefined if there are so many that this takes more than a few milliseconds. */
  relationsUnlessMany(id: number): Relation[] | undefined {
    const rows = this.#fewRelations.all({ id });
    return rows.length === MANY_RELATIONS ? undefined : rows.map(relationOf);
  }

  /** The types of the edges that lead away from a node, and of those that lead to it. */
  sides(id: number): { type: EdgeType; direction: 'out' | 'in' }[] {
    return this.#sides.all({ id });
  }

  /** Names of the nodes that edges of a type lead to from a node, in no particular order, at most `limit` of them. */
  targetNames(id: number, type: EdgeType, limit: number): string[] {
    return this.#targetNames.all(id, type, limit);
  }

  /** Names of the nodes from which edges of a type lead to a node, in no particular order, at most `limit` of them. */
  sourceNames(id: number, type: EdgeType, limit: number): string[] {
    return this.#sourceNames.all(id, type, limit);
  }

  /** The evidence for the edges of a type that lead away from a node: for each edge a list of `file:line`, as JSON. */
  evidenceFrom(id: number, type: EdgeType): { readonly targetId: number; readonly evidence: string }[] {
    return this.#evidenceFrom.all(id, type).map(([targetId, evidence]) => ({ targetId, evidence }));
  }

  has(sourceId: number, targetId: number, type: EdgeType): boolean {
    return this.#has.get(sourceId, targetId, type) !== undefined;
  }

  /** Edges of a type, by the names of source and target. Rows are read as they are asked for. */
  *ofType(type: EdgeType): Generator<TypedEdge> {
    for (const row of this.#ofType.iterate(type)) yield typedEdgeOf(type, row);
  }

  /** All edges, by the names of source and target, then by type. Rows are read as they are asked for. */
  *all(): Generator<StoredEdge> {
    for (const row of this.#all.iterate()) yield parseRow(row);
  }

  /** The edges along which one can go from a node, in both directions, in no particular order. */
  steps(id: number): Step[] {
    return this.#steps.all({ id });
  }

  /** The ends of all edges, by type. SQLite joins them to one text for each type, which takes a fifth of the time of a row for each edge. */
  endsByType(): { type: EdgeType; sources: number[]; targets: number[] }[] {
    return this.#ends.all().map(({ type, sources, targets }) => {
      return { type, sources: JSON.parse(`[${sources}]`), targets: JSON.parse(`[${targets}]`) };
    });
  }

  countsByType(): Map<EdgeType, number> {
    return new Map(this.#counts.all().map(({ type, total }) => [type, total]));
  }

  /**
   * Replaces all edges from one node to another. Returns those that are new, have changed or are gone.
   * @param isNew whether there are no such edges yet, which saves a query
   */
  replacePair(
    sourceId: number,
    targetId: number,
    edges: readonly DerivedEdge[],
    isNew = false,
  ): EdgeChange[] {
    const next = edges
      .map(({ evidence, properties, ...edge }) => {
        const extractedBy = properties[EXTRACTED_BY] ?? '';
        return { ...edge, evidence: JSON.stringify(evidence), extractedBy };
      })
      .sort((a, b) => (a.type < b.type ? -1 : 1));
    const before = isNew ? [] : this.#ofPair.all(sourceId, targetId);
    const changes = changesBetween(before, next);
    if (changes.length === 0) return [];
    if (before.length > 0) this.#removePair.run(sourceId, targetId);
    for (const { type, weight, confidence, description, evidence, extractedBy } of next) {
      this.#put.run(sourceId, targetId, type, weight, confidence, description, evidence, extractedBy);
    }
    return changes;
  }
}

/** The changes of one pair. */
function changesBetween(before: readonly PairColumns[], next: readonly PairColumns[]): EdgeChange[] {
  const gone = before.filter(({ type }) => !next.some((edge) => edge.type === type));
  const changes: EdgeChange[] = gone.map(({ type }) => ({ type, by: -1 }));
  for (const edge of next) {
    const known = before.find(({ type }) => type === edge.type);
    if (known === undefined) changes.push({ type: edge.type, by: 1 });
    else if (!isSame(known, edge)) changes.push({ type: edge.type, by: 0 });
  }
  return changes;
}

function isSame(a: PairColumns, b: PairColumns): boolean {
  return (
    a.weight === b.weight &&
    a.confidence === b.confidence &&
    a.description === b.description &&
    a.evidence === b.evidence &&
    a.extractedBy === b.extractedBy
  );
}

function typedEdgeOf(
  type: EdgeType,
  [sourceDisplay, targetDisplay, weight, confidence, evidence]: TypedRow,
): TypedEdge {
  return { type, sourceDisplay, targetDisplay, weight, confidence, evidence: JSON.parse(evidence) };
}

function parseRow({ extractedBy, ...row }: EdgeColumns): StoredEdge {
  const properties = extractedBy === '' ? {} : { [EXTRACTED_BY]: extractedBy };
  return { ...row, properties, evidence: JSON.parse(row.evidence) };
}

function relationOf(row: RelationRow): Relation {
  const [isIncoming, type, weight, confidence, evidence, display, extractedBy] = row;
  return {
    direction: isIncoming === 1 ? 'in' : 'out',
    type,
    weight,
    confidence,
    evidence: JSON.parse(evidence),
    display,
    ...(extractedBy === '' ? {} : { extractedBy }),
  };
}
