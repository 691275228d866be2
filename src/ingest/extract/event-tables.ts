/** Events in tables that have a column of them. */

import type { Section, Table } from '../markdown/document.ts';
import { plainText, type RichText, textOf } from '../markdown/rich-text.ts';
import { withoutBracketsAtEnd } from './brackets.ts';
import type { ListedEvent } from './event-lists.ts';
import { bareEventName, eventShape, isFieldInCamel, saysWhatHappened } from './event-names.ts';
import { isPartyColumn } from './event-parties.ts';
import { isEventListTitle, isEventTitle } from './event-titles.ts';
import { isSentWhen } from './heading-events.ts';

export interface TableEvent extends ListedEvent {
  /** The index of the cell that names it. */
  readonly column: number;
}

const EVENT_COLUMN =
  /^(?:(?:webhook|gateway|domain|kafka)\s)?(?:events?|topics?|webhooks?)(?:\s(?:names?|types?|kinds?|keys?|topics?|codes?))?$/i;
/** Headers of columns of events in code: `Provider event (<status>)` beside `Our event`. */
const KIND_OF_EVENT_COLUMN = /^(?:[\w-]+\s){1,2}events?(?:\s(?:names?|types?))?$/i;
/**
 * Headers that may mean the topics of messages. They also stand over subjects of pages and guides: `| Topic | Link |`, `| Topic type | Template |`, and over
 * the metrics that a broker sends: `| Topic | Description |`.
 */
const TOPIC_COLUMN = /^topics?(?:\s(?:types?|kinds?))?$/i;
const NAME_COLUMN = /^(?:names?|types?|kinds?|values?|keys?|identifiers?|notifications?|messages?)$/i;
const FIELD_COLUMN = /^(?:types?|data ?types?|required|default|optional|format|example)\??$/i;

/** The row that names the event, in a table of one event's attributes: `| \`type\` | \`com.example.order.placed\` |`. */
const TYPE_ROW = /^(?:event[ _-]?)?type$|^event$|^topic$/i;

/**
 * One event for each row that names one: in code in any column of events, otherwise in the first column. A text
 * beside a name in code is only a title of the event: `| Refund failed | \`refund.failed\` |`.
 */
export function findTableEvents(table: Table, section: Section): TableEvent[] {
  const headers = table.header.map(({ text }) => text.trim());
  const opensRows = namesEventsFirst(headers, section);
  const columns = headers.flatMap((header, index) =>
    isEventColumn(header) || (opensRows && NAME_COLUMN.test(header)) ? [index] : [],
  );
  const isMixed = isOfEventsAmongOthers(headers[0] ?? '');
  const isOfOne = listsAttributes(headers, section);
  const saysEvents = isEventListTitle(section.title);
  return table.rows.flatMap(({ cells, line }) => {
    const coded = columns.find((index) => isCodedName(cells[index]));
    const typed =
      isOfOne && TYPE_ROW.test(cells[0]?.text.trim() ?? '') && isCodedName(cells[1]) ? 1 : undefined;
    const isOpening = opensRows || saysWhen(cells) || (isMixed && isCalledEvent(cells));
    const column = typed ?? coded ?? (isOpening ? 0 : undefined);
    const cell = column === undefined ? undefined : cells[column];
    const name = cell === undefined ? undefined : listedName(cell);
    if (name === undefined || column === undefined) return [];
    const isOfTopics = TOPIC_COLUMN.test(headers[column] ?? '') && !saysEvents;
    if (isOfTopics && (isTitle(cell, name) || (name.includes('/') && !saysSentWhen(cells)))) return [];
    const others = cells.filter(
      (_, index) => index !== column && (index > 0 || !opensRows) && !isPartyColumn(headers[index] ?? ''),
    );
    const description = (typed === undefined ? longest(others) : undefined) ?? plainText('', line);
    return [{ name, line, column, confidence: 0.9, description }];
  });
}

function isEventColumn(header: string): boolean {
  return (
    EVENT_COLUMN.test(header) ||
    KIND_OF_EVENT_COLUMN.test(header.endsWith(')') ? withoutBracketsAtEnd(header) : header)
  );
}

/** Whether a column has events and something else: `Event name or endpoint`. */
function isOfEventsAmongOthers(header: string): boolean {
  const alternatives = header.split(/\s+or\s+|\s*\/\s*/i);
  return alternatives.length === 2 && alternatives.some((part) => EVENT_COLUMN.test(part));
}

/** Whether a row among others is that of an event: its name says what happened, or another cell calls it one. */
function isCalledEvent([first, ...others]: readonly RichText[]): boolean {
  const name = first?.text.trim() ?? '';
  if (!/^(?:[A-Z][a-z\d]+){2,}$/.test(name)) return false;
  return saysWhatHappened(name) || others.some(({ text }) => /^events?$/i.test(text.trim()));
}

/** Whether a table with a name and a value in each row describes one event. */
function listsAttributes(headers: readonly string[], section: Section): boolean {
  return headers.length === 2 && (/event/i.test(headers[0] ?? '') || isEventTitle(section.title));
}

function namesEventsFirst([first = '', ...others]: readonly string[], section: Section): boolean {
  if (EVENT_COLUMN.test(first)) return true;
  if (!NAME_COLUMN.test(first) || others.length === 0) return false;
  return !others.some((header) => FIELD_COLUMN.test(header)) && isEventListTitle(section.title);
}

/** Whether a row itself says that its first cell is sent: `| store/cart/created | Fires when a cart is created |`. */
function saysWhen(cells: readonly RichText[]): boolean {
  if (!saysSentWhen(cells.slice(1))) return false;
  const shape = eventShape(cells[0]?.text.trim() ?? '');
  return shape === 'past' || shape === 'dotted';
}

/**
 * Whether a cell is a title: words as in titles, the text of a link that is no code (`[Set-up](set-up.md)`), or a word with a capital (TLS, How-to). A name
 * written like code is none: `kiln_hot`, `OrderPlaced`.
 */
function isTitle(cell: RichText | undefined, name: string): boolean {
  const shape = eventShape(name);
  if (shape === 'phrase') return true;
  if (shape === 'past' || shape === 'dotted') return false;
  const kind = cell?.marks[0]?.kind;
  return kind === 'link' || (kind !== 'code' && /^[A-Z]/.test(name) && !/_|[a-z][A-Z]/.test(name));
}

function saysSentWhen(cells: readonly RichText[]): boolean {
  return cells.some(({ text }) => isSentWhen(text));
}

function longest(cells: readonly RichText[]): RichText | undefined {
  return cells.reduce<RichText | undefined>(
    (found, cell) => (found === undefined || cell.text.length > found.text.length ? cell : found),
    undefined,
  );
}

/** Whether a cell is nothing but a dotted name in code. */
function isCodedName(cell: RichText | undefined): boolean {
  const [mark] = cell?.marks ?? [];
  if (cell === undefined || mark?.kind !== 'code' || textOf(cell, mark) !== cell.text.trim()) return false;
  const shape = eventShape(cell.text.trim());
  return shape === 'dotted' || (shape === 'past' && /[.:/]/.test(cell.text));
}

/** The name that a cell consists of. */
function listedName(cell: RichText): string | undefined {
  const whole = bareEventName(withoutBracketsAtEnd(cell.text).replace(/\\?\*+$/, ''));
  const mark = cell.marks.find(({ kind }) => kind === 'code' || kind === 'link' || kind === 'strong');
  const shown = mark === undefined ? whole : bareEventName(textOf(cell, mark));
  const isWhole = mark === undefined || cell.text.slice(0, mark.start).trim() === '';
  if (!isWhole || shown === '') return undefined;
  const shape = eventShape(shown);
  if (shape === undefined || isFieldInCamel(shown)) return undefined;
  return shape === 'word' && mark === undefined ? undefined : shown;
}
