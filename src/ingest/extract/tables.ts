/**
 * Tables: rows of events, responses with their schemas, endpoints or objects with what is said of them, and fields,
 * whose types reference other objects.
 */
import type { NodeKey } from '../../core/graph-model.ts';
import type { Table, TableRow } from '../markdown/document.ts';
import type { DocumentReader } from './document-reader.ts';
import { findTableEvents } from './events.ts';
import type { Place } from './place.ts';
import type { Ref } from './refs.ts';
import { stateRelations } from './relations.ts';
import { stateReturn } from './returns.ts';
import { asSentence, splitSentences } from './sentences.ts';
import type { Speaker } from './speaker.ts';

const STATUS_COLUMN = /^(?:http\s)?(?:status(?:\scode)?|code|response(?:\scode)?)s?$/i;
const SUCCESS = /^\s*(?:2\d\d|2xx|default|ok)\b/i;
const FIELD_COLUMN =
  /^(?:fields?|parameters?|params?|attributes?|propert(?:y|ies)|keys?|columns?|arguments?|options?|variables?|flags?|headers?|settings?)(?:\snames?)?$/i;
const SUBJECT_COLUMN =
  /^(?:objects?|resources?|entit(?:y|ies)|models?|services?|components?|concepts?|terms?|events?|endpoints?|methods?|names?|topics?|modules?)(?:\snames?)?$/i;

export function readTable(table: Table, place: Place, reader: DocumentReader): void {
  const events = findTableEvents(table, place.section, reader.title);
  for (const event of events) reader.addEvent(event, place);
  const first = table.header[0]?.text.trim() ?? '';
  const isEvents = events.length > 0;
  const kind = STATUS_COLUMN.test(first)
    ? 'responses'
    : FIELD_COLUMN.test(first)
      ? 'fields'
      : SUBJECT_COLUMN.test(first)
        ? 'subjects'
        : 'other';
  for (const row of table.rows) {
    const refs = readRow(row, place, reader, isEvents);
    if (kind === 'responses' && SUCCESS.test(row.cells[0]?.text ?? ''))
      stateResponse(row, refs, place, reader);
    else if (kind !== 'fields') stateRow(row, refs, place, reader, kind === 'subjects');
  }
}

interface CellRefs {
  readonly cell: number;
  readonly refs: readonly Ref[];
}

function readRow(row: TableRow, place: Place, reader: DocumentReader, isEvents: boolean): CellRefs[] {
  return row.cells.map((cell, index) => {
    reader.addLinks(cell);
    const amongEvents = isEvents ? index === 0 : place.setting.inEventSection;
    return { cell: index, refs: reader.readSentence(asSentence(cell), place, amongEvents) };
  });
}

/** `| 200 | OK | [Pet](#schemapet) |` in a section of an endpoint. */
function stateResponse(
  row: TableRow,
  cells: readonly CellRefs[],
  { speaker }: Place,
  reader: DocumentReader,
): void {
  if (speaker.endpoints.length === 0) return;
  for (const { refs, cell } of cells.slice(1)) {
    const named = refs.find((ref) => ref.marked && ref.type !== 'Event' && ref.type !== 'Endpoint');
    if (named !== undefined && !/^(?:https?:)/.test(linkOf(row, cell, named))) {
      stateReturn(
        speaker.endpoints,
        named,
        row.line,
        row.cells.map(({ text }) => text).join(' | '),
        reader.facts,
      );
    }
  }
}

function linkOf(row: TableRow, cell: number, ref: Ref): string {
  return (
    row.cells[cell]?.marks.find((mark) => mark.kind === 'link' && mark.start === ref.start)?.target ?? ''
  );
}

/** What a row says of the thing in its first cell. */
function stateRow(
  row: TableRow,
  cells: readonly CellRefs[],
  place: Place,
  reader: DocumentReader,
  isSubject: boolean,
): void {
  const endpoint = cells.flatMap(({ refs }) => refs).find(({ type }) => type === 'Endpoint')?.key;
  const [lead] = cells[0]?.refs ?? [];
  const isLead = lead !== undefined && row.cells[0]?.text.slice(0, lead.start).trim() === '';
  const subject = isLead && (isSubject || lead.type === 'Event') ? lead : undefined;
  const speaker = speakerOfRow(endpoint, subject);
  row.cells.forEach((cell, index) => {
    if (index === 0 || !/\s/.test(cell.text.trim())) return;
    const refs = cells[index]?.refs ?? [];
    if (refs.length === 0 && speaker.endpoints.length === 0) return;
    for (const sentence of splitSentences(cell)) {
      const own = refs.filter(
        ({ start, end }) => start >= sentence.offset && end <= sentence.offset + sentence.text.length,
      );
      const moved = own.map((ref) => ({
        ...ref,
        start: ref.start - sentence.offset,
        end: ref.end - sentence.offset,
      }));
      stateRelations(sentence, moved, speaker, reader.facts);
    }
  });
  void place;
}

function speakerOfRow(endpoint: NodeKey | undefined, subject: Ref | undefined): Speaker {
  const isEvent = subject?.type === 'Event';
  return {
    endpoints: endpoint === undefined ? [] : [endpoint],
    heading: undefined,
    object: subject === undefined || isEvent ? undefined : subject.key,
    event: isEvent ? subject.key : undefined,
    objectFirst: endpoint === undefined,
    relates: false,
    changes: false,
  };
}
