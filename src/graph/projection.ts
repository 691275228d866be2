import type { NodeKey } from '../core/graph-model.ts';
import { conceptOfPage, documentAliases, documentKey, isLinkKey } from '../core/identity.ts';
import { isReverse, type ResolvedStatementRow, type StatedPair } from '../store/contributions.ts';
import type { Revision } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import type { Contribution } from './contribution.ts';
import { PairSet } from './pair-set.ts';
import { ProjectionRun } from './projection-run.ts';

/**
 * Keeps nodes and edges equal to what all contributions together say. Changes of documents are first noted (`contribute`, `retract`) and then carried
 * into the graph together (`project`). Each node and each pair of nodes is made anew from everything that is stated about it, so the order in which
 * documents were added, changed and removed makes no difference. All methods have to run in one transaction of the store, which the caller opens.
 */
export class Projection {
  readonly #store: Store;
  /** What documents contribute from now on, by document id. */
  readonly #pending = new Map<number, PendingContribution>();
  readonly #touchedNodes = new Set<number>();
  readonly #touchedAliases = new Set<number>();
  readonly #touchedPairs = new PairSet();
  /** Where links lead, as far as that was looked up since all aliases are known. */
  readonly #targets = new Map<number, number>();
  /** Whether a model has found some of the statements: then the statements in one direction affect the other. */
  #hasModelFacts: boolean | undefined;
  /** The last key before the first change. */
  #lastKey: number | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Replaces what a document contributes. */
  contribute(documentId: number, path: string, contribution: Contribution): void {
    this.#lastKey ??= this.#store.keys.last();
    if (contribution.statements.some(({ body }) => body.includes(FOUND_BY_MODEL)) && !this.#knowsModels())
      this.#noteModels();
    const aliases = [...documentAliases(path), ...(contribution.aliases ?? [])];
    const isNew = this.#replaceAliases(documentId, aliases) || this.#pending.get(documentId)?.isNew === true;
    this.#pending.set(documentId, { contribution, isNew });
  }

  /** Withdraws everything that a document has contributed. Its row has to be removed before `project`. */
  retract(documentId: number): void {
    const { contributions, keys } = this.#store;
    this.#lastKey ??= keys.last();
    this.#pending.delete(documentId);
    for (const { keyId } of contributions.mentionsOfDocument(documentId)) this.#touchedNodes.add(keyId);
    for (const row of contributions.statementsOfDocument(documentId)) this.#touchPair(row);
    for (const aliasId of contributions.aliasesOfDocument(documentId)) this.#touchedAliases.add(aliasId);
  }

  /** Has a node, or the edges from one node to another, made anew, whether they exist or not. */
  makeAnew(id: number, targetId?: number): void {
    if (targetId === undefined) this.#touchedNodes.add(id);
    else this.#touchedPairs.add(id, targetId);
  }

  /** Carries the noted changes into the graph. Returns whether anything that the graph shows has changed. */
  project(at: Revision): boolean {
    // Existing links are redirected to where they lead now, before new ones are added.
    for (const aliasId of this.#touchedAliases) this.#resolveAgain(aliasId);
    for (const [documentId, { contribution, isNew }] of this.#pending) {
      this.#replaceMentions(documentId, contribution, isNew);
      this.#replaceStatements(documentId, contribution, isNew);
    }
    const run = new ProjectionRun(this.#store, at, this.#lastKey ?? 0);
    const hasChanged = run.project(this.#touchedNodes, this.#touchedPairs);
    for (const noted of [this.#pending, this.#touchedNodes, this.#touchedAliases, this.#touchedPairs]) {
      noted.clear();
    }
    this.#targets.clear();
    this.#lastKey = undefined;
    this.#hasModelFacts = undefined;
    return hasChanged;
  }

  /** The same, as the next revision of the store. The revision stays the same if nothing has changed. */
  projectNext(nowMs: number): void {
    const at = { revision: this.#store.revision() + 1, nowMs };
    if (this.project(at)) this.#store.setRevision(at);
  }

  /** Replaces the aliases of a document, which it has as long as it contributes. Returns whether it had none before. */
  #replaceAliases(documentId: number, aliases: readonly NodeKey[]): boolean {
    const { contributions, keys } = this.#store;
    const before = new Set(contributions.aliasesOfDocument(documentId));
    const isNew = before.size === 0;
    for (const alias of aliases) {
      const aliasId = keys.intern(alias);
      if (before.delete(aliasId)) continue;
      contributions.putAlias(documentId, aliasId);
      this.#touchedAliases.add(aliasId);
    }
    for (const aliasId of before) {
      contributions.dropAlias(documentId, aliasId);
      this.#touchedAliases.add(aliasId);
    }
    return isNew;
  }

  #replaceMentions(documentId: number, { mentions }: Contribution, isNew: boolean): void {
    const { contributions, keys } = this.#store;
    const rows = isNew ? [] : contributions.mentionsOfDocument(documentId);
    const before = new Map(rows.map(({ keyId, body }) => [keyId, body]));
    for (const { key, declares, half, body } of mentions) {
      const keyId = keys.intern(key);
      if (before.get(keyId) !== body) {
        contributions.putMention(documentId, { keyId, declares, half, body });
        this.#touchedNodes.add(keyId);
      }
      before.delete(keyId);
    }
    for (const keyId of before.keys()) {
      contributions.dropMention(documentId, keyId);
      this.#touchedNodes.add(keyId);
    }
  }

  #replaceStatements(documentId: number, { statements }: Contribution, isNew: boolean): void {
    const { contributions, keys } = this.#store;
    const rows = isNew ? [] : contributions.statementsOfDocument(documentId);
    const before = new Map(rows.map((row) => [identityOf(row), row]));
    for (const { source, type, target, body } of statements) {
      const targetId = keys.intern(target);
      const resolvedId = isLinkKey(target) ? this.#documentAt(targetId) : targetId;
      const row = { sourceId: keys.intern(source), resolvedId, type, targetId, body };
      const identity = before.size === 0 ? '' : identityOf(row);
      if (before.get(identity)?.body !== row.body) {
        contributions.putStatement(documentId, row);
        this.#touchPair(row);
      }
      before.delete(identity);
    }
    for (const row of before.values()) {
      contributions.dropStatement(documentId, row);
      this.#touchPair(row);
    }
  }

  /**
   * The node of the document with an alias; of several, the one with the shortest path. If there is none, the concept with that name if it can be
   * one, else the alias itself.
   */
  #documentAt(aliasId: number): number {
    let documentId = this.#targets.get(aliasId);
    if (documentId === undefined) {
      const { contributions, keys } = this.#store;
      const path = contributions.documentOfAlias(aliasId);
      const key = path === undefined ? conceptOfPage(keys.keyOf(aliasId)) : documentKey(path);
      documentId = key === undefined ? aliasId : keys.intern(key);
      this.#targets.set(aliasId, documentId);
    }
    return documentId;
  }

  #knowsModels(): boolean {
    this.#hasModelFacts ??= this.#store.meta('has_model_facts') === '1';
    return this.#hasModelFacts;
  }

  #noteModels(): void {
    this.#store.setMeta('has_model_facts', '1');
    this.#hasModelFacts = true;
  }

  #touchPair({ sourceId, resolvedId, type }: StatedPair): void {
    const hasBoth = this.#knowsModels();
    if (hasBoth || isReverse(type)) this.#touchedPairs.add(resolvedId, sourceId);
    if (hasBoth || !isReverse(type)) this.#touchedPairs.add(sourceId, resolvedId);
  }

  #resolveAgain(aliasId: number): void {
    const { contributions } = this.#store;
    const pairs = contributions.pairsOfTarget(aliasId);
    if (pairs.length === 0) return;
    const resolvedId = this.#documentAt(aliasId);
    const moved = pairs.filter((pair) => pair.resolvedId !== resolvedId);
    if (moved.length === 0) return;
    for (const pair of moved) {
      this.#touchPair(pair);
      this.#touchPair({ ...pair, resolvedId });
    }
    contributions.resolveTarget(aliasId, resolvedId);
  }
}

/** How this appears in the body of a statement. */
const FOUND_BY_MODEL = '"role":"found"';

interface PendingContribution {
  readonly contribution: Contribution;
  /** Whether the document has not contributed before. */
  readonly isNew: boolean;
}

function identityOf({ sourceId, type, targetId }: ResolvedStatementRow): string {
  return `${sourceId} ${type} ${targetId}`;
}
