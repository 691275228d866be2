/** Long because each question about the table has a statement and a method. */
import type { GraphNode, NodeKey, NodeType } from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';

/** A node with what the projection stores beside it. */
export interface StoredNode extends GraphNode {
  /** The number of its key. */
  readonly id: number;
  /** The label as a file name, before collisions are settled. */
  readonly baseName: string;
  /** The name in the form that forgiving look-ups compare. */
  readonly foldedName: string;
  /** The revision of the graph in which the content of the node's page last changed. */
  readonly revision: number;
  /** When its listing last changed: to another name or another type. */
  readonly listedMs: number;
}

/** The part of a node that is needed to show that it exists. */
export type NodeReference = Pick<
  StoredNode,
  'id' | 'key' | 'type' | 'name' | 'changedMs' | 'revision' | 'listedMs'
>;

/** The part of a node that its page shows, without relations. */
export type ShownNode = Pick<
  StoredNode,
  'id' | 'display' | 'type' | 'description' | 'weight' | 'confidence' | 'sources' | 'properties'
>;

/** A node whose page has changed. */
export interface ChangedNode extends Pick<StoredNode, 'id' | 'name' | 'type'> {
  /** The revision in which its listing last changed. */
  readonly listedRevision: number;
}

/** The part of a node that is needed to recognise its name in a text. */
export type NodeIdentity = Pick<
  StoredNode,
  'key' | 'type' | 'label' | 'display' | 'name' | 'weight' | 'confidence'
>;

/** The part of a node that is needed to list it. */
export type ListedNode = Pick<StoredNode, 'id' | 'key' | 'type' | 'label' | 'display' | 'name'>;

/** What the projection derives from the mentions of a node. Names are settled afterwards. */
export type DerivedNode = Omit<
  StoredNode,
  'display' | 'name' | 'foldedName' | 'degree' | 'changedMs' | 'revision' | 'listedMs'
>;

/** A node as the projection last made it. */
export interface StandingNode extends Omit<DerivedNode, 'sources' | 'properties'> {
  readonly name: string;
  /** A list of texts, as JSON. */
  readonly sources: string;
  /** Texts by name, as JSON. */
  readonly properties: string;
}

/** A node that competes for a name, and the name that it has. */
export type NameRival = Pick<StoredNode, 'id' | 'key' | 'type' | 'label' | 'name'>;

/** How a node is listed. */
export type NodeNames = Pick<StoredNode, 'display' | 'name' | 'foldedName'>;

/** A revision of the graph, and when it was made. */
export interface Revision {
  readonly revision: number;
  readonly nowMs: number;
}

/** A node that was found by its name, with what its page shows in the stored form. */
export interface FoundNode extends NodeReference, Omit<ShownNode, 'sources' | 'properties'> {
  /** A list of texts, as JSON. */
  readonly sources: string;
  /** Texts by name, as JSON. */
  readonly properties: string;
}

type ShownRow = [
  display: string,
  type: NodeType,
  description: string,
  weight: number,
  confidence: number,
  sources: string,
  properties: string,
];

type FoundRow = [
  id: number,
  key: NodeKey,
  name: string,
  changedMs: number,
  revision: number,
  listedMs: number,
  ...ShownRow,
];

type NodeColumns = Omit<StoredNode, 'properties' | 'sources'> & { properties: string; sources: string };

const COLUMNS = `id, key, type, label, base_name AS baseName, display, name, folded_name AS foldedName, description, properties,
  weight, confidence, sources, changed_ms AS changedMs, revision, listed_ms AS listedMs,
  (SELECT count(*) FROM edges WHERE source_id = nodes.id) + (SELECT count(*) FROM edges WHERE target_id = nodes.id) AS degree`;

/** The nodes of the graph. They are derived from contributions by the projection, and from nothing else. */
export class NodeTable {
  readonly #byId: PreparedStatement<[number], NodeColumns>;
  readonly #listed: PreparedStatement<[string], ListedNode>;
  readonly #has: PreparedStatement<[number], { id: number }>;
  readonly #byKey: PreparedStatement<[string], NodeColumns>;
  readonly #shown: PreparedStatement<[number], ShownRow>;
  readonly #changedSince: PreparedStatement<[number, number], ChangedNode>;
  readonly #namesAfter: PreparedStatement<[string, number], string>;
  readonly #namesOfTypeAfter: PreparedStatement<[NodeType, string, number], string>;
  readonly #found: PreparedStatement<[string], FoundRow>;
  readonly #byName: PreparedStatement<[string], NodeColumns>;
  readonly #byFoldedName: PreparedStatement<[string], NodeColumns>;
  readonly #standing: PreparedStatement<[number], StandingNode>;
  readonly #rivals: PreparedStatement<[string], NameRival>;
  readonly #all: PreparedStatement<[], NodeColumns>;
  readonly #names: PreparedStatement<[], { name: string; type: NodeType }>;
  readonly #identities: PreparedStatement<[], NodeIdentity>;
  readonly #idsOfType: PreparedStatement<[NodeType], number>;
  readonly #counts: PreparedStatement<[], { type: NodeType; total: number }>;
  readonly #add: PreparedStatement<(string | number)[]>;
  readonly #update: PreparedStatement<(string | number)[]>;
  readonly #rename: PreparedStatement<[string, string, string, number]>;
  readonly #list: PreparedStatement<[number, number, number]>;
  readonly #touch: PreparedStatement<[number, number, number]>;
  readonly #remove: PreparedStatement<[number]>;

  constructor(database: Database) {
    const select = <Arguments extends unknown[]>(rest: string) =>
      database.prepare<Arguments, NodeColumns>(`SELECT ${COLUMNS} FROM nodes ${rest}`);
    this.#byId = select('WHERE id = ?');
    this.#listed = database.prepare(`
      SELECT id, key, type, label, display, name FROM nodes WHERE id IN (SELECT value FROM json_each(?))`);
    this.#has = database.prepare('SELECT id FROM nodes WHERE id = ?');
    this.#byKey = select('WHERE key = ?');
    // Rows are lists: objects with names would add half to the time of the query.
    this.#found = database
      .prepare<[string], FoundRow>(`
        SELECT id, key, name, changed_ms, revision, listed_ms, display, type, description, weight, confidence, sources, properties
        FROM nodes WHERE name = ? ORDER BY key`)
      .raw();
    this.#shown = database
      .prepare<[number], ShownRow>(
        'SELECT display, type, description, weight, confidence, sources, properties FROM nodes WHERE id = ?',
      )
      .raw();
    this.#changedSince = database.prepare(
      'SELECT id, name, type, listed_revision AS listedRevision FROM nodes WHERE revision > ? LIMIT ?',
    );
    this.#namesAfter = database
      .prepare<[string, number], string>('SELECT name FROM nodes WHERE name > ? ORDER BY name LIMIT ?')
      .pluck();
    this.#namesOfTypeAfter = database
      .prepare<[NodeType, string, number], string>(
        'SELECT name FROM nodes WHERE type = ? AND name > ? ORDER BY name LIMIT ?',
      )
      .pluck();
    this.#byName = select('WHERE name = ? ORDER BY key');
    this.#byFoldedName = select('WHERE folded_name = ? ORDER BY key');
    this.#standing = database.prepare(`
      SELECT id, key, type, label, base_name AS baseName, name, description, properties, weight, confidence, sources
      FROM nodes WHERE id = ?`);
    this.#rivals = database.prepare('SELECT id, key, type, label, name FROM nodes WHERE base_name = ?');
    this.#all = select('ORDER BY name, key');
    this.#names = database.prepare('SELECT name, type FROM nodes ORDER BY name, key');
    this.#identities = database.prepare(
      'SELECT key, type, label, display, name, weight, confidence FROM nodes ORDER BY key',
    );
    this.#idsOfType = database.prepare<[NodeType], number>('SELECT id FROM nodes WHERE type = ?').pluck();
    this.#counts = database.prepare('SELECT type, count(*) AS total FROM nodes GROUP BY type');
    this.#add = database.prepare(`
      INSERT INTO nodes (id, key, type, label, base_name, display, name, folded_name, description, properties, weight,
        confidence, sources, changed_ms, revision, listed_ms, listed_revision)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#update = database.prepare(`
      UPDATE nodes SET type = ?, label = ?, base_name = ?, description = ?, properties = ?, weight = ?, confidence = ?,
        sources = ?, changed_ms = ?, revision = ?
      WHERE id = ?`);
    this.#rename = database.prepare('UPDATE nodes SET display = ?, name = ?, folded_name = ? WHERE id = ?');
    this.#list = database.prepare('UPDATE nodes SET listed_ms = ?, listed_revision = ? WHERE id = ?');
    this.#touch = database.prepare('UPDATE nodes SET changed_ms = ?, revision = ? WHERE id = ?');
    this.#remove = database.prepare('DELETE FROM nodes WHERE id = ?');
  }

  byId(id: number): StoredNode | undefined {
    return parse(this.#byId.get(id));
  }

  /** Those of these nodes that exist, in no particular order. */
  listed(ids: readonly number[]): ListedNode[] {
    return this.#listed.all(JSON.stringify(ids));
  }

  has(id: number): boolean {
    return this.#has.get(id) !== undefined;
  }

  byKey(key: string): StoredNode | undefined {
    return parse(this.#byKey.get(key));
  }

  /** The node that is listed under this very name, without everything that `byName` reads, at a fraction of its cost. */
  found(name: string): FoundNode | undefined {
    const row = this.#found.get(name);
    if (row === undefined) return undefined;
    const [id, key, listed, changedMs, revision, listedMs, display, type, description, weight, ...rest] = row;
    const [confidence, sources, properties] = rest;
    // biome-ignore format: as the row
    return { id, key, name: listed, changedMs, revision, listedMs, display, type, description, weight, confidence, sources, properties };
  }

  /** What the page of a node shows of the node itself. */
  shown(id: number): ShownNode | undefined {
    const row = this.#shown.get(id);
    if (row === undefined) return undefined;
    const [display, type, description, weight, confidence, sources, properties] = row;
    return {
      id,
      display,
      type,
      description,
      weight,
      confidence,
      sources: JSON.parse(sources),
      properties: JSON.parse(properties),
    };
  }

  /** Nodes whose page changed after a revision, at most `limit` of them. */
  changedSince(revision: number, limit: number): ChangedNode[] {
    return this.#changedSince.all(revision, limit);
  }

  /** Listed names after this one in name order, at most `limit` of them. */
  namesAfter(name: string, limit: number, type?: NodeType): string[] {
    return type === undefined
      ? this.#namesAfter.all(name, limit)
      : this.#namesOfTypeAfter.all(type, name, limit);
  }

  /** The node that is listed under this very name. */
  byName(name: string): StoredNode | undefined {
    return parse(this.#byName.get(name));
  }

  /** Nodes whose name differs from this one only in case and punctuation, sorted by key. */
  byFoldedName(folded: string): StoredNode[] {
    return this.#byFoldedName.all(folded).map(parseRow);
  }

  /** What the projection last made of a node, at a fraction of the cost of `byId`. */
  standing(id: number): StandingNode | undefined {
    return this.#standing.get(id);
  }

  /** All nodes that compete for this name, in no particular order. */
  rivals(baseName: string): NameRival[] {
    return this.#rivals.all(baseName);
  }

  /** All nodes in name order. Rows are read as they are asked for. */
  *all(): Generator<StoredNode> {
    for (const row of this.#all.iterate()) yield parseRow(row);
  }

  /** Every listed name with its type, in name order. */
  names(): { name: string; type: NodeType }[] {
    return this.#names.all();
  }

  /** All nodes, sorted by key. */
  identities(): NodeIdentity[] {
    return this.#identities.all();
  }

  /** The ids of all nodes of a type, in no particular order. */
  idsOfType(type: NodeType): number[] {
    return this.#idsOfType.all(type);
  }

  countsByType(): Map<NodeType, number> {
    return new Map(this.#counts.all().map(({ type, total }) => [type, total]));
  }

  /** Adds a node, listed since this revision. */
  add(node: DerivedNode, { display, name, foldedName }: NodeNames, { nowMs, revision }: Revision): void {
    const { id, key, type, label, baseName, description, weight, confidence } = node;
    const [properties, sources] = [JSON.stringify(node.properties), JSON.stringify(node.sources)];
    // biome-ignore format: the order of the columns
    this.#add.run(id, key, type, label, baseName, display, name, foldedName, description, properties, weight,
      confidence, sources, nowMs, revision, nowMs, revision);
  }

  /** Changes a node in this revision. Its name stays until names are settled. */
  update(node: DerivedNode, { nowMs, revision }: Revision): void {
    const { id, type, label, baseName, description, weight, confidence } = node;
    const [properties, sources] = [JSON.stringify(node.properties), JSON.stringify(node.sources)];
    // biome-ignore format: the order of the columns
    this.#update.run(type, label, baseName, description, properties, weight, confidence, sources, nowMs, revision, id);
  }

  rename(id: number, { display, name, foldedName }: NodeNames): void {
    this.#rename.run(display, name, foldedName, id);
  }

  /** Notes that a node is listed under another name, or under another type. */
  listAnew(id: number, at: Revision): void {
    this.#list.run(at.nowMs, at.revision, id);
  }

  /** Notes that the content of a node's page has changed. */
  touch(id: number, at: Revision): void {
    this.#touch.run(at.nowMs, at.revision, id);
  }

  remove(id: number): void {
    this.#remove.run(id);
  }
}

function parse(row: NodeColumns | undefined): StoredNode | undefined {
  return row && parseRow(row);
}

function parseRow(row: NodeColumns): StoredNode {
  return { ...row, properties: JSON.parse(row.properties), sources: JSON.parse(row.sources) };
}
