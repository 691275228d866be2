/** What a name beside "event", "webhook" and "is sent" is where it is none of an event: a thing, a field, a handler, who makes events. */
import type { Mark } from '../markdown/rich-text.ts';
import type { EventShape } from './event-names.ts';
import { isVerb } from './names.ts';

/** Words before "event" that say of which kind one is. */
export const KIND =
  '(?:(?:gateway|webhook|web hook|domain|system|dispatch|integration|kafka|custom|lifecycle|state|server-sent|browser|dom|analytics|audit log|real-time|realtime)\\s+){0,2}';

const EVENTS_BEHIND = new RegExp(`^["'”’)]?\\s+${KIND}(?:events|webhooks|event\\s+payloads)\\b`, 'i');
/** As names of events end: what happened. */
export const HAPPENS =
  /(?:ed|ing|Events?|Start|End|Stop|Open|Close|Add|Remove|Create|Update|Delete|Change|Move|Sent|Paid|Left|Lost|Built|Made|Begun|Done|Read|Set|Success|Failure|Error)$/;

/** `Refund.lineItems`: a field of a type, unless it ends with what happened; `Refund.last_paid` says when, or whether it has. */
export function isField(name: string): boolean {
  if (/^[A-Z][A-Za-z\d]*\.(?:is|has|was|last|first|date|time|previous|total)_[a-z\d_]+$/.test(name))
    return true;
  return /^[A-Z][A-Za-z\d]*\.[a-z\d]+(?:[A-Z][a-z\d]*)+$/.test(name) && !HAPPENS.test(name);
}

/** `handleCartEvent`: what is called for an event. */
export function isHandler(name: string): boolean {
  return /^handle[A-Z]/.test(name);
}

/** `TaskRun` events: those of a thing, whose name tells nothing that happens, and not several of that name. */
export function hasEvents(mark: Mark, name: string, behind: string): boolean {
  const isThing =
    mark.kind === 'link'
      ? !mark.target.startsWith('#') &&
        (isMixed(name) || isAcronym(name) || (name.includes(' ') && !leadsToHeading(mark, name)))
      : isCamel(name);
  return isThing && !HAPPENS.test(name) && EVENTS_BEHIND.test(behind);
}

/** Whether a link leads to the heading of its own name, as those of events do: `[Row Added](/feed#row-added)`. */
function leadsToHeading({ target }: Mark, name: string): boolean {
  const at = target.indexOf('#');
  return at !== -1 && target.slice(at).toLowerCase().endsWith(name.toLowerCase().replaceAll(' ', '-'));
}

function isCamel(name: string): boolean {
  return /^(?:[A-Z][a-z\d]+){2,}$/.test(name);
}

/** `IFTTT`: no name of what happens, which has several words in capitals. */
function isAcronym(name: string): boolean {
  return /^[A-Z][A-Z\d]+$/.test(name);
}

/** `sFlow`, `PingStore`: small letters and a capital among them. */
function isMixed(name: string): boolean {
  return /^[A-Za-z\d]*[a-z][A-Z][A-Za-z\d]*$/.test(name);
}

/** `the \`heartbeat\` event source`, `\`notifier\` webhook receivers`: what has to do with events, and is of that name where nothing happens in it. */
const PARTY = new RegExp(
  `^["'”’)]?\\s+${KIND}(?:event|webhook)\\s+(?:sources?|sinks?|brokers?|consumers?|producers?|receivers?|deliver(?:y|ies)|services?|servers?|displays?|hubs?|stores?|providers?|connectors?)\\b`,
  'i',
);

/** Whether it is that which has to do with events. */
export function isParty(name: string, shape: EventShape, behind: string): boolean {
  return PARTY.test(behind) && isPlain(name, shape);
}

/** `RowAdded`, of which no text need say that it is an event where it is published. */
export function isHappening(name: string): boolean {
  return isCamel(name) && HAPPENED_IN_CAMEL.test(name);
}

const HAPPENED_IN_CAMEL = /(?:ed|Sent|Paid|Left|Lost|Built|Made|Done)$/;

/** `CreateRow` is sent: what somebody is told to do. */
export function isCommand(name: string): boolean {
  const verb = /^([A-Z][a-z]+)(?=[A-Z])/.exec(name)?.[1] ?? '';
  return isCamel(name) && isVerb(verb) && !HAPPENS.test(name);
}

function isPlain(name: string, shape: EventShape): boolean {
  return shape === 'word' || (shape === 'identifier' && !HAPPENS.test(name) && !HAPPENED.test(name));
}

/** `ROW_ADDED`, `row-lost`. */
const HAPPENED = /[_-](?:[a-z]+ed|sent|paid|left|lost|[A-Z]+ED)$/;

/** `\`cartGateways\` will be sent to …`, `An image (\`amd/sixty\`) is published with …`: several things are, and one of a kind; of an event it is said when. */
const SENT_AS_THING =
  /^["'”’)]?\s+(?:is|are|will be|gets?)\s+(?:\w+ly\s+|then\s+|also\s+)?(?:sent|published|delivered)\s+(?:to|with|in|at)\b(?![^.]*\b(?:when(?:ever)?|if|after|before|once|each\s+time|every\s+time|as\s+soon\s+as)\b)/i;

/** `see where the \`PortTable\` is published`. */
const PLACE_BEFORE = /\b(?:where|whether|how)\s+(?:(?:an?|the)\s+)?["'“]?$/i;

export function isThingSent(name: string, before: string, behind: string): boolean {
  if (HAPPENS.test(name)) return false;
  if (PLACE_BEFORE.test(before)) return isMixed(name);
  return (
    SENT_AS_THING.test(behind) &&
    (/^[a-z\d]+\/[a-z\d]+$/.test(name) || (isMixed(name) && /[^s]s$/.test(name)))
  );
}
