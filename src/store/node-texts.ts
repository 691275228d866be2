import type { EdgeType, NodeKey, NodeType } from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';

/** What a node says of itself. */
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

/** A relation in words: the labels of its ends. */
export interface RelationText {
  readonly source: string;
  readonly type: EdgeType;
  readonly target: string;
}

/** More of a hub are no help in finding it. */
const MAX_RELATIONS = 24;

/**
 * Nodes as search is to find them. Those of documents are not among them, since the documents themselves are found.
 */
export class NodeTextTable {
  readonly #changed: PreparedStatement<[number], NodeText>;
  readonly #keys: PreparedStatement<[], NodeKey>;
  readonly #relations: PreparedStatement<[{ id: number; limit: number }], RelationText>;

  constructor(database: Database) {
    const isNode = `key NOT LIKE 'document:%'`;
    this.#changed = database.prepare(`
      SELECT id, key, type, display, base_name AS baseName, description, properties, changed_ms AS changedMs
      FROM nodes WHERE revision > ? AND ${isNode} ORDER BY key`);
    this.#keys = database.prepare<[], NodeKey>(`SELECT key FROM nodes WHERE ${isNode}`).pluck();
    // A link and a heading say less than a sentence that names the relation.
    const says = `type NOT IN ('references', 'contains')`;
    this.#relations = database.prepare(`
      SELECT source, type, target FROM (
        SELECT s.display AS source, e.type AS type, t.display AS target, e.weight AS weight FROM edges e
          JOIN nodes s ON s.id = e.source_id JOIN nodes t ON t.id = e.target_id WHERE e.source_id = @id AND e.${says}
        UNION
        SELECT s.display, e.type, t.display, e.weight FROM edges e
          JOIN nodes s ON s.id = e.source_id JOIN nodes t ON t.id = e.target_id WHERE e.target_id = @id AND e.${says})
      ORDER BY weight DESC, source, type, target LIMIT @limit`);
  }

  /** Nodes whose page changed after a revision, new ones among them; by key. */
  changedAfter(revision: number): NodeText[] {
    return this.#changed.all(revision);
  }

  keys(): NodeKey[] {
    return this.#keys.all();
  }

  /** The strongest ones first, at most two dozen; links and what documents contain are not among them. */
  relations(id: number): RelationText[] {
    return this.#relations.all({ id, limit: MAX_RELATIONS });
  }
}
