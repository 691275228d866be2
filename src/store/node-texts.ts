import type { EdgeType, NodeKey, NodeType } from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';

/** The part of a node that is its own text. */
export interface NodeText {
  readonly id: number;
  readonly key: NodeKey;
  readonly type: NodeType;
  readonly display: string;
  readonly baseName: string;
  readonly description: string;
  /** Texts by name, as JSON. */
  readonly properties: string;
  readonly changedMs: number;
}

/** A relation in words, with the labels of its ends. */
export interface RelationText {
  readonly sourceId: number;
  readonly targetId: number;
  readonly source: string;
  readonly type: EdgeType;
  readonly target: string;
}

/** More relations of a hub do not help to find it. */
const MAX_RELATIONS = 24;
const ORDER = 'weight DESC, source, type, target';

/** The nodes that search finds. Nodes of documents are not among them, since the documents themselves are found. */
export class NodeTextTable {
  readonly #changed: PreparedStatement<[number], NodeText>;
  readonly #keys: PreparedStatement<[], NodeKey>;
  readonly #relations: PreparedStatement<[{ id: number }], RelationText>;
  readonly #allRelations: PreparedStatement<[], RelationText>;

  constructor(database: Database) {
    const isNode = `key NOT LIKE 'document:%'`;
    this.#changed = database.prepare(`
      SELECT id, key, type, display, base_name AS baseName, description, properties, changed_ms AS changedMs
      FROM nodes WHERE revision > ? AND ${isNode} ORDER BY key`);
    this.#keys = database.prepare<[], NodeKey>(`SELECT key FROM nodes WHERE ${isNode}`).pluck();
    // A link and a heading say less than a sentence that names the relation.
    const told = `SELECT source_id AS sourceId, target_id AS targetId, s.display AS source, e.type AS type, t.display AS target,
        e.weight AS weight FROM edges e JOIN nodes s ON s.id = e.source_id JOIN nodes t ON t.id = e.target_id
      WHERE e.type NOT IN ('references', 'contains')`;
    this.#relations = database.prepare(`
      SELECT * FROM (${told} AND source_id = @id UNION ${told} AND target_id = @id) ORDER BY ${ORDER} LIMIT ${MAX_RELATIONS}`);
    this.#allRelations = database.prepare(`${told} ORDER BY ${ORDER}`);
  }

  /** Nodes whose page changed after a revision, including new ones, sorted by key. */
  changedAfter(revision: number): NodeText[] {
    return this.#changed.all(revision);
  }

  keys(): NodeKey[] {
    return this.#keys.all();
  }

  /** The strongest relations of a node, at most two dozen. Links and the contents of documents are left out. */
  relations(id: number): RelationText[] {
    return this.#relations.all({ id });
  }

  /** The same for all nodes. */
  allRelations(): ReadonlyMap<number, readonly RelationText[]> {
    const byNode = new Map<number, RelationText[]>();
    for (const relation of this.#allRelations.iterate()) {
      for (const id of new Set([relation.sourceId, relation.targetId])) {
        const relations = byNode.get(id) ?? [];
        byNode.set(id, relations);
        if (relations.length < MAX_RELATIONS) relations.push(relation);
      }
    }
    return byNode;
  }
}
