import type { NodeKey } from '../core/graph-model.ts';
import { conceptOfPage, documentAliases, documentKey, isLinkKey } from '../core/identity.ts';
import { isReverse, type ResolvedStatementRow, type StatedPair } from '../store/contributions.ts';
import type { Revision } from '../store/nodes.ts';
import type { Store } from '../store/store.ts';
import type { Contribution } from './contribution.ts';
import { PairSet } from './pair-set.ts';
import { ProjectionRun } from './projection-run.ts';

/**
 * Keeps nodes and edges equal to what all contributions together say. Changes of documents are noted first
 * (`contribute`, `retract`) and then carried into the graph at once (`project`), each node and each pair of nodes anew
 * from all that is stated about it: so it makes no difference in which order documents came, changed and went.
 *
 * All methods run inside one transaction of the store, opened by the caller.
 */
export class Projection {
  readonly #store: Store;
  /** What documents contribute from now on, by their number. */
  readonly #pending = new Map<number, PendingContribution>();
  readonly #touchedNodes = new Set<number>();
  readonly #touchedAliases = new Set<number>();
  readonly #touchedPairs = new PairSet();
  /** Where links lead, as far as it was asked since all aliases are known. */
  readonly #targets = new Map<number, number>();
  /** Whether some of what is stated was found by a model: then what is stated in one direction bears on the other. */
  #hasModelFacts: boolean | undefined;
  /** The last key that there was before the first change. */
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

  /** Takes back all that a document contributed. Its row is to be removed before `project`. */
  retract(documentId: number): void {
    const { contributions, keys } = this.#store;
    this.#lastKey ??= keys.last();
    this.#pending.delete(documentId);
    for (const { keyId } of contributions.mentionsOfDocument(documentId)) this.#touchedNodes.add(keyId);
    for (const row of contributions.statementsOfDocument(documentId)) this.#touchPair(row);
    for (const aliasId of contributions.aliasesOfDocument(documentId)) this.#touchedAliases.add(aliasId);
  }

  /** Has a node, or the edges from one to another, made anew, whatever there is of them. */
  makeAnew(id: number, targetId?: number): void {
    if (targetId === undefined) this.#touchedNodes.add(id);
    else this.#touchedPairs.add(id, targetId);
  }

  /** Carries what was noted into the graph. Returns whether anything that the graph shows changed. */
  project(at: Revision): boolean {
    // Links of before lead to where they lead now, before any is added.
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

  /** The same, as the next revision of the store; that stays what it is where nothing changed. */
  projectNext(nowMs: number): void {
    const at = { revision: this.#store.revision() + 1, nowMs };
    if (this.project(at)) this.#store.setRevision(at);
  }

  /** Every document has aliases for as long as it contributes. Returns whether this one had none. */
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
   * The node of the document that answers to an alias: of several the one with the shortest path. Where there is none, the concept of that name
   * for a name that may be one's, else the alias.
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

/** How the body of such a statement shows it. */
const FOUND_BY_MODEL = '"role":"found"';

interface PendingContribution {
  readonly contribution: Contribution;
  /** Whether the document contributed nothing before. */
  readonly isNew: boolean;
}

function identityOf({ sourceId, type, targetId }: ResolvedStatementRow): string {
  return `${sourceId} ${type} ${targetId}`;
}
