/** Statements that the items of the following list complete: `Emits the following events:`, `Published events:`. */
import { makeClause } from './clause.ts';
import { readObjects } from './clause-objects.ts';
import { declareRole, type ListOwner, nodeOf, plainEvents, roleOf } from './event-roles.ts';
import type { FactCollector } from './facts.ts';
import { stateReading } from './readings.ts';
import type { Ref } from './refs.ts';
import type { Sentence } from './sentences.ts';
import { type End, endOf, type Speaker } from './speaker.ts';
import type { VerbRule } from './verbs.ts';

/** A verb whose objects are the items of the following list: `Emits the following events:`. */
export interface OpenStatement {
  readonly rule: VerbRule;
  readonly subject: readonly End[];
  readonly evidence: string;
  /** What a label says this of, which names nothing but events: `Published events:`. */
  readonly lists?: ListOwner;
}

/** The statement that a label such as `Published events` opens; undefined if it is another one, or nothing is known of which it speaks. */
export function openRole(label: string, { lists }: Speaker, facts: FactCollector): OpenStatement | undefined {
  const rule = lists === undefined ? undefined : roleOf(label);
  if (lists === undefined || rule === undefined) return undefined;
  return {
    rule,
    subject: [{ key: nodeOf(lists, facts), factor: SAID_BY_LABEL, ref: undefined }],
    evidence: `${lists.label}: ${label}`,
    lists,
  };
}

/** The factor for what is listed behind a label. */
const SAID_BY_LABEL = 0.9;

/** States what a list item adds to the sentence that introduced its list. @param from where the names begin */
export function completeStatement(
  open: OpenStatement,
  item: Sentence,
  refs: readonly Ref[],
  speaker: Speaker,
  facts: FactCollector,
  from = 0,
): void {
  if (open.lists !== undefined && speaker.lists?.key !== open.lists.key) return;
  const clause = makeClause(item, refs);
  const means = open.lists === undefined ? open.rule.means : 'event';
  const { refs: found } = readObjects(clause, from, means);
  const objects = open.lists === undefined || found.length > 0 ? found : plainEvents(item.text, from);
  const isNames = isNothingBut(item.text, objects);
  const stated = open.lists !== undefined && from === 0 ? atStart(item.text, objects) : objects;
  const named = stated.filter((ref) => ref.marked || ref.declares || isNames);
  const { rule, subject, lists } = open;
  if (lists !== undefined && named.length > 0) declareRole(lists, named, item.line, facts);
  const reading = { rule, subject, objects: named.map(endOf), verbStart: 0, end: 0 };
  stateReading(reading, clause, { ...item, text: `${open.evidence.trim()} ${item.text}` }, speaker, facts);
}

/** The names with which an item begins: what it lists. Later ones are what it tells of that: `mug.fired, which the oven answers with mug.glazed`. */
function atStart(text: string, objects: readonly Ref[]): readonly Ref[] {
  let end = 0;
  const other = objects.findIndex((ref) => {
    if (!/^\W*(?:(?:the|and|or|events?)\b\W*)*$/i.test(text.slice(end, ref.start))) return true;
    end = ref.end;
    return false;
  });
  return other === -1 ? objects : objects.slice(0, other);
}

/** Whether an item consists of names alone, with or without markup: `- Shelves (if allowed)`, `- Cups and saucers`. */
function isNothingBut(text: string, objects: readonly Ref[]): boolean {
  const [first, last] = [objects[0], objects.at(-1)];
  if (first === undefined || last === undefined || text.slice(0, first.start).trim() !== '') return false;
  return /^\s*(?:\([^()]*\)\s*)?[.,;]?\s*$/.test(text.slice(last.end));
}
