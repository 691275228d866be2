/** Events that are listed in items of lists and rows of names. */
import type { Paragraph, Section } from '../markdown/document.ts';
import { lineAt, plainText, type RichText, textOf } from '../markdown/rich-text.ts';
import { opensWithDataType } from './data-types.ts';
import type { ListLead } from './event-leads.ts';
import { eventShape, isFieldAccess, isFieldInCamel, saysWhatHappened } from './event-names.ts';
import { isEventListTitle, isInEventSection } from './event-titles.ts';
import { findEventValues } from './event-values.ts';

/** An event that a row, an item or a heading is about. */
export interface ListedEvent {
  readonly name: string;
  readonly line: number;
  readonly confidence: number;
  /** The description at that place; empty if there is none. */
  readonly description: RichText;
}

/**
 * The events that an item lists: `- \`order.shipped\`: the parcel left` in a section about events, or the name alone below "Event name".
 * @param lead what the introduction of the list says of its items
 */
export function findListedEvents(paragraph: Paragraph, section: Section, lead: ListLead): ListedEvent[] {
  const { text, place } = paragraph;
  if (/^(?:webhook )?event (?:name|type)$/i.test(section.title)) return findNamedEvent(text) ?? [];
  if (place?.opens !== true && !isTermOfList(text)) return [];
  const values = findValuesOfField(text, section);
  if (values.length > 0) return values;
  const listsEvents = lead === 'events';
  const inList = listsEvents || (lead === 'unsaid' && isEventListTitle(section.title));
  const opening = inList ? findOpeningEvent(text, section) : findNameWithTime(text, section);
  if (opening?.some(({ name }) => isHeadOfGroup(name, paragraph, section))) return [];
  if (opening !== undefined || !(inList || isInEventSection(section, ''))) return opening ?? [];
  const term = listsEvents ? findPlainTerm(text) : undefined;
  if (term !== undefined) return [term];
  return text.marks.length === 0 ? findPlainRow(text) : findEventRow(text);
}

/** Events in an item about a field: `- \`event_type\` (string): one of \`order.placed\` and \`order.lost\``. */
function findValuesOfField(text: RichText, section: Section): ListedEvent[] {
  const [mark] = text.marks;
  if ((mark?.kind !== 'code' && mark?.kind !== 'strong') || mark.start > 0) return [];
  return findEventValues(textOf(text, mark), text, isInEventSection(section, ''));
}

/** Whether a text is a term in code with its definition on the next line, behind a colon. */
function isTermOfList(text: RichText): boolean {
  const [mark] = text.marks;
  if (mark?.kind !== 'code' || mark.start > 0) return false;
  return text.breaks.includes(mark.end + 1) && /^\s:\s/.test(text.text.slice(mark.end, mark.end + 3));
}

/** An event in capitals without markup: `ORDER_CLOSED (async): the order was closed`. It counts if the text above says that events follow. */
function findPlainTerm(text: RichText): ListedEvent | undefined {
  const name = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?=\s*(?:$|:|\(|[—–-]\s))/.exec(text.text)?.[0] ?? '';
  if (eventShape(name) === undefined || text.marks.some(({ start }) => start < name.length)) return undefined;
  const behind = text.text.slice(name.length).replace(/^\s*\([^()]*\)/, '');
  const description = plainText(behind.replace(/^[\s:—–-]+/, ''), lineAt(text, name.length));
  return { name, line: text.line, confidence: 0.85, description };
}

/** The events of an item that is nothing but names written like code, all about one thing: `message_created / message_active`. */
function findPlainRow(text: RichText): ListedEvent[] {
  const names = text.text.split(/\s*[,/]\s+|\s+[,/]\s*|\s+(?:and|or)\s+/).map((name) => name.trim());
  const things = new Set(names.map((name) => /^[a-z]+(?=(?:[._][a-z]+)+$)/.exec(name)?.[0]));
  const happens = names.some((name) => eventShape(name) === 'past' || /_[a-z]+ed$/.test(name));
  if (!happens || things.size > 1 || things.has(undefined)) return [];
  const description = plainText('', text.line);
  return names.map((name) => ({ name, line: text.line, confidence: 0.8, description }));
}

/** A value, which shows that the name before it is a field: `\`paidTotal\`: \`0\``. */
const VALUE = /^\s*[:=]\s*["'“]?(?:-?\d[\d.,]*|true|false|null)["'”]?\s*$/i;

function findOpeningEvent(text: RichText, section: Section): ListedEvent[] | undefined {
  const [mark] = text.marks;
  if (mark?.kind !== 'code' || text.text.slice(0, mark.start).trim() !== '') return undefined;
  const name = textOf(text, mark).trim();
  const shape = eventShape(name);
  const behind = text.text.slice(mark.end);
  if (shape === undefined || !/^\s*(?:$|[:—–-]|\(|is\b|when\b)/.test(behind) || isFieldAccess(name))
    return undefined;
  if (opensWithDataType(behind) || VALUE.test(behind) || isFieldInCamel(name)) return undefined;
  if (shape === 'word' && !(/\bevents?\b/i.test(section.title) && /^\s*[:—–-]/.test(behind)))
    return undefined;
  const description = plainText(behind.replace(/^[\s:—–-]+/, ''), lineAt(text, mark.end));
  return [{ name, line: text.line, confidence: 0.85, description }];
}

/** Whether an item only says of what those below it are: `\`bulkCreate\`:` above a list of the events of that operation. */
function isHeadOfGroup(name: string, paragraph: Paragraph, section: Section): boolean {
  if (paragraph.text.text.trim() !== `${name}:` || !/^[a-z]+[A-Z]/.test(name) || saysWhatHappened(name))
    return false;
  const below = section.blocks[section.blocks.indexOf(paragraph) + 1];
  if (below?.kind !== 'paragraph' || (below.place?.depth ?? 0) <= (paragraph.place?.depth ?? 0)) return false;
  return findOpeningEvent(below.text, section)?.some((event) => saysWhatHappened(event.name)) === true;
}

/**
 * The event of an item such as `- \`items.create\` - When items are created`, in any section about events: the item itself says when it happens. An item
 * about a field or a setting says what holds under a condition: `when set, requests are signed`.
 */
function findNameWithTime(text: RichText, section: Section): ListedEvent[] | undefined {
  const [mark] = text.marks;
  if (mark?.kind !== 'code' || mark.start > 0 || !isInEventSection(section, '')) return undefined;
  const shape = eventShape(textOf(text, mark).trim());
  const saysWhen =
    /^\s*[:—–-]\s*(?:when(?:ever)?|each time|every time|as soon as)\s(?!(?:set|given|present|true|false|not|omitted|empty|enabled|disabled)\b)[^,.]*(?:\.|$)/i.test(
      text.text.slice(mark.end),
    );
  return saysWhen && (shape === 'past' || shape === 'dotted') ? findOpeningEvent(text, section) : undefined;
}

/** The events of a row that has nothing else: `Orders: \`order.placed\`, \`order.shipped\` and \`order.lost\`.` */
function findEventRow(text: RichText): ListedEvent[] {
  const marks = text.marks.filter(({ kind }) => kind === 'code');
  const lead = /^[^:`.]{1,60}:\s/.exec(text.text)?.[0] ?? '';
  if (/\b(?:fields?|attributes?|propert|param|columns?|permissions?|scopes?)/i.test(lead)) return [];
  let between = '';
  let end = lead.length;
  for (const mark of marks) {
    between += text.text.slice(end, mark.start);
    end = mark.end;
  }
  if (!/^(?:[\s,/&]|\band\b|\bor\b)*$/.test(between) || !/^\.?\s*$/.test(text.text.slice(end))) return [];
  const names = marks.map((mark) => textOf(text, mark).trim());
  if (!names.every((name) => name.includes('.') && eventShape(name) === 'past')) return [];
  const description = plainText('', text.line);
  return names.map((name) => ({ name, line: text.line, confidence: 0.85, description }));
}

/** The event of a paragraph that is nothing but its name. */
function findNamedEvent(text: RichText): ListedEvent[] | undefined {
  const [mark] = text.marks;
  const name = text.text.trim();
  if (mark?.kind !== 'code' || textOf(text, mark).trim() !== name || eventShape(name) === undefined)
    return undefined;
  return [{ name, line: text.line, confidence: 0.85, description: plainText('', text.line) }];
}
