/**
 * Reads tables: rows of events, responses with their schemas, endpoints or objects with their descriptions, and fields,
 * whose types refer to other objects.
 */
import type { NodeKey } from '../../core/graph-model.ts';
import { eventKey } from '../../core/identity.ts';
import type { Table, TableRow } from '../markdown/document.ts';
import { type RichText, textOf } from '../markdown/rich-text.ts';
import { isDataType } from './data-types.ts';
import type { DocumentReader } from './document-reader.ts';
import { isPartyColumn, stateParties } from './event-parties.ts';
import { declareRole } from './event-roles.ts';
import { findTableEvents, type TableEvent } from './event-tables.ts';
import { TALKS_OF_GRANTS } from './event-titles.ts';
import { findEventValues } from './event-values.ts';
import type { FactCollector } from './facts.ts';
import { bareName, conceptKeyOf, isName } from './names.ts';
import type { OpenStatement } from './open-statements.ts';
import type { Place } from './place.ts';
import type { Ref } from './refs.ts';
import { stateRelations } from './relations.ts';
import { stateReturn } from './returns.ts';
import { type Sentence, splitSentences } from './sentences.ts';
import type { Speaker } from './speaker.ts';

const STATUS_COLUMN = /^(?:http\s)?(?:status(?:\scode)?|code|response(?:\scode)?)s?$/i;
const SUCCESS = /^\s*(?:2\d\d|2xx|default|ok)\b/i;
const FIELD_COLUMN =
  /^(?:fields?|parameters?|params?|attributes?|propert(?:y|ies)|keys?|columns?|arguments?|options?|variables?|flags?|headers?|settings?)(?:\snames?)?$/i;
const SUBJECT_COLUMN =
  /^(?:objects?|resources?|entit(?:y|ies)|models?|services?|components?|concepts?|terms?|events?|modules?|topics?)(?:\snames?)?$/i;

type RowKind = 'responses' | 'fields' | 'subjects' | 'other';

/** A sentence of a cell, with all that it names. */
interface CellSentence {
  readonly sentence: Sentence;
  readonly refs: readonly Ref[];
}

/** @param said what the section's heading says of the events that it lists */
export function readTable(
  table: Table,
  place: Place,
  reader: DocumentReader,
  said: OpenStatement | undefined,
): void {
  const events = new Map(findTableEvents(table, place.section).map((event) => [event.line, event]));
  for (const event of events.values()) reader.addEvent(event, place);
  stateParties(table, events, reader.facts);
  if (said !== undefined) stateRole(said, table, [...events.values()], reader.facts);
  const kind = kindOf(table.header[0]?.text.trim() ?? '');
  for (const row of table.rows) {
    const event = events.get(row.line);
    for (const cell of row.cells.slice(1))
      for (const value of findEventValues(row.cells[0]?.text ?? '', cell, place.setting.inEventSection))
        reader.addEvent(value, place);
    const isOfField = row.cells.slice(1).some(({ text }) => isDataType(text));
    const cells = row.cells.map((cell, index) => {
      const isGrant = TALKS_OF_GRANTS.test(table.header[index]?.text ?? '');
      const amongEvents =
        events.size > 0
          ? index === (event?.column ?? 0)
          : !isGrant && !((isOfField || kind === 'fields') && index === 0) && place.setting.inEventSection;
      return readCell(cell, place, reader, amongEvents);
    });
    if (kind === 'responses') {
      if (SUCCESS.test(row.cells[0]?.text ?? '')) stateResponse(row, cells, place, reader);
    } else if (kind !== 'fields') stateRow(row, cells, event, reader, kind);
  }
}

/** Columns that tell whose an event is, whoever that may be. */
const OWNER_COLUMN = /^(?:(?:micro)?service|module|component|(?:bounded\s+)?context|system|owner|sender)$/i;

/** States what the heading above a table says of its events, unless a column tells whose each of them is. */
function stateRole(
  { rule, subject, evidence, lists }: OpenStatement,
  { header }: Table,
  events: readonly TableEvent[],
  facts: FactCollector,
): void {
  if (lists === undefined || header.some(({ text }) => isPartyColumn(text) || OWNER_COLUMN.test(text.trim())))
    return;
  if (events.length > 0) declareRole(lists, [], lists.line, facts);
  for (const { name, line } of events)
    for (const { key, factor } of subject)
      facts.state({
        source: key,
        type: rule.edge,
        target: eventKey(name),
        line,
        rule: `${rule.code}?`,
        confidence: rule.confidence * factor,
        evidence: `${evidence} ${name}`,
      });
}

/** Whether a column with this name lists fields. */
export function isFieldColumn(header: string): boolean {
  return FIELD_COLUMN.test(header);
}

function kindOf(firstHeader: string): RowKind {
  if (STATUS_COLUMN.test(firstHeader)) return 'responses';
  if (FIELD_COLUMN.test(firstHeader)) return 'fields';
  return SUBJECT_COLUMN.test(firstHeader) ? 'subjects' : 'other';
}

function readCell(
  cell: RichText,
  place: Place,
  reader: DocumentReader,
  amongEvents: boolean,
): CellSentence[] {
  return splitSentences(cell).map((sentence) => ({
    sentence,
    refs: reader.readSentence(sentence, place, amongEvents),
  }));
}

/** States a response in a section about an endpoint: `| 200 | OK | [Pet](#schemapet) |`. */
function stateResponse(
  row: TableRow,
  cells: readonly (readonly CellSentence[])[],
  { speaker }: Place,
  reader: DocumentReader,
): void {
  if (speaker.endpoints.length === 0) return;
  const evidence = row.cells.map(({ text }) => text).join(' | ');
  for (const { sentence, refs } of cells.slice(1).flat()) {
    const named = refs.find((ref) => ref.marked && ref.type !== 'Event' && ref.type !== 'Endpoint');
    if (named === undefined || leadsElsewhere(sentence, named)) continue;
    stateReturn(speaker.endpoints, named, row.line, evidence, reader.facts);
  }
}

/** Whether a name is a link to another site, such as the RFC that a status comes from. */
function leadsElsewhere(sentence: Sentence, ref: Ref): boolean {
  return sentence.marks.some(
    ({ kind, start, target }) => kind === 'link' && start === ref.start && /^https?:/i.test(target),
  );
}

/** States what a row says of its endpoint, or of the thing in its first cell. */
function stateRow(
  row: TableRow,
  cells: readonly (readonly CellSentence[])[],
  event: TableEvent | undefined,
  reader: DocumentReader,
  kind: RowKind,
): void {
  const subject = event === undefined ? subjectOfRow(row, cells[0] ?? [], kind) : eventKey(event.name);
  const speaker = speakerOfRow(reader.endpointsAt(row.line), subject);
  for (const { sentence, refs } of cells.slice(1).flat()) {
    if (sentence.words.length > 1) stateRelations(sentence, refs, speaker, reader.facts);
  }
}

/** The thing that a row is about: the event that begins its first cell, or the name in a column of things. */
function subjectOfRow(row: TableRow, first: readonly CellSentence[], kind: RowKind): NodeKey | undefined {
  const [cell] = row.cells;
  if (cell === undefined) return undefined;
  const lead = first[0]?.refs.find(({ start }) => cell.text.slice(0, start).trim() === '');
  if (lead?.type === 'Event') return lead.key;
  if (kind !== 'subjects') return undefined;
  const mark = cell.marks.find(({ start }) => start === 0);
  const name = bareName(mark === undefined ? cell.text : textOf(cell, mark));
  return lead?.key ?? (isName(name) ? conceptKeyOf(name) : undefined);
}

function speakerOfRow(endpoints: readonly NodeKey[], subject: NodeKey | undefined): Speaker {
  const isEvent = subject?.startsWith('event:') === true;
  return {
    endpoints,
    heading: undefined,
    object: isEvent ? undefined : subject,
    event: isEvent ? subject : undefined,
    topic: undefined,
    objectFirst: endpoints.length === 0,
    relates: false,
    changes: false,
    labelled: undefined,
    item: undefined,
    isOfField: false,
    lists: undefined,
    isProse: false,
  };
}
