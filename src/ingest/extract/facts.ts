/** Collects what one document contributes, each fact once, and returns it in a fixed order. */

import type { DocumentFacts, Mention, NodeKey, Problem, Statement } from '../../core/graph-model.ts';
import { compareTexts } from '../../text/compare-texts.ts';
import { foldSpace } from '../../text/fold-space.ts';
import { withCommas } from '../../text/with-commas.ts';
import { shorten } from '../markdown/rich-text.ts';

const MAX_EVIDENCE_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 300;

/** At most so many mentions, and so many statements, are taken from a document. What follows is data, not prose. */
const MAX_FACTS = 20_000;

/** A mention found by a rule. */
export type NewMention = Omit<Mention, 'model'>;

/** A relation found by a rule. */
export interface NewStatement extends Omit<Statement, 'description' | 'model'> {
  readonly rule: string;
  /** The text that states it, of any length. */
  readonly evidence?: string;
}

export class FactCollector {
  readonly #mentions = new Map<string, Mention>();
  readonly #statements = new Map<string, Statement>();
  readonly #problems: Problem[] = [];
  readonly #aliases = new Set<NodeKey>();
  readonly #declared = new Set<NodeKey>();
  /** The line of the first fact beyond the limit. */
  #leftOutFrom: number | undefined;
  #evidence = '';
  #quoted = '';

  /** Adds a mention. Of several mentions of one node as one type on one line, the most certain one counts. */
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
    const given = isSurer ? (properties ?? before?.properties) : (before.properties ?? properties);
    if (
      !isSurer &&
      description === (before.description ?? '') &&
      given === before.properties &&
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
    const described = description === '' ? plain : { ...plain, description };
    this.#mentions.set(place, given === undefined ? described : { ...described, properties: given });
  }

  /** Adds a statement. Of several statements of one relation on one line, the most certain one counts. */
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

  /** The evidence, shortened if necessary. The result is kept, since one sentence is the evidence of several facts in a row. */
  #quote(evidence: string): string {
    if (evidence !== this.#evidence) {
      this.#evidence = evidence;
      this.#quoted = shorten(evidence, MAX_EVIDENCE_LENGTH);
    }
    return this.#quoted;
  }

  /** Makes links with this key mean the document. */
  answerTo(alias: NodeKey): void {
    if (!isEmptyKey(alias)) this.#aliases.add(alias);
  }

  report(problem: Problem): void {
    this.#problems.push(problem);
  }

  /** Whether a mention added so far makes the node exist. */
  isDeclared(key: NodeKey): boolean {
    return this.#declared.has(key);
  }

  finish(title: string): DocumentFacts {
    this.#dropCreation();
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

  /** An operation that returns what it creates is said to return it. */
  #dropCreation(): void {
    const returned = new Set<string>();
    for (const { type, source, target } of this.#statements.values())
      if (type === 'returns') returned.add(`${source} ${target}`);
    for (const [place, { type, source, target }] of this.#statements)
      if (type === 'generates' && returned.has(`${source} ${target}`)) this.#statements.delete(place);
  }

  #tooMany(): Problem[] {
    if (this.#leftOutFrom === undefined) return [];
    const most = withCommas(MAX_FACTS);
    const message = `the graph takes up to ${most} mentions and ${most} relations of a document; this one has more, and those from here on are partly left out: split the document`;
    return [{ line: this.#leftOutFrom, code: 'too-many-facts', message }];
  }
}

/** What two mentions on a line prove together: two different halves of a declaration make a whole one. */
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
