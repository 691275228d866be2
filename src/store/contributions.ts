import type { EdgeType, Half, NodeKey } from '../core/graph-model.ts';
import type { Database, PreparedStatement } from './database.ts';

/** Everything that one document says of one node, as JSON (see `src/graph/contribution.ts`). */
export interface MentionRow {
  readonly keyId: number;
  /** Whether the mention makes the node exist. */
  readonly declares: boolean;
  /** Set if the mention makes the node exist only together with the other half. */
  readonly half?: Half | undefined;
  readonly body: string;
}

/** The stored number of a mention that makes the node exist by itself. Each half has a number of its own. */
const DECLARES = 1;
const HALVES: Readonly<Record<Half, number>> = { headed: 2, used: 3 };

/** The type of a relation. A `~` before it marks a relation that leads from target to source, since only a target may be a link. */
export type StatedType = EdgeType | `~${string}`;

export function isReverse(type: StatedType): boolean {
  return type.startsWith('~');
}

/** All places in one document that state one relation, as JSON. */
export interface StatementRow {
  readonly sourceId: number;
  readonly type: StatedType;
  /** The target as the text names it: a node, or a link that is still to be resolved. */
  readonly targetId: number;
  readonly body: string;
}

/** Two nodes that a statement relates, as it names them. */
export type StatedPair = Pick<ResolvedStatementRow, 'sourceId' | 'resolvedId' | 'type'>;

export interface ResolvedStatementRow extends StatementRow {
  /** The node that the target stands for; the target itself if it is no link or leads nowhere. */
  readonly resolvedId: number;
}

/** A row with the path of its document. */
export type FromDocument<Row> = Row & { readonly path: string };

/** Everything that one document contributes. It contains the keys themselves, so that it can be copied into another store. */
export interface WholeContribution {
  readonly aliases: readonly NodeKey[];
  readonly mentions: readonly (Omit<MentionRow, 'keyId'> & { readonly key: NodeKey })[];
  readonly statements: readonly {
    readonly source: NodeKey;
    readonly type: StatedType;
    readonly target: NodeKey;
    readonly body: string;
  }[];
}

/** Figures of a rule of extraction. */
export interface RuleFigures {
  readonly rule: string;
  /** How many relations it has read, each counted once in a document. */
  readonly statements: number;
  /** The average confidence that the rule itself gives them, with two decimals. */
  readonly confidence: number;
}

/** What each document contributes to the graph. It is kept for each document so that it can be taken back exactly. */
export class ContributionTables {
  readonly #mentionsOfDocument: PreparedStatement<[number], Pick<MentionRow, 'keyId' | 'body'>>;
  readonly #isDeclared: PreparedStatement<[{ keyId: number }], number>;
  readonly #mentionsOfKey: PreparedStatement<[number], FromDocument<{ body: string }>>;
  readonly #mentionsWith: PreparedStatement<[number, string], string>;
  readonly #putMention: PreparedStatement<[number, number, number, string]>;
  readonly #dropMention: PreparedStatement<[number, number]>;
  readonly #statementsOfDocument: PreparedStatement<[number], ResolvedStatementRow>;
  readonly #statementsOfPair: PreparedStatement<
    [{ sourceId: number; targetId: number }],
    FromDocument<{ type: EdgeType; body: string }>
  >;
  readonly #ruleFigures: PreparedStatement<[], RuleFigures>;
  readonly #pairsReadBy: PreparedStatement<[{ rules: string }], { sourceId: number; resolvedId: number }>;
  readonly #pairsOfNode: PreparedStatement<[{ id: number }], { sourceId: number; resolvedId: number }>;
  readonly #pairsOfTarget: PreparedStatement<[number], StatedPair>;
  readonly #putStatement: PreparedStatement<[number, number, string, number, number, string]>;
  readonly #dropStatement: PreparedStatement<[number, number, string, number, number]>;
  readonly #resolveTarget: PreparedStatement<[number, number]>;
  readonly #resolvedIn: PreparedStatement<[string], Pick<ResolvedStatementRow, 'targetId' | 'resolvedId'>>;
  readonly #countOf: PreparedStatement<[string], number>;
  readonly #linkingTo: PreparedStatement<[number, number], { path: string }>;
  readonly #aliasesOfDocument: PreparedStatement<[number], { aliasId: number }>;
  readonly #documentOfAlias: PreparedStatement<[number], { path: string }>;
  readonly #aliasKeys: PreparedStatement<[number], NodeKey>;
  readonly #wholeMentions: PreparedStatement<[number], { key: NodeKey; declares: number; body: string }>;
  readonly #wholeStatements: PreparedStatement<[number], WholeContribution['statements'][number]>;
  readonly #putAlias: PreparedStatement<[number, number]>;
  readonly #dropAlias: PreparedStatement<[number, number]>;

  constructor(database: Database) {
    this.#mentionsOfDocument = database.prepare(
      'SELECT key_id AS keyId, body FROM mentions WHERE document_id = ?',
    );
    this.#mentionsOfKey = database.prepare(
      'SELECT path, body FROM mentions JOIN documents ON id = document_id WHERE key_id = ? ORDER BY path',
    );
    this.#mentionsWith = database
      .prepare<[number, string], string>('SELECT body FROM mentions WHERE key_id = ? AND instr(body, ?) > 0')
      .pluck();
    const isMentioned = (as: number) =>
      `EXISTS (SELECT 1 FROM mentions WHERE key_id = @keyId AND declares > 0 AND declares = ${as})`;
    this.#isDeclared = database
      .prepare<[{ keyId: number }], number>(
        `SELECT ${isMentioned(DECLARES)} OR (${isMentioned(HALVES.headed)} AND ${isMentioned(HALVES.used)})`,
      )
      .pluck();
    this.#putMention =
      database.prepare(`INSERT INTO mentions (key_id, document_id, declares, body) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET declares = excluded.declares, body = excluded.body`);
    this.#dropMention = database.prepare('DELETE FROM mentions WHERE key_id = ? AND document_id = ?');
    this.#statementsOfDocument = database.prepare(`
      SELECT source_id AS sourceId, resolved_id AS resolvedId, type, target_id AS targetId, body
      FROM statements WHERE document_id = ?`);
    this.#statementsOfPair = database.prepare(`
      SELECT path, type, body FROM (
        SELECT document_id, target_id, type, body FROM statements
        WHERE source_id = @sourceId AND resolved_id = @targetId AND type < '~'
        UNION ALL SELECT document_id, target_id, substr(type, 2), body FROM statements
        WHERE source_id = @targetId AND resolved_id = @sourceId AND type >= '~'
      ) JOIN documents ON id = document_id ORDER BY path, target_id`);
    this.#ruleFigures = database.prepare(`
      WITH readings AS (
        SELECT body ->> 'rule' AS rule, body ->> 'confidence' AS confidence FROM statements
        UNION ALL SELECT key, value FROM statements, json_each(body, '$.also'))
      SELECT rule, count(*) AS statements, round(avg(confidence), 2) AS confidence
      FROM readings WHERE rule IS NOT NULL GROUP BY rule ORDER BY rule`);
    this.#pairsReadBy = database.prepare(`
      SELECT DISTINCT iif(type < '~', source_id, resolved_id) AS sourceId, iif(type < '~', resolved_id, source_id) AS resolvedId
      FROM statements WHERE body ->> 'rule' IN (SELECT value FROM json_each(@rules))
        OR EXISTS (SELECT 1 FROM json_each(body, '$.also') WHERE key IN (SELECT value FROM json_each(@rules)))`);
    this.#pairsOfNode = database.prepare(`
      SELECT DISTINCT iif(type < '~', source_id, resolved_id) AS sourceId, iif(type < '~', resolved_id, source_id) AS resolvedId
      FROM statements WHERE source_id = @id
      UNION SELECT DISTINCT iif(type < '~', source_id, resolved_id), iif(type < '~', resolved_id, source_id)
      FROM statements WHERE resolved_id = @id`);
    this.#pairsOfTarget = database.prepare(
      'SELECT DISTINCT source_id AS sourceId, resolved_id AS resolvedId, type FROM statements WHERE target_id = ?',
    );
    this.#putStatement = database.prepare(`INSERT INTO statements
      (source_id, resolved_id, type, target_id, document_id, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET body = excluded.body`);
    this.#dropStatement = database.prepare(`DELETE FROM statements
      WHERE source_id = ? AND resolved_id = ? AND type = ? AND target_id = ? AND document_id = ?`);
    this.#resolveTarget = database.prepare('UPDATE statements SET resolved_id = ? WHERE target_id = ?');
    this.#resolvedIn = database.prepare(`
      SELECT target_id AS targetId, resolved_id AS resolvedId FROM statements
      WHERE document_id = (SELECT id FROM documents WHERE path = ?)`);
    this.#countOf = database
      .prepare<[string], number>(`
      SELECT count(*) FROM statements WHERE document_id = (SELECT id FROM documents WHERE path = ?)`)
      .pluck();
    this.#linkingTo = database.prepare(`
      SELECT DISTINCT path FROM statements JOIN documents ON id = document_id
      WHERE resolved_id = ? AND target_id <> resolved_id ORDER BY path LIMIT ?`);
    this.#aliasesOfDocument = database.prepare(
      'SELECT alias_id AS aliasId FROM aliases WHERE document_id = ?',
    );
    this.#documentOfAlias = database.prepare(`
      SELECT path FROM aliases JOIN documents ON id = document_id WHERE alias_id = ?
      ORDER BY length(path), path LIMIT 1`);
    this.#dropAlias = database.prepare('DELETE FROM aliases WHERE alias_id = ? AND document_id = ?');
    this.#aliasKeys = database
      .prepare<[number], NodeKey>('SELECT key FROM aliases JOIN keys ON id = alias_id WHERE document_id = ?')
      .pluck();
    this.#wholeMentions = database.prepare(
      'SELECT key, declares, body FROM mentions JOIN keys ON id = key_id WHERE document_id = ?',
    );
    this.#wholeStatements = database.prepare(`
      SELECT s.key AS source, type, t.key AS target, body FROM statements
      JOIN keys s ON s.id = source_id JOIN keys t ON t.id = target_id WHERE document_id = ?`);
    this.#putAlias = database.prepare('INSERT OR IGNORE INTO aliases VALUES (?, ?)');
  }

  mentionsOfDocument(documentId: number): Pick<MentionRow, 'keyId' | 'body'>[] {
    return this.#mentionsOfDocument.all(documentId);
  }

  /** Whether at least one document makes the node exist, or two do together. Most words that might be a node are none. */
  isDeclared(keyId: number): boolean {
    return this.#isDeclared.get({ keyId }) === 1;
  }

  /** What all documents say of one node, in path order. */
  mentionsOfKey(keyId: number): FromDocument<{ body: string }>[] {
    return this.#mentionsOfKey.all(keyId);
  }

  /** What documents say of one node, where that contains a text. It is quick even for what thousands of them mention. */
  mentionsWith(keyId: number, text: string): string[] {
    return this.#mentionsWith.all(keyId, text);
  }

  /** The whole contribution of a document, in no particular order. */
  wholeOf(documentId: number): WholeContribution {
    return {
      aliases: this.#aliasKeys.all(documentId),
      mentions: this.#wholeMentions.all(documentId).map(({ declares, ...mention }) => {
        return { ...mention, declares: declares === DECLARES, half: halfOf(declares) };
      }),
      statements: this.#wholeStatements.all(documentId),
    };
  }

  putMention(documentId: number, { keyId, declares, half, body }: MentionRow): void {
    const stored = declares ? DECLARES : half === undefined ? 0 : HALVES[half];
    this.#putMention.run(keyId, documentId, stored, body);
  }

  dropMention(documentId: number, keyId: number): void {
    this.#dropMention.run(keyId, documentId);
  }

  statementsOfDocument(documentId: number): ResolvedStatementRow[] {
    return this.#statementsOfDocument.all(documentId);
  }

  /** What all documents state of relations from one node to another, in path order. */
  statementsOfPair(sourceId: number, targetId: number): FromDocument<{ type: EdgeType; body: string }>[] {
    return this.#statementsOfPair.all({ sourceId, targetId });
  }

  /** The figures of each rule, ordered by its code. Scans the whole table. */
  ruleFigures(): RuleFigures[] {
    return this.#ruleFigures.all();
  }

  /** Every pair of nodes with a relation that one of these rules has read. Scans the whole table. @param rules codes of rules */
  pairsReadBy(rules: readonly string[]): { sourceId: number; resolvedId: number }[] {
    return this.#pairsReadBy.all({ rules: JSON.stringify(rules) });
  }

  /** Every pair of nodes with a relation that this node is a part of. */
  pairsOfNode(id: number): { sourceId: number; resolvedId: number }[] {
    return this.#pairsOfNode.all({ id });
  }

  /** Every pair of nodes that is stated by way of this target. */
  pairsOfTarget(targetId: number): StatedPair[] {
    return this.#pairsOfTarget.all(targetId);
  }

  putStatement(documentId: number, row: ResolvedStatementRow): void {
    this.#putStatement.run(row.sourceId, row.resolvedId, row.type, row.targetId, documentId, row.body);
  }

  dropStatement(documentId: number, row: ResolvedStatementRow): void {
    this.#dropStatement.run(row.sourceId, row.resolvedId, row.type, row.targetId, documentId);
  }

  /** Lets all statements with this target mean that node from now on. */
  resolveTarget(targetId: number, resolvedId: number): void {
    this.#resolveTarget.run(resolvedId, targetId);
  }

  /** The node that each target in the document at a path stands for. */
  resolvedIn(path: string): Map<number, number> {
    return new Map(this.#resolvedIn.all(path).map(({ targetId, resolvedId }) => [targetId, resolvedId]));
  }

  /** How many statements the document at a path makes. */
  countOf(path: string): number {
    return this.#countOf.get(path) ?? 0;
  }

  /** Paths of the documents that link to this one, in path order, at most `limit` of them. */
  documentsLinkingTo(id: number, limit: number): string[] {
    return this.#linkingTo.all(id, limit).map(({ path }) => path);
  }

  aliasesOfDocument(documentId: number): number[] {
    return this.#aliasesOfDocument.all(documentId).map(({ aliasId }) => aliasId);
  }

  /** The path of the document that has this alias. Of several documents it is the one with the shortest path, or else the first in path order. */
  documentOfAlias(aliasId: number): string | undefined {
    return this.#documentOfAlias.get(aliasId)?.path;
  }

  dropAlias(documentId: number, aliasId: number): void {
    this.#dropAlias.run(aliasId, documentId);
  }

  putAlias(documentId: number, aliasId: number): void {
    this.#putAlias.run(aliasId, documentId);
  }
}

function halfOf(stored: number): Half | undefined {
  if (stored === HALVES.headed) return 'headed';
  return stored === HALVES.used ? 'used' : undefined;
}
