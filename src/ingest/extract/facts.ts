/** Collects what one document contributes, each fact once, and hands it out in a fixed order. */
import type {
  DocumentFacts,
  EdgeType,
  Mention,
  NodeKey,
  NodeType,
  Problem,
  Statement,
} from '../../core/graph-model.ts';
import { foldSpace, shorten } from '../markdown/rich-text.ts';

const MAX_EVIDENCE = 200;
const MAX_DESCRIPTION = 300;

/** A document says no more than this of anything; what lies behind is data, not prose. */
const MAX_FACTS = 20_000;

export interface NewMention {
  readonly key: NodeKey;
  readonly type: NodeType;
  readonly label: string;
  readonly line: number;
  readonly confidence: number;
  readonly declares: boolean;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, string>>;
}

export class FactCollector {
  readonly #mentions = new Map<string, Mention>();
  readonly #statements = new Map<string, Statement>();
  readonly #problems: Problem[] = [];
  readonly #declared = new Set<NodeKey>();
  #evidence = '';
  #quoted = '';

  /** Of several mentions of one node as one type in one line, the surest counts. */
  mention(mention: NewMention): void {
    if (isEmptyKey(mention.key) || this.#mentions.size >= MAX_FACTS) return;
    const { description, ...rest } = mention;
    const label = foldSpace(mention.label);
    const text = description === undefined ? '' : shorten(description, MAX_DESCRIPTION);
    const place = `${mention.line} ${mention.type} ${mention.key}`;
    const before = this.#mentions.get(place);
    if (mention.declares) this.#declared.add(mention.key);
    const rank = (of: { confidence: number; declares: boolean }) => of.confidence + (of.declares ? 1 : 0);
    const kept = text === '' ? before?.description : text;
    if (before !== undefined && rank(before) >= rank(mention)) {
      if (kept !== undefined && before.description === undefined) {
        this.#mentions.set(place, { ...before, description: kept });
      }
      return;
    }
    this.#mentions.set(place, { ...rest, label, ...(kept === undefined ? {} : { description: kept }) });
  }

  /** Of several statements of one relation in one line, the surest counts. */
  state(
    source: NodeKey,
    type: EdgeType,
    target: NodeKey,
    line: number,
    confidence: number,
    evidence = '',
  ): void {
    if (source === target || isEmptyKey(source) || isEmptyKey(target)) return;
    if (this.#statements.size >= MAX_FACTS) return;
    const place = `${line} ${type} ${source} ${target}`;
    const before = this.#statements.get(place);
    if (before !== undefined && before.confidence >= confidence) return;
    const description = this.#quote(evidence);
    const statement = { source, type, target, line, confidence: round(confidence) };
    this.#statements.set(place, description === '' ? statement : { ...statement, description });
  }

  /** The evidence at its length; one sentence is evidence of several facts in a row. */
  #quote(evidence: string): string {
    if (evidence !== this.#evidence) {
      this.#evidence = evidence;
      this.#quoted = shorten(evidence, MAX_EVIDENCE);
    }
    return this.#quoted;
  }

  report(problem: Problem): void {
    this.#problems.push(problem);
  }

  /** Whether a mention so far makes the node exist. */
  isDeclared(key: NodeKey): boolean {
    return this.#declared.has(key);
  }

  finish(title: string): DocumentFacts {
    return {
      title,
      mentions: [...this.#mentions.values()].sort(
        (a, b) => a.line - b.line || compare(a.key, b.key) || compare(a.type, b.type),
      ),
      statements: [...this.#statements.values()].sort(
        (a, b) =>
          a.line - b.line ||
          compare(a.source, b.source) ||
          compare(a.type, b.type) ||
          compare(a.target, b.target),
      ),
      problems: this.#problems,
    };
  }
}

function isEmptyKey(key: NodeKey): boolean {
  return key.endsWith(':');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
