/** Names beside "event", "webhook" or "is sent" that are not names of events: things, fields, handlers, and sources of events. */
import type { Mark } from '../markdown/rich-text.ts';
import type { EventShape } from './event-names.ts';
import { isVerb } from './names.ts';

/** Words before "event" that say what kind of event it is. */
export const KIND =
  '(?:(?:gateway|webhook|web hook|domain|system|dispatch|integration|kafka|custom|lifecycle|state|server-sent|browser|dom|analytics|audit log|real-time|realtime)\\s+){0,2}';

const EVENTS_BEHIND = new RegExp(`^["'”’)]?\\s+${KIND}(?:events|webhooks|event\\s+payloads)\\b`, 'i');
/** Endings of names of events, which say what happened. */
export const HAPPENS =
  /(?:ed|ing|Events?|Start|End|Stop|Open|Close|Add|Remove|Create|Update|Delete|Change|Move|Sent|Paid|Left|Lost|Built|Made|Begun|Done|Read|Set|Success|Failure|Error)$/;

/**
 * Whether a name is a field of a type, such as `Refund.lineItems`. It is not if it ends with what happened, but `Refund.last_paid` says when, or whether, that
 * was.
 */
export function isField(name: string): boolean {
  if (/^[A-Z][A-Za-z\d]*\.(?:is|has|was|last|first|date|time|previous|total)_[a-z\d_]+$/.test(name))
    return true;
  return /^[A-Z][A-Za-z\d]*\.[a-z\d]+(?:[A-Z][a-z\d]*)+$/.test(name) && !HAPPENS.test(name);
}

/** Whether a name is that of a function called for an event: `handleCartEvent`. */
export function isHandler(name: string): boolean {
  return /^handle[A-Z]/.test(name);
}

/** Whether a name is that of a thing which has events, as in `TaskRun` events. Its name does not say that anything happens, so these are not events of that name. */
export function hasEvents(mark: Mark, name: string, behind: string): boolean {
  const isThing =
    mark.kind === 'link'
      ? !mark.target.startsWith('#') &&
        (isMixed(name) || isAcronym(name) || (name.includes(' ') && !leadsToHeading(mark, name)))
      : isCamel(name);
  return isThing && !HAPPENS.test(name) && EVENTS_BEHIND.test(behind);
}

/** Whether a link leads to a heading with its own name, as links of events do: `[Row Added](/feed#row-added)`. */
function leadsToHeading({ target }: Mark, name: string): boolean {
  const at = target.indexOf('#');
  return at !== -1 && target.slice(at).toLowerCase().endsWith(name.toLowerCase().replaceAll(' ', '-'));
}

function isCamel(name: string): boolean {
  return /^(?:[A-Z][a-z\d]+){2,}$/.test(name);
}

/** Whether a name is one word in capitals, such as `IFTTT`. Names of events in capitals have several words. */
function isAcronym(name: string): boolean {
  return /^[A-Z][A-Z\d]+$/.test(name);
}

/** Whether a name has a capital behind a small letter: `sFlow`, `PingStore`. */
function isMixed(name: string): boolean {
  return /^[A-Za-z\d]*[a-z][A-Z][A-Za-z\d]*$/.test(name);
}

/**
 * Words for something that handles events, behind its name: `the \`heartbeat\` event source`, `\`notifier\` webhook receivers`. The name is not an event's
 * unless it says what happens.
 */
const PARTY = new RegExp(
  `^["'”’)]?\\s+${KIND}(?:event|webhook)\\s+(?:sources?|sinks?|brokers?|consumers?|producers?|receivers?|deliver(?:y|ies)|services?|servers?|displays?|hubs?|stores?|providers?|connectors?)\\b`,
  'i',
);

/** Whether a name is that of something that handles events. */
export function isParty(name: string, shape: EventShape, behind: string): boolean {
  return PARTY.test(behind) && isPlain(name, shape);
}

/** Whether a name in camel case says what happened, such as `RowAdded`. If it is published, it is an event even if no text says so. */
export function isHappening(name: string): boolean {
  return isCamel(name) && HAPPENED_IN_CAMEL.test(name);
}

const HAPPENED_IN_CAMEL = /(?:ed|Sent|Paid|Left|Lost|Built|Made|Done)$/;

/** Whether a name is a command, such as `CreateRow`: sending it tells somebody to do something. */
export function isCommand(name: string): boolean {
  const verb = /^([A-Z][a-z]+)(?=[A-Z])/.exec(name)?.[1] ?? '';
  return isCamel(name) && isVerb(verb) && !HAPPENS.test(name);
}

function isPlain(name: string, shape: EventShape): boolean {
  return shape === 'word' || (shape === 'identifier' && !HAPPENS.test(name) && !HAPPENED.test(name));
}

/** Endings of identifiers that say what happened: `ROW_ADDED`, `row-lost`. */
const HAPPENED = /[_-](?:[a-z]+ed|sent|paid|left|lost|[A-Z]+ED)$/;

/**
 * Words behind a name which is a thing that is sent: `\`cartGateways\` will be sent to …`, `An image (\`amd/sixty\`) is published with …`. Such a name is a
 * plural, or one thing of a kind. Of an event, the text would say when it is sent.
 */
const SENT_AS_THING =
  /^["'”’)]?\s+(?:is|are|will be|gets?)\s+(?:\w+ly\s+|then\s+|also\s+)?(?:sent|published|delivered)\s+(?:to|with|in|at)\b(?![^.]*\b(?:when(?:ever)?|if|after|before|once|each\s+time|every\s+time|as\s+soon\s+as)\b)/i;

/** Words before a name that only tell a place: `see where the \`PortTable\` is published`. */
const PLACE_BEFORE = /\b(?:where|whether|how)\s+(?:(?:an?|the)\s+)?["'“]?$/i;

export function isThingSent(name: string, before: string, behind: string): boolean {
  if (HAPPENS.test(name)) return false;
  if (PLACE_BEFORE.test(before)) return isMixed(name);
  return (
    SENT_AS_THING.test(behind) &&
    (/^[a-z\d]+\/[a-z\d]+$/.test(name) || (isMixed(name) && /[^s]s$/.test(name)))
  );
}
