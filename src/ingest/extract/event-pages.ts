/** Events that have a page of their own: in a folder of events, or with front matter that says so. */
import type { MarkdownDocument } from '../markdown/document.ts';
import { plainText } from '../markdown/rich-text.ts';
import type { ListedEvent } from './event-lists.ts';
import { bareEventName, eventShape, saysWhatHappened } from './event-names.ts';
import { firstProseOf } from './first-prose.ts';
import { namesParties } from './front-matter-facts.ts';
import { isSentWhen } from './heading-events.ts';

/** A folder in which each page is about an event: `events`, `domain-events`, `webhook_events`. */
const EVENTS_FOLDER = /(?:^|[/_-])events\/.*[^/]$/i;
/** In the reference of an API `events` may be a resource like others, with a page for each thing done with it: `api/events/cancel-triggered.md`. */
const EVENTS_OF_API =
  /(?:^|\/)(?:[\w-]*\b)?(?:api|reference|resources|endpoints)\b[^/]*\/(?:(?!webhooks?\/)[^/]+\/)*events\//i;
const KIND_OF_EVENT = /^(?:(?:domain|integration|webhook|analytics)[\s_-]?)?(?:events?|webhooks?)$/i;

/**
 * The event that a page is about by its place or its front matter. Its title must say what happened (`Order Placed`, `order.placed`), or the page when it is
 * sent: a folder of events has guides as well, and a site may call its conferences events.
 */
export function findPageEvent(
  document: MarkdownDocument,
  title: string,
  line: number,
): ListedEvent | undefined {
  const name = bareEventName(title);
  const shape = eventShape(name);
  if (shape === undefined || shape === 'word' || !isEventPage(document)) return undefined;
  // What one goes to has a title in words. An identifier may have a region, or a date of its introduction.
  if (shape === 'phrase' && isOfCalendar(document)) return undefined;
  const { sections, frontMatter } = document;
  const given = frontMatter.data.get('description') ?? frontMatter.data.get('summary');
  const prose = firstProseOf(sections.slice(0, 3));
  const told = typeof given === 'string' ? given : '';
  const isSent = isSentWhen(told) || (prose !== undefined && isSentWhen(prose.text));
  if (!isSent && !saysWhatHappened(name) && !namesParties(frontMatter.data)) return undefined;
  return { name, line, confidence: 0.95, description: prose ?? plainText(told, line) };
}

function isEventPage({ path, frontMatter: { data } }: MarkdownDocument): boolean {
  if (EVENTS_FOLDER.test(path) && !EVENTS_OF_API.test(path)) return true;
  return ['type', 'kind', 'category'].some((field) => {
    const value = data.get(field);
    return typeof value === 'string' && KIND_OF_EVENT.test(value.trim());
  });
}

/** What front matter says of something that one goes to: a meetup, a conference, a talk. */
const OF_CALENDAR =
  /^(?:venue|location|city|country|speakers?|rsvp|(?:event_?)?(?:start|end)(?:s|_?date|_?time|_?at)?)$/i;

function isOfCalendar({ frontMatter: { data } }: MarkdownDocument): boolean {
  return [...data.keys()].some((field) => OF_CALENDAR.test(field));
}
