/** Collects what one document contributes, each fact once, and hands it out in a fixed order. */

import type { DocumentFacts, Mention, NodeKey, Problem, Statement } from '../../core/graph-model.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import { foldSpace } from '../../text/fold-space.ts';
import { withCommas } from '../../text/with-commas.ts';
import { shorten } from '../markdown/rich-text.ts';

const MAX_EVIDENCE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 300;

/** Mentions of a document, and statements of it, at most: what lies behind is data, not prose. */
const MAX_FACTS = 20_000;

/** A mention that a rule found. */
export type NewMention = Omit<Mention, 'model'>;

/** A relation that a rule read. */
export interface NewStatement extends Omit<Statement, 'description' | 'model'> {
  readonly rule: string;
  /** The text that says it, of any length. */
  readonly evidence?: string;
}

export class FactCollector {
  readonly #mentions = new Map<string, Mention>();
  readonly #statements = new Map<string, Statement>();
  readonly #problems: Problem[] = [];
  readonly #aliases = new Set<NodeKey>();
  readonly #declared = new Set<NodeKey>();
  /** Where the first fact is that was one too many. */
  #leftOutFrom: number | undefined;
  #evidence = '';
  #quoted = '';

  /** Of several mentions of one node as one type in one line, the surest counts. */
  mention(mention: NewMention): void {
    const { key, type, line, declares, properties } = mention;
    if (isEmptyKey(key)) return;
    const place = `${line} ${type} ${key}`;
    if (this.#mentions.size >= MAX_FACTS) {
      this.#leaveOut(this.#mentions, place, line);
      return;
    }
    if (declares) this.#declared.add(key);
    const before = this.#mentions.get(place);
    const isSurer = before === undefined || rank(mention) > rank(before);
    const text = mention.description ? shorten(mention.description, MAX_DESCRIPTION_LENGTH) : '';
    const description = (isSurer ? text : before.description) || before?.description || text;
    const kept = isSurer ? mention : before;
    const { half, declares: isWhole } = togetherOf(kept, isSurer ? before : mention);
    if (
      !isSurer &&
      description === (before.description ?? '') &&
      half === before.half &&
      isWhole === before.declares
    )
      return;
    const plain = {
      key,
      type,
      label: foldSpace(kept.label),
      line,
      confidence: kept.confidence,
      declares: isWhole,
      ...(half === undefined ? {} : { half }),
    };
    const given = isSurer ? properties : before.properties;
    const described = description === '' ? plain : { ...plain, description };
    this.#mentions.set(place, given === undefined ? described : { ...described, properties: given });
  }

  /** Of several statements of one relation in one line, the surest counts. */
  state({ source, type, target, line, rule, confidence, evidence = '' }: NewStatement): void {
    if (source === target || isEmptyKey(source) || isEmptyKey(target)) return;
    const place = `${line} ${type} ${source} ${target}`;
    if (this.#statements.size >= MAX_FACTS) {
      this.#leaveOut(this.#statements, place, line);
      return;
    }
    const before = this.#statements.get(place);
    if (before !== undefined && before.confidence >= confidence) return;
    const description = this.#quote(evidence);
    const rounded = round(confidence);
    this.#statements.set(
      place,
      description === ''
        ? { source, type, target, line, rule, confidence: rounded }
        : { source, type, target, line, rule, confidence: rounded, description },
    );
  }

  #leaveOut(collected: ReadonlyMap<string, unknown>, place: string, line: number): void {
    if (!collected.has(place)) this.#leftOutFrom = Math.min(line, this.#leftOutFrom ?? line);
  }

  /** The evidence at its length; one sentence is evidence of several facts in a row. */
  #quote(evidence: string): string {
    if (evidence !== this.#evidence) {
      this.#evidence = evidence;
      this.#quoted = shorten(evidence, MAX_EVIDENCE_LENGTH);
    }
    return this.#quoted;
  }

  /** Links with this key mean the document. */
  answerTo(alias: NodeKey): void {
    if (!isEmptyKey(alias)) this.#aliases.add(alias);
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
        (a, b) => a.line - b.line || compareTexts(a.key, b.key) || compareTexts(a.type, b.type),
      ),
      statements: [...this.#statements.values()].sort(
        (a, b) =>
          a.line - b.line ||
          compareTexts(a.source, b.source) ||
          compareTexts(a.type, b.type) ||
          compareTexts(a.target, b.target),
      ),
      problems: [...this.#problems, ...this.#tooMany()],
      aliases: [...this.#aliases],
    };
  }

  #tooMany(): Problem[] {
    if (this.#leftOutFrom === undefined) return [];
    const most = withCommas(MAX_FACTS);
    const message = `the graph takes up to ${most} mentions and ${most} relations of a document; this one has more, and those from here on are partly left out: split the document`;
    return [{ line: this.#leftOutFrom, code: 'too-many-facts', message }];
  }
}

/** What two mentions of a line give of what makes a node exist: two different halves are all of it. */
function togetherOf(one: NewMention, other: NewMention | undefined): Pick<Mention, 'declares' | 'half'> {
  const halves = new Set([one.half, other?.half].filter((half) => half !== undefined));
  const declares = one.declares || other?.declares === true || halves.size > 1;
  const [half] = halves;
  return declares || half === undefined ? { declares } : { declares, half };
}

function rank({ confidence, declares }: { readonly confidence: number; readonly declares: boolean }): number {
  return confidence + (declares ? 1 : 0);
}

function isEmptyKey(key: NodeKey): boolean {
  return key.endsWith(':');
}

function round(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}
