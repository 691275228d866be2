/** Events by where they are listed: items of event lists, headings below an event heading. */
import type { MarkdownDocument, Paragraph, Section } from '../markdown/document.ts';
import { lineAt, type Mark, plainText, type RichText, textOf } from '../markdown/rich-text.ts';
import { opensWithDataType } from './data-types.ts';
import { bareEventName, eventShape, isFieldInCamel } from './event-names.ts';
import {
  isEventDocument,
  isEventListTitle,
  isEventTitle,
  isInEventSection,
  TALKS_OF_EVENTS,
} from './event-titles.ts';
import { findEventValues } from './event-values.ts';
import { foldName, isVerb } from './names.ts';
import { objectOf } from './title.ts';

/** An event that a row, an item or a heading is about. */
export interface ListedEvent {
  readonly name: string;
  readonly line: number;
  readonly confidence: number;
  /** What the place says of it; empty where it says nothing. */
  readonly description: RichText;
}

/**
 * `- \`order.shipped\`: the parcel left` in a section about events, or the name alone below "Event name".
 * @param listsEvents whether the sentence that opens the list says that its items are events
 */
export function findListedEvents(
  { text, place }: Paragraph,
  section: Section,
  listsEvents: boolean,
): ListedEvent[] {
  if (/^(?:webhook )?event (?:name|type)$/i.test(section.title)) return findNamedEvent(text) ?? [];
  if (place?.opens !== true && !isTermOfList(text)) return [];
  const values = findValuesOfField(text, section);
  if (values.length > 0) return values;
  const inList = listsEvents || isEventListTitle(section.title);
  const opening = inList ? findOpeningEvent(text, section) : findNameWithTime(text, section);
  if (opening !== undefined || !(inList || isInEventSection(section, ''))) return opening ?? [];
  const term = listsEvents ? findPlainTerm(text) : undefined;
  if (term !== undefined) return [term];
  return text.marks.length === 0 ? findPlainRow(text) : findEventRow(text);
}

/** `- \`event_type\` (string): one of \`order.placed\` and \`order.lost\``. */
function findValuesOfField(text: RichText, section: Section): ListedEvent[] {
  const [mark] = text.marks;
  if ((mark?.kind !== 'code' && mark?.kind !== 'strong') || mark.start > 0) return [];
  return findEventValues(textOf(text, mark), text, isInEventSection(section, ''));
}

/** A term in code with its definition on the next line, behind a colon. */
function isTermOfList(text: RichText): boolean {
  const [mark] = text.marks;
  if (mark?.kind !== 'code' || mark.start > 0) return false;
  return text.breaks.includes(mark.end + 1) && /^\s:\s/.test(text.text.slice(mark.end, mark.end + 3));
}

/** `ORDER_CLOSED (async): the order was closed`: a name in capitals needs no markup where what stands above says that events follow. */
function findPlainTerm(text: RichText): ListedEvent | undefined {
  const name = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?=\s*(?:$|:|\(|[—–-]\s))/.exec(text.text)?.[0] ?? '';
  if (eventShape(name) === undefined || text.marks.some(({ start }) => start < name.length)) return undefined;
  const behind = text.text.slice(name.length).replace(/^\s*\([^()]*\)/, '');
  const description = plainText(behind.replace(/^[\s:—–-]+/, ''), lineAt(text, name.length));
  return { name, line: text.line, confidence: 0.85, description };
}

/** `message_created / message_active`: an item that is nothing but names written as code is, of what happens to one thing. */
function findPlainRow(text: RichText): ListedEvent[] {
  const names = text.text.split(/\s*[,/]\s+|\s+[,/]\s*|\s+(?:and|or)\s+/).map((name) => name.trim());
  const things = new Set(names.map((name) => /^[a-z]+(?=(?:[._][a-z]+)+$)/.exec(name)?.[0]));
  const happens = names.some((name) => eventShape(name) === 'past' || /_[a-z]+ed$/.test(name));
  if (!happens || things.size > 1 || things.has(undefined)) return [];
  const description = plainText('', text.line);
  return names.map((name) => ({ name, line: text.line, confidence: 0.8, description }));
}

/** A field of a thing, as code reaches it: `checkout.shippingMethods`. */
const ACCESS =
  /^[a-z]\w*\.[a-z]+(?:[A-Z][a-z]*)*[A-Z](?!\w*(?:ed|ing|Start|End|Success|Failure|Error)$)[a-z]+$/;

/** `\`paidTotal\`: \`0\``: what has a value is a field. */
const VALUE = /^\s*[:=]\s*["'“]?(?:-?\d[\d.,]*|true|false|null)["'”]?\s*$/i;

function findOpeningEvent(text: RichText, section: Section): ListedEvent[] | undefined {
  const [mark] = text.marks;
  if (mark?.kind !== 'code' || text.text.slice(0, mark.start).trim() !== '') return undefined;
  const name = textOf(text, mark).trim();
  const shape = eventShape(name);
  const behind = text.text.slice(mark.end);
  if (shape === undefined || !/^\s*(?:$|[:—–-]|\(|is\b|when\b)/.test(behind) || ACCESS.test(name))
    return undefined;
  if (opensWithDataType(behind) || VALUE.test(behind) || isFieldInCamel(name)) return undefined;
  if (shape === 'word' && !(/\bevents?\b/i.test(section.title) && /^\s*[:—–-]/.test(behind)))
    return undefined;
  const description = plainText(behind.replace(/^[\s:—–-]+/, ''), lineAt(text, mark.end));
  return [{ name, line: text.line, confidence: 0.85, description }];
}

/**
 * `- \`items.create\` - When items are created`, in any section about events: the item itself says that its name happens. Of a field or a setting it is
 * said what holds then: `when set, requests are signed`.
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

/** `Orders: \`order.placed\`, \`order.shipped\` and \`order.lost\`.`: names of events and nothing else. */
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

/** A paragraph that is nothing but the event's name. */
function findNamedEvent(text: RichText): ListedEvent[] | undefined {
  const [mark] = text.marks;
  const name = text.text.trim();
  if (mark?.kind !== 'code' || textOf(text, mark).trim() !== name || eventShape(name) === undefined)
    return undefined;
  return [{ name, line: text.line, confidence: 0.85, description: plainText('', text.line) }];
}

/** `This error is raised when …` */
const FAILS = /^\W*(?:this|the|an?)\s+(?:\w+\s+)?(?:error|exception|warning|flag)\b/i;
/** `**Instrument type:** Histogram`, `Counter of all calls`: what is measured. */
const MEASURES =
  /^\W{0,9}(?:(?:instrument|metric)(?:\s+(?:type|kind))?\s*:|type\W{1,9}(?:histogram|counter|gauge|summary)\b|(?:an?\s+)?(?:histogram|counter|gauge)\b)/i;
const SENT_WHEN =
  /^\W*(?:(?:[\w: -]|\.(?=\S)){1,60}\s+(?:event,|event is|webhook is|is|are)\s+)?(?:this (?:event|webhook) (?:is|will be)\s+)?(?:sent|fired|fires|emitted|triggered|dispatched|occurs|raised|published|delivered|broadcast)\s+(?:\w+ly\s+)?(?:to .{0,60}?)?(?:when(?:ever)?|if|after|before|once|upon|each time|every time|as soon as|in response|on (?:every|each|any|success\w*|creation|deletion|update|change|failure))\b/i;

/** Whether a text begins with when something is sent: `Fires when a cart is created`. */
export function isSentWhen(text: string): boolean {
  return SENT_WHEN.test(text.trim());
}

/** Names that a heading below "Events" may have without a word about when they are sent: `SceneCreated`, `SCENE_CREATED`. */
const LISTED_NAME =
  /^(?:[A-Z][a-z\d]+)+(?:[A-Z][a-z]*(?:ed|ing)|Event|Start|End|Update|Create|Delete|Add|Remove|Change)$|^[A-Z\d]+(?:_[A-Z\d]+)+$/;

function isSummary({ kind, target }: Mark): boolean {
  return kind === 'tag' && target === 'summary';
}

/** `FlagReview is sent to …` below "Overview", `This alert is fired when …` below "Meaning": what is sent is not what the heading names. */
function speaksOfAnother(text: string, name: string): boolean {
  const subject = /^\W*((?:[\w: -]|\.(?=\S)){1,60}?)\s+(?:is|are)\s/.exec(text)?.[1];
  if (subject === undefined || /\b(?:it|this|events?|webhooks?|messages?|notifications?)$/i.test(subject))
    return false;
  return !foldName(subject).includes(foldName(name));
}

/** `Events are triggered when …`, below a heading that explains what they are. */
const OF_ALL = /^\W*(?:all\s+)?(?:webhook\s+)?(?:events|webhooks|notifications)\s+are\b/i;

const NAMED_AND_SENT =
  /^\W{0,9}(?:(?:the|an?|this)\s{1,9})?(.{1,60}?)\s{1,9}(?:event|webhook)\s+(?:is|will\s+be|gets)\s+(?:\w+ly\s+)?(?:sent|fired|emitted|triggered|dispatched|raised|published|delivered|broadcast)\b/i;

/** `The Conference Created event is fired when …`, of that name. */
function saysThatItIsSent(text: string, name: string): boolean {
  const said = NAMED_AND_SENT.exec(text)?.[1];
  return said !== undefined && foldName(said) === foldName(name);
}

/** The event that a document describes, by its title. */
export function findTitleEvent(
  { sections }: MarkdownDocument,
  title: string,
  line: number,
): ListedEvent | undefined {
  const name = bareEventName(title);
  if (eventShape(name) === undefined) return undefined;
  for (const { blocks } of sections.slice(0, 2)) {
    const first = blocks.find((block) => block.kind === 'paragraph');
    if (first?.kind !== 'paragraph' || !saysThatItIsSent(first.text.text, name)) continue;
    return { name, line, confidence: 0.9, description: first.text };
  }
  return undefined;
}

/** `- \`message.read\`: when a message is read`, below "Message events", which is none itself. */
function opensListOfEvents({ text, place }: Paragraph): boolean {
  const [mark] = text.marks;
  return (
    place?.opens === true &&
    mark?.kind === 'code' &&
    mark.start === 0 &&
    eventShape(textOf(text, mark).trim()) === 'past'
  );
}

/** What stands first in a heading in code, and in front of what it means: `\`up\` - Reading taken`. */
function leadingName({ heading }: Section): string | undefined {
  const [mark] = heading.marks;
  if (mark?.kind !== 'code' || heading.text.slice(0, mark.start).trim() !== '') return undefined;
  return /^\s*(?:[—–-]\s|:)\s*\S/.test(heading.text.slice(mark.end))
    ? textOf(heading, mark).trim()
    : undefined;
}

/** `Properties`, `Clock fields`: what is below them has a value at all times. */
const OF_VALUES = /\b(?:propert(?:y|ies)|fields?|attributes?|methods?|functions?|options?|parameters?)$/i;

/** The event that a section describes, by its heading. */
export function findHeadingEvent(section: Section, documentTitle: string): ListedEvent | undefined {
  if (section.level === 0 || section.parent === undefined) return undefined;
  const saysEvent = /\bevent$/i.test(section.title);
  const listed = isEventListTitle(section.parent.title) ? leadingName(section) : undefined;
  const name = listed ?? bareEventName(section.title.replace(/^(?:event|webhook):?\s+/i, ''));
  const shape = eventShape(name);
  if (shape === undefined || objectOf(section.title) !== undefined) return undefined;
  // `notification.sent` is no heading over notifications.
  if (isEventTitle(name) && !/[.:/]/.test(name)) return undefined;
  const first = section.blocks.find((block) => block.kind === 'paragraph');
  const isTold = first?.kind === 'paragraph' && saysThatItIsSent(first.text.text, name);
  if (
    !isTold &&
    (/^(?:example|sample|how|an?|the|possible|available|supported|common|other|all|types?|names?)\b/i.test(
      name,
    ) ||
      isVerb(name.split(' ')[0] ?? ''))
  )
    return undefined;
  // What folds open below a heading is headed by its own summary.
  if (first?.kind === 'paragraph' && first.text.marks.some(isSummary)) return undefined;
  if (!isTold && first?.kind === 'paragraph' && !/[.:/]/.test(name) && opensListOfEvents(first))
    return undefined;
  const text = first?.kind === 'paragraph' ? first.text : plainText('', section.line);
  const inEvents = isInEventSection(section.parent, documentTitle) || isEventDocument(documentTitle);
  if (FAILS.test(text.text) || MEASURES.test(text.text)) return undefined;
  const isCode = section.heading.marks.some(({ kind }) => kind === 'code');
  const isAnothers =
    !isCode &&
    ((shape === 'word' && speaksOfAnother(text.text, name)) || (!saysEvent && OF_ALL.test(text.text)));
  const isSent =
    !isAnothers &&
    (isTold ||
      isSentWhen(text.text) ||
      (first?.kind === 'paragraph' &&
        text.text.includes('\n') &&
        text.text.split('\n').some((line) => SENT_WHEN.test(line))));
  const isNamedEvent = /[a-z\d]Event$/.test(name);
  if (isSent && (inEvents || isNamedEvent || TALKS_OF_EVENTS.test(text.text))) {
    return { name, line: section.line, confidence: 0.9, description: text };
  }
  if (saysEvent && (shape !== 'word' || isCode))
    return { name, line: section.line, confidence: 0.85, description: text };
  const isListed = isEventListTitle(section.parent.title) && LISTED_NAME.test(name);
  const isOfValues = OF_VALUES.test(section.parent.title) && ACCESS.test(name);
  const isWritten = isNamedEvent || shape === 'past' || (shape === 'dotted' && isCode && !isOfValues);
  if (listed !== undefined || isListed || (inEvents && isWritten)) {
    return { name, line: section.line, confidence: 0.85, description: text };
  }
  return undefined;
}
