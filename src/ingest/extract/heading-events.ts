/** Events named by the heading of a section or document, and by the first sentence below it. */
import type { MarkdownDocument, Paragraph, Section } from '../markdown/document.ts';
import { type Mark, plainText, type RichText, textOf } from '../markdown/rich-text.ts';
import type { ListedEvent } from './event-lists.ts';
import { bareEventName, type EventShape, eventShape, eventTitleOf, isFieldAccess } from './event-names.ts';
import {
  isEventDocument,
  isEventListTitle,
  isEventTitle,
  isInEventSection,
  TALKS_OF_EVENTS,
} from './event-titles.ts';
import { foldName, isVerb } from './names.ts';
import { objectOf } from './title.ts';

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

/** The event that a section describes, by its heading. */
export function findHeadingEvent(section: Section, documentTitle: string): ListedEvent | undefined {
  const heading = eventHeading(section);
  if (heading === undefined || isNoName(heading)) return undefined;
  const confidence = confidenceOf(heading, documentTitle);
  if (confidence === undefined) return undefined;
  const description = heading.first?.text ?? plainText('', section.line);
  return { name: heading.name, line: section.line, confidence, description };
}

/** A heading that may be the name of an event. */
interface EventHeading {
  readonly title: string;
  readonly parent: Section;
  readonly name: string;
  readonly shape: EventShape;
  /** Whether the name stands in code before its meaning, in a list of events. */
  readonly isListed: boolean;
  readonly isCode: boolean;
  /** The first paragraph below it. */
  readonly first: Paragraph | undefined;
  /** Whether that paragraph says that an event with this name is sent. */
  readonly isTold: boolean;
}

function eventHeading({ level, title, parent, heading, blocks }: Section): EventHeading | undefined {
  if (level === 0 || parent === undefined) return undefined;
  const listed = isEventListTitle(parent.title) ? leadingName(heading) : undefined;
  const name = listed ?? bareEventName(title.replace(/^(?:event|webhook):?\s+/i, ''));
  const shape = eventShape(name);
  if (shape === undefined || objectOf(title) !== undefined) return undefined;
  // `kiln.fire_events` keeps events, as a table or a stream of them.
  if (shape === 'dotted' && /events$/i.test(name)) return undefined;
  // `notification.sent` is not the heading of a section about notifications.
  if (isEventTitle(name) && !HAS_MARK.test(name)) return undefined;
  const first = blocks.find((block) => block.kind === 'paragraph');
  return {
    title,
    parent,
    name,
    shape,
    isListed: listed !== undefined,
    isCode: heading.marks.some(({ kind }) => kind === 'code'),
    first,
    isTold: first !== undefined && saysThatItIsSent(first.text.text, name),
  };
}

/** Characters that do not occur within words of a sentence. */
const HAS_MARK = /[.:/]/;
const NO_NAME =
  /^(?:example|sample|how|an?|the|possible|available|supported|common|other|all|types?|names?)\b|^(?:details?|overview|summary|description|introduction|background|purpose|notes?|usage|meaning)$/i;

/** Whether a heading is not the name of one event: it stands over several, over an error or a measure, or over an instruction. */
function isNoName({ name, first, isTold }: EventHeading): boolean {
  const text = first?.text.text ?? '';
  if (FAILS.test(text) || MEASURES.test(text)) return true;
  // A part that folds open below the heading has its own summary as a heading, and so has a card with an event as its title.
  if (first?.text.marks.some((mark) => isSummary(mark) || (eventTitleOf(mark) ?? name) !== name)) return true;
  if (isTold) return false;
  if (NO_NAME.test(name) || isVerb(name.split(' ')[0] ?? '')) return true;
  return first !== undefined && !HAS_MARK.test(name) && opensListOfEvents(first);
}

/** The confidence that the heading names an event; undefined if nothing says so. */
function confidenceOf(heading: EventHeading, documentTitle: string): number | undefined {
  const { title, parent, name, shape, isCode, first } = heading;
  const inEvents = isInEventSection(parent, documentTitle) || isEventDocument(documentTitle);
  const isNamedEvent = /[a-z\d]Event$/.test(name);
  const isOfEvents = inEvents || isNamedEvent || TALKS_OF_EVENTS.test(first?.text.text ?? '');
  if (isOfEvents && isSent(heading)) return 0.9;
  if (SAYS_EVENT.test(title) && (shape !== 'word' || isCode)) return 0.85;
  const isListed = heading.isListed || (isEventListTitle(parent.title) && LISTED_NAME.test(name));
  const isOfValues = OF_VALUES.test(parent.title) && isFieldAccess(name);
  const isWritten = isNamedEvent || shape === 'past' || (shape === 'dotted' && isCode && !isOfValues);
  return isListed || (inEvents && isWritten) ? 0.85 : undefined;
}

const SAYS_EVENT = /\bevent$/i;

/** Whether the text says when this event is sent, and not another. */
function isSent({ title, name, shape, isCode, first, isTold }: EventHeading): boolean {
  const text = first?.text.text ?? '';
  const isAnothers =
    !isCode &&
    ((shape === 'word' && speaksOfAnother(text, name)) || (!SAYS_EVENT.test(title) && OF_ALL.test(text)));
  if (isAnothers) return false;
  return isTold || isSentWhen(text) || text.split('\n').some((line) => SENT_WHEN.test(line));
}

/** Text about an error: `This error is raised when …` */
const FAILS = /^\W*(?:this|the|an?)\s+(?:\w+\s+)?(?:error|exception|warning|flag)\b/i;
/** Text about a metric: `**Instrument type:** Histogram`, `Counter of all calls`. */
const MEASURES =
  /^\W{0,9}(?:(?:instrument|metric)(?:\s+(?:type|kind))?\s*:|type\W{1,9}(?:histogram|counter|gauge|summary)\b|(?:an?\s+)?(?:histogram|counter|gauge)\b)/i;
const SENT_WHEN =
  /^\W*(?:(?:[\w: -]|\.(?=\S)){1,60}\s+(?:event,|event is|webhook is|is|are)\s+)?(?:this (?:event|webhook) (?:is|will be)\s+)?(?:sent|fired|fires|emitted|triggered|dispatched|occurs|raised|published|delivered|broadcast)\s+(?:\w+ly\s+)?(?:to .{0,60}?)?(?:when(?:ever)?|if|after|before|once|upon|each time|every time|as soon as|in response|on (?:every|each|any|success\w*|creation|deletion|update|change|failure))\b/i;

/** Whether a text begins by saying when something is sent: `Fires when a cart is created`. */
export function isSentWhen(text: string): boolean {
  return SENT_WHEN.test(text.trim());
}

/** Names that a heading below "Events" may have even if nothing says when they are sent: `SceneCreated`, `SCENE_CREATED`. */
const LISTED_NAME =
  /^(?:[A-Z][a-z\d]+)+(?:[A-Z][a-z]*(?:ed|ing)|Event|Start|End|Update|Create|Delete|Add|Remove|Change)$|^[A-Z\d]+(?:_[A-Z\d]+)+$/;

function isSummary({ kind, target }: Mark): boolean {
  return kind === 'tag' && target === 'summary';
}

/** Whether something other than the heading's name is sent: `FlagReview is sent to …` below "Overview", `This alert is fired when …` below "Meaning". */
function speaksOfAnother(text: string, name: string): boolean {
  const subject = /^\W*((?:[\w: -]|\.(?=\S)){1,60}?)\s+(?:is|are)\s/.exec(text)?.[1];
  if (subject === undefined || /\b(?:it|this|events?|webhooks?|messages?|notifications?)$/i.test(subject))
    return false;
  return !foldName(subject).includes(foldName(name));
}

/** Text about events in general, below a heading that explains what they are: `Events are triggered when …`. */
const OF_ALL = /^\W*(?:all\s+)?(?:webhook\s+)?(?:events|webhooks|notifications)\s+are\b/i;

const NAMED_AND_SENT =
  /^\W{0,9}(?:(?:the|an?|this)\s{1,9})?(.{1,60}?)\s{1,9}(?:event|webhook)\s+(?:is|will\s+be|gets)\s+(?:\w+ly\s+)?(?:sent|fired|emitted|triggered|dispatched|raised|published|delivered|broadcast)\b/i;

const TOLD_AND_SENT =
  /^\W{0,9}(?:(?:the|an?|this)\s{1,9})?(.{1,60}?)\s{1,9}(?:event\s{1,9})?is\s{1,9}an?\s{1,9}(?:[\w-]{1,30}\s{1,9})?(?:event|webhook)\s{1,9}(?:(?:that|which)\s{1,9}(?:is|gets|will\s+be)\s{1,9})?(?:\w{1,30}ly\s{1,9})?(?:sent|fired|emitted|triggered|dispatched|raised|published|delivered|broadcast)\b/i;

/** Whether a text says that the event with this name is sent: `The Conference Created event is fired when …`, `A Letter is an event that is sent by …`. */
function saysThatItIsSent(text: string, name: string): boolean {
  const said = NAMED_AND_SENT.exec(text)?.[1] ?? TOLD_AND_SENT.exec(text)?.[1];
  return said !== undefined && foldName(said) === foldName(name);
}

/** Whether a list of events begins, so that the heading itself names none: `- \`message.read\`: when a message is read`, below "Message events". */
function opensListOfEvents({ text, place }: Paragraph): boolean {
  const [mark] = text.marks;
  return (
    place?.opens === true &&
    mark?.kind === 'code' &&
    mark.start === 0 &&
    eventShape(textOf(text, mark).trim()) === 'past'
  );
}

/** The code at the beginning of a heading, if its meaning follows: `\`up\` - Reading taken`. */
function leadingName(heading: RichText): string | undefined {
  const [mark] = heading.marks;
  if (mark?.kind !== 'code' || heading.text.slice(0, mark.start).trim() !== '') return undefined;
  return /^\s*(?:[—–-]\s|:)\s*\S/.test(heading.text.slice(mark.end))
    ? textOf(heading, mark).trim()
    : undefined;
}

/** Headings over things that have a value at all times: `Properties`, `Clock fields`. */
const OF_VALUES = /\b(?:propert(?:y|ies)|fields?|attributes?|methods?|functions?|options?|parameters?)$/i;
