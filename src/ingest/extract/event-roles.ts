/** Labels and headings that say what a thing does with the events behind them: `Published events`, `**Consumes:**`, `Events reacted to:`. */
import type { NodeKey } from '../../core/graph-model.ts';
import { eventKey } from '../../core/identity.ts';
import type { Section } from '../markdown/document.ts';
import type { RichText } from '../markdown/rich-text.ts';
import { eventShape, saysWhatHappened } from './event-names.ts';
import { isParty } from './event-parties.ts';
import { isEventDocument, isEventTitle } from './event-titles.ts';
import type { FactCollector } from './facts.ts';
import { conceptKeyOf } from './names.ts';
import type { Ref } from './refs.ts';
import { isNominal } from './title.ts';
import { VERB_RULES, type VerbRule } from './verbs.ts';

const SENT = 'produced|published|emitted|sent|raised|fired|triggered|broadcast|dispatched';
const TAKEN =
  'consumed|received|handled|processed|reacted\\s+to|subscribed(?:\\s+to)?|listened\\s+(?:to|for)';
const EVENTS = '(?:(?:domain|integration|kafka|webhook|outgoing|incoming)\\s+)?events';
/** Without `Raises:`, behind which stand exceptions. */
const SENDS = new RegExp(
  `^(?:(?:${SENT}|outgoing|outbound)\\s+${EVENTS}|${EVENTS}\\s+(?:${SENT})|publishes|emits|fires|produces)$`,
  'i',
);
const TAKES = new RegExp(
  `^(?:(?:${TAKEN}|incoming|inbound)\\s+${EVENTS}|${EVENTS}\\s+(?:${TAKEN})|consumes|handles|subscribes(?:\\s+to)?|listens(?:\\s+(?:to|for))?|reacts\\s+to)$`,
  'i',
);

const SENDING = VERB_RULES.find(({ code }) => code === 'emits');
const TAKING = VERB_RULES.find(({ code }) => code === 'references');

const MAX_LABEL = 60;

/** The rule that a label stands for; undefined if it is another label. What stands in brackets or a colon behind it does not count. */
export function roleOf(label: string): VerbRule | undefined {
  if (label.length > MAX_LABEL) return undefined;
  const name = label.replace(/\s*(?:\([^()]*\))?\s*:?\s*$/, '').trim();
  return SENDS.test(name) ? SENDING : TAKES.test(name) ? TAKING : undefined;
}

/** A label at the start of a sentence, or one in bold that is all of it, and where what it speaks of begins. */
export function roleAt({
  text,
  marks: [mark],
}: RichText): { readonly label: string; readonly end: number } | undefined {
  const isBold = mark?.kind === 'strong' && mark.start === 0 && text.slice(mark.end).trim() === '';
  if (isBold && roleOf(text) !== undefined) return { label: text.trim(), end: text.length };
  const colon = text.indexOf(':');
  if (colon < 5 || colon > MAX_LABEL || roleOf(text.slice(0, colon)) === undefined) return undefined;
  const end = text.slice(colon + 1).search(/\S|$/) + colon + 1;
  return { label: text.slice(0, end), end };
}

/** Events behind a label that are set off by nothing: `Publishes: mug.fired, mug.removed`. */
export function plainEvents(text: string, from: number): Ref[] {
  return [...text.slice(from).matchAll(PLAIN_EVENT)].flatMap(({ 1: label = '', index, 0: { length } }) => {
    if (eventShape(label) === undefined || !saysWhatHappened(label)) return [];
    const end = from + index + length;
    const place = { start: end - label.length, end, confidence: 0.6, declares: false, marked: true };
    return [{ key: eventKey(label), type: 'Event', label, ...place }];
  });
}

const PLAIN_EVENT =
  /(?:^|[\s,(])([a-z][\w-]*(?:\.[a-z][\w-]*)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)(?=$|[\s,;)]|\.(?:\s|$))/g;

/** Headings that say what is told, and not of what. */
const MATTER =
  /(?:^|\s|-)(?:overview|introduction|summary|details?|apis?|interfaces?|integrations?|messaging|communications?|contracts?|dependencies|architecture|design|responsibilit(?:y|ies)|reference|usage|implementation|inputs?|outputs?|kafka|rabbitmq|nats|queues?)$/i;

/** Titles of what tells of several things, or of how something is done: `Services`, `Order flow`, `Quickstart`. */
const SEVERAL =
  /(?:^|\s|-)(?:(?:micro)?services|modules|components|contexts|systems|teams|flows?|guides?|tutorials?|walkthroughs?|quick\s?-?start|getting\s+started|how-?to)$/i;

/** The thing of which a list of events speaks. */
export interface ListOwner {
  readonly key: NodeKey;
  readonly label: string;
  readonly line: number;
  /** The document, if the thing is what all of it is about. */
  readonly page?: NodeKey;
}

/** The thing that the nearest heading names that is more than the matter of its section; the topic of the document if there is none. */
export function ownerOfLists(
  section: Section,
  title: string,
  topic: NodeKey | undefined,
  page: NodeKey,
): ListOwner | undefined {
  let at: Section | undefined = section;
  while (at !== undefined && at.level > 0 && at.title !== title) {
    const { title: label, line }: Section = at;
    if (!isMatter(label)) return namedOwner(label, line);
    at = at.parent;
  }
  if (isEventDocument(title) || MATTER.test(title) || SEVERAL.test(title)) return undefined;
  return { key: topic ?? page, label: title, line: at?.line ?? 1, page };
}

/** The thing of which lists speak below a text that works as a heading: a name in bold, or an item around them. */
export function ownerBelow(text: string, line: number, around: ListOwner | undefined): ListOwner | undefined {
  const [label = ''] = text.slice(0, MAX_LABEL).split(/\s*:|\s+[-–—]\s/, 1);
  return isMatter(label) ? around : namedOwner(label, line);
}

/** Whether a heading says what is told, and not of what. */
function isMatter(label: string): boolean {
  return (isEventTitle(label) && !label.includes(':')) || MATTER.test(label) || roleOf(label) !== undefined;
}

/** Undefined for what is no thing, such as an event, or several of them. */
function namedOwner(label: string, line: number): ListOwner | undefined {
  const isEvent = eventShape(label) !== undefined && saysWhatHappened(label);
  return isNominal(label) && !isEvent && !SEVERAL.test(label)
    ? { key: conceptKeyOf(label), label, line }
    : undefined;
}

/** The node of what a list of events speaks of: the document, if nothing says that its topic is a thing. */
export function nodeOf({ key, label, page }: ListOwner, facts: FactCollector): NodeKey {
  return page === undefined || isParty(label) || facts.isDeclared(key) ? key : page;
}

/** Declares what stands with such a label: the thing, if its name says what kind of party it is, and each event whose name says what happened. */
export function declareRole(
  { key, label, line: start }: ListOwner,
  events: readonly Ref[],
  line: number,
  facts: FactCollector,
): void {
  if (isParty(label))
    facts.mention({ key, type: 'Concept', label, line: start, confidence: 0.6, declares: true });
  for (const event of events)
    if (!event.declares && saysWhatHappened(event.label.replace(/Event$/, '')))
      facts.mention({
        key: event.key,
        type: 'Event',
        label: event.label,
        line,
        confidence: 0.7,
        declares: true,
      });
}
