/** Finds sections and documents that are about events, so that what they list may be events. */
import type { MarkdownDocument, Section } from '../markdown/document.ts';
import { Memo } from './memo.ts';

/** Words by which a text is about events. */
export const TALKS_OF_EVENTS = /\b(?:events?|webhooks?|topics?|subscrib\w+|publish\w*|emit\w*)\b/i;

/** Words by which a text is about permissions of a caller, whose names look like those of events. */
export const TALKS_OF_GRANTS = /\b(?:scopes?|permissions?|privileges?)\b/i;

/** Whether a section is about events as such, so that its tables and lists may list them. */
export function isEventTitle(title: string): boolean {
  return eventTitles.get(title);
}

const eventTitles = new Memo(readsAsEventTitle);

function readsAsEventTitle(title: string): boolean {
  return (
    /\b(?:events?|webhooks?|triggers?|topics?|notifications?)\b/i.test(title) &&
    !TALKS_OF_GRANTS.test(title) &&
    (/\bevent types\b/i.test(title) ||
      !/\b(?:objects?|resources?|structures?|fields?|params?|parameters?|payloads?|endpoints?|signatures?|secrets?|handlers?|handling|security|users?|metrics)\b/i.test(
        title,
      ))
  );
}

/** The same for a document, whose title may be the name of its file: `_webhook_events`. */
export function isEventDocument(title: string): boolean {
  return isEventTitle(title.replaceAll('_', ' '));
}

/** Whether the section or one above it, up to the document's title, is about events. */
export function isInEventSection(section: Section, documentTitle: string): boolean {
  for (let at: Section | undefined = section; at !== undefined; at = at.parent) {
    if (isEventTitle(at.title)) return true;
    if (TALKS_OF_GRANTS.test(at.title)) return false;
  }
  return isEventDocument(documentTitle);
}

/** Whether a list of events follows the title: `Editor events`, `Event types`, `Webhook events`, `Events emitted`. */
export function isEventListTitle(title: string): boolean {
  if (/\b(?:for|to|with|about|from|using|on|via)\s+(?:\w+\s+){0,2}(?:events|webhooks)$/i.test(title))
    return false;
  if (/\b(?:options|settings|configuration|variables)$/i.test(title) || OF_WHAT_EVENTS_HAVE.test(title))
    return false;
  return (
    /\b(?:events|webhooks)$|\bevents?(?:\s(?:types?|kinds?|names?|list|reference|emitted|published|sent|fired|consumed|produced|catalogu?e?))$|^event(?:s| types)\b.{0,30}$|\bwebhook (?:topics?|types?)$/i.test(
      title,
    ) && isEventTitle(title)
  );
}

/** Titles about a property of events: `The order of delivered events`. A list, the types or a table of events are the events themselves. */
const OF_WHAT_EVENTS_HAVE =
  /\b(?!(?:lists?|types?|kinds?|names?|tables?|sets?|catalog(?:ue)?s?|overview|reference|summary|examples?|index|groups?|categor(?:y|ies)|series|sequence)\b)[a-z]+\s+of\s+(?:\w+\s+){0,2}(?:events|webhooks)$/i;

const FOLLOWING = /\b(?:following|these|those)\s+(?:[\w-]+\s+){0,3}(?:events|webhooks|topics)\b[^.]*:\s*$/i;

/** Whether a text introduces a list of events without naming one: `Triggers the following webhook events:`. */
export function leadsToEvents(text: string): boolean {
  return FOLLOWING.test(text);
}

/** Whether the document mentions events at all, so that a dotted name behind "triggers" is one. */
export function speaksOfEvents(document: MarkdownDocument, documentTitle: string): boolean {
  return (
    isEventDocument(documentTitle) ||
    document.sections.some(
      (section) =>
        isEventTitle(section.title) ||
        section.blocks.some(
          (block) => block.kind === 'paragraph' && /\b(?:webhook|event)s?\b/i.test(block.text.text),
        ),
    )
  );
}
