/**
 * Events that sentences name: beside "event", "webhook", "triggers", "fires", "is sent when". A name without such words
 * is at most a mention that counts where another document declares the event.
 */
import { type Mark, type RichText, textOf } from '../markdown/rich-text.ts';
import { opensWithDataType } from './data-types.ts';
import {
  bareEventName,
  type EventShape,
  eventShape,
  isFieldInCamel,
  saysWhatHappened,
} from './event-names.ts';
import {
  HAPPENS,
  hasEvents,
  isCommand,
  isField,
  isHandler,
  isHappening,
  isParty,
  isThingSent,
  KIND,
} from './event-things.ts';
import { TALKS_OF_EVENTS, TALKS_OF_GRANTS } from './event-titles.ts';
import type { PartNames } from './part-names.ts';

/** An event named at a place of a text. */
export interface EventPlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly confidence: number;
  readonly declares: boolean;
}

const EVENT_BEHIND = new RegExp(
  `^["'”’)]?\\s+(?:${KIND}(?:events?|webhooks?)|action\\s+hooks?)\\b(?!-|\\s+(?:types?|names?|id|loop|bus|listener|emitter|sourcing)s?\\b)(?!(?<=event)\\s+trigger\\b)(?!(?<=webhook)\\s+(?:action|response|url|endpoint|secret|template|integration)s?\\b)`,
  'i',
);
const EVENT_BEFORE =
  /\b(?:events?|topics?)(?:\s+(?:named|called|types?|names?|of type|like|such as|including|e\.g\.,?|i\.e\.,?))*\s*[:(—–-]?\s*["'“]?$/i;
const VERBS =
  'triggers?|triggering|triggered|fires?|firing|fired|emits?|emitting|dispatch(?:es)?|dispatching|publish(?:es)?|publishing|broadcasts?|broadcasting';
const ARTICLES = '(?:(?:an?|the|its|multiple|several|one|more|or|both|either)\\s+)*["\'“]?$';
const VERB_BEFORE = new RegExp(`\\b(?:${VERBS})\\s+${ARTICLES}`, 'i');
/** With "event" behind the name; what else is raised is an exception. */
const VERB_OF_EVENT = new RegExp(`\\b(?:${VERBS}|raises?|raising)\\s+${ARTICLES}`, 'i');
const SENT_BEHIND =
  /^["'”’)]?\s+(?:(?:event|webhook)\s+)?(?:is|are|will be|gets?)\s+(?:\w+ly\s+|then\s+|also\s+)?(?:sent|fired|emitted|triggered|dispatched|published|broadcast|delivered)\b(?!\s+(?:\w+ly\s+)?(?:as(?!\s+soon\b)|from|within(?!\s+\d)|along|instead)\b)/i;
/**
 * `\`endpoint.disabled\`, which triggers when …`, `\`order.paid\` fires after …`: of dotted names, as functions fire and trigger, too. A field "occurs
 * once", or before another one.
 */
const FIRES_BEHIND =
  /^["'”’)]?(?:,\s+which)?\s+(?:(?:is\s+(?:sent|fired|emitted|triggered)|fires|triggers)\s+(?:when(?:ever)?|after|before|once|each time|every time|as soon as)|occurs\s+(?:when(?:ever)?|each time|every time|as soon as))\b/i;
/**
 * `a webhook of type \`order.paid\``, `Event types are strings, for example: \`order.paid\``: of dotted names, since examples of much else follow, and not
 * where what follows is an example of what is in an event.
 */
const TYPE_BEFORE =
  /\bwebhooks?\s+(?:of\s+(?:the\s+)?type|named|called)\s+["'“]?$|\bevent\s+(?:types?|names?)\b(?:(?!\b(?:payloads?|bod(?:y|ies)|fields?|data|objects?|propert|attributes?|columns?|param|arguments?|headers?|metadata)|[.:;\n]).){0,60}[\s,(](?:for\s+(?:example|instance)|e\.g\.?|such\s+as)[,:]?\s+["'“]?$/i;
const COORDINATION =
  /^(?:(?:\s+(?:(?:gateway|webhook)\s+)?events?)?\s*[(,]?\s*\b(?:and|or)\b\s*(?:(?:an?|the|either|then)\s+)*|\s*(?:,|\/)\s*)$/i;
/** What a dotted name followed by one of these is instead. */
const OTHER_KIND =
  /^["'”’)]?\s+(?:(?:(?!events?\b|webhooks?\b)[\w-]+\s+)?(?:jobs?|crons?|tasks?|issues?|services?|errors?|exceptions?)|(?:[\w-]+\s+)?(?:scopes?|fields?|propert(?:y|ies)|parameters?|params?|attributes?|permissions?|methods?|functions?|files?|modules?|keys?|options?|config(?:uration)?|settings?|headers?|arrays?|objects?|commands?|class(?:es)?|namespaces?|packages?|libraries|variables?|hosts?|domains?|syscalls?|apis?|tables?|columns?|directives?)|resources?|entit(?:y|ies)|(?:data|domain)\s+models?|warnings?|lints?|diagnostics?|metrics?|counters?|histograms?|spans?)\b/i;
const OTHER_KIND_BEFORE = /\b(?:job|cron|task|service|error|exception|scope|permission)s?\s+["'“]?$/i;

/** What is known around a sentence. */
export interface Setting {
  /** Whether the section is about events. */
  readonly inEventSection: boolean;
  /** Whether the document speaks of events anywhere. */
  readonly spoken: boolean;
  /** Whether the document describes an API, so that a bold name is an object of it rather than a term. */
  readonly describesApi: boolean;
  /** Whether the document speaks of GraphQL. */
  readonly speaksOfGraphql: boolean;
  /** The parts of a system that the document defines, by which it names them in small letters. */
  readonly parts: PartNames;
}

/** Events that a sentence names. */
export function findEvents(text: RichText, setting: Setting): EventPlace[] {
  if (text.marks.length === 0) return findPhrases(text);
  if (!setting.inEventSection && !TALK.test(text.text)) return findPastNames(text);
  const candidates = text.marks.flatMap((mark) => candidateOf(text, mark) ?? []);
  if (candidates.length === 0) return findPhrases(text);
  const hasWords =
    (setting.inEventSection || TALKS_OF_EVENTS.test(text.text)) && !TALKS_OF_GRANTS.test(text.text);
  const stated = candidates.map(
    (candidate) => !isFieldInCamel(candidate.name) && isStated(text, candidate, setting.spoken),
  );
  spread(text, candidates, stated);
  const places: EventPlace[] = [];
  candidates.forEach((candidate, index) => {
    const sure = stated[index] === true && !isFieldInCamel(candidate.name);
    const place = judge(candidate, sure, hasWords);
    if (place !== undefined) places.push(place);
  });
  return places;
}

/** Without one of these words a sentence says of nothing that it is an event. */
const TALK =
  /event|webhook|trigger|fir(?:e|ing)|emit|dispatch|publish|rais|broadcast|sent|deliver|topic|subscrib/i;

const IN_KEBAB = /^[a-z\d]+(?:-[a-z\d]+)+$/;

/** What else is written in kebab case, and with a participle: `the class \`order-placed\``. */
const OF_OTHERS =
  /\b(?:class(?:es)?|files?|templates?|values?|stat(?:e|es|us|uses)|attributes?|slots?|icons?|images?|branch(?:es)?|packages?|labels?|tags?|flags?|options?|badges?)\b/i;

/** Names in code that read as events where nothing else says so. */
function findPastNames(text: RichText): EventPlace[] {
  return text.marks.flatMap((mark) => {
    if (mark.kind !== 'code') return [];
    const name = textOf(text, mark).trim();
    const shape = eventShape(name);
    if (shape === undefined || shape === 'word' || shape === 'phrase' || isNameOfThing(name)) return [];
    if (IN_KEBAB.test(name) && (!saysWhatHappened(name) || OF_OTHERS.test(text.text))) return [];
    if (OTHER_KIND.test(text.text.slice(mark.end, mark.end + 60))) return [];
    return [{ name, start: mark.start, end: mark.end, confidence: 0.3, declares: false }];
  });
}

interface Candidate {
  readonly mark: Mark;
  readonly name: string;
  readonly shape: EventShape;
}

function candidateOf(text: RichText, mark: Mark): Candidate | undefined {
  if (mark.kind !== 'code' && mark.kind !== 'link' && mark.kind !== 'strong') return undefined;
  const name = bareEventName(textOf(text, mark));
  const shape = eventShape(name);
  if (shape === undefined) return undefined;
  if (mark.kind !== 'code' && shape === 'word' && !isEventTarget(mark, name)) return undefined;
  if (OTHER_KIND.test(text.text.slice(mark.end, mark.end + 60)) || isDenied(text, mark)) return undefined;
  if (isField(name) || isHandler(name) || opensWithDataType(text.text.slice(mark.end, mark.end + 60)))
    return undefined;
  if (hasEvents(mark, name, text.text.slice(mark.end, mark.end + 40))) return undefined;
  if (OTHER_KIND_BEFORE.test(text.text.slice(Math.max(0, mark.start - 20), mark.start))) return undefined;
  return { mark, name, shape };
}

/** `There is no \`charge.pending\` event`, `with \`code\` set to \`m.accepted\``, `\`server.enabled\` is true`. */
function isDenied({ text }: RichText, { start, end }: Mark): boolean {
  const before = text.slice(Math.max(0, start - 20), start);
  if (/\b(?:no(?:\s+such)?|not\s+an?|isn['’]t\s+an?|(?:set|equal)\s+to)\s+$/i.test(before)) return true;
  return /^["'”’]?\s*(?:=|:|is|are|(?:is\s+)?set\s+to)\s*(?:true|false)\b/i.test(text.slice(end, end + 20));
}

/** Whether a link leads to an event's own heading: `[Ready](/gateway-events#ready)`, `[Mug Fired event](/events#mug-fired-event)`. */
function isEventTarget(mark: Mark, name: string): boolean {
  if (mark.kind !== 'link' || !/event/i.test(mark.target) || !mark.target.includes('#')) return false;
  const anchor = mark.target.slice(mark.target.lastIndexOf('#') + 1).toLowerCase();
  return anchor.replace(/-event$/, '') === name.toLowerCase().replaceAll(' ', '-');
}

/** Reasons for errors, which are told of beside events: `frame_too_large` events. What is sent, or listed as an event, may be called so. */
const REASON = /^(?:invalid|malformed)_|_too_[a-z]+$|_not_(?:found|allowed|supported)$/;

/** Whether the words beside the name say that it is an event. */
function isStated({ text }: RichText, candidate: Candidate, spoken: boolean): boolean {
  const { mark, shape, name } = candidate;
  const behind = text.slice(mark.end, mark.end + 80);
  const before = text.slice(Math.max(0, mark.start - 80), mark.start);
  if (EVENT_BEHIND.test(behind) && !REASON.test(name) && !isParty(name, shape, behind)) return true;
  if (mark.kind === 'code') {
    if (isSent(candidate, before, behind, spoken)) return true;
    if (shape !== 'word' && isBehindEvent(before, name, shape)) return true;
    const tellsOfIt = FIRES_BEHIND.test(behind) || TYPE_BEFORE.test(before);
    if (tellsOfIt && (shape === 'past' || shape === 'dotted')) return true;
  }
  return VERB_BEFORE.test(before) && isTriggered(candidate, before, spoken);
}

/** `\`order.paid\` is sent`: whether it is an event that is sent, and neither a message nor a thing. */
function isSent({ shape, name }: Candidate, before: string, behind: string, spoken: boolean): boolean {
  if (shape === 'word' || !SENT_BEHIND.test(behind)) return false;
  if (isHalfOfCall(name) || isCommand(name) || isThingSent(name, before, behind)) return false;
  return spoken || shape !== 'identifier' || isHappening(name) || /^[A-Z\d_]+$/.test(name);
}

/** `emits \`order.paid\``: whether a name behind such a verb is that of an event, by its form. */
function isTriggered({ mark, shape, name }: Candidate, before: string, spoken: boolean): boolean {
  if (mark.kind === 'link') return /event/i.test(mark.target);
  if (mark.kind === 'strong') return shape === 'past';
  if (shape === 'past') return true;
  if (shape === 'dotted') return spoken && name === name.toLowerCase();
  if (!spoken && isNameOfThing(name)) return false;
  return shape === 'identifier' && !/\btrigger\w*\s+(?:\w+\s+){0,4}$/i.test(before) && !name.includes('-');
}

/** `A \`BindRequest\` is sent`: what is asked or answered, not what happened. */
function isHalfOfCall(name: string): boolean {
  return /[a-z\d](?:Request|Response|Reply)$/.test(name);
}

/** `sensors/kitchen`, `order-intake`, `TopicOne`, in which nothing happens. */
function isWay(name: string, shape: EventShape): boolean {
  if (shape === 'past') return false;
  return name.includes('/') || (shape === 'identifier' && !HAPPENS.test(name) && !/[_-]events?$/i.test(name));
}

/** `subscribe to the following bot events:` says of all that follows what it is, however it is written. */
const OPENS_LIST = /\b(?:events|topics)(?:\s+(?:are|named|called|types?|names?))?\s*:\s*["'“]?$/i;

/** A topic is a way that messages go. Its name is that of an event where it says what happened: `published to the topic \`order.placed\``. */
const TOPIC_BEFORE = /(?<!\b(?:webhooks?|events?)\s+)\btopics?\b[^.;]{0,30}$/i;

/** In brackets behind "event" a name is the event's, a field of it only where it is written as fields are: `the event (\`user_name\`)`. */
function isBehindEvent(before: string, name: string, shape: EventShape): boolean {
  if (!EVENT_BEFORE.test(before)) return false;
  if (TOPIC_BEFORE.test(before) && isWay(name, shape)) return false;
  return !/\(["'“]?$/.test(before) || shape !== 'identifier' || name !== name.toLowerCase();
}

/** What is said of one name holds for those joined to it by commas, "and" and "or". */
function spread(text: RichText, candidates: readonly Candidate[], stated: boolean[]): void {
  const isList = OPENS_LIST.test(text.text.slice(0, candidates[0]?.mark.start));
  const joined = (left: number, right: number) => {
    const [a, b] = [candidates[left], candidates[right]];
    if (a === undefined || b === undefined || (!isList && isDotted(a) !== isDotted(b))) return false;
    return COORDINATION.test(text.text.slice(a.mark.end, b.mark.start));
  };
  for (let index = 1; index < candidates.length; index += 1) {
    if (stated[index - 1] && joined(index - 1, index)) stated[index] = true;
  }
  for (let index = candidates.length - 1; index > 0; index -= 1) {
    if (stated[index] && joined(index - 1, index)) stated[index - 1] = true;
  }
}

/** Names of one list are written alike: `order.placed` is not joined to `order_id`. */
function isDotted({ name }: Candidate): boolean {
  return /[.:/]/.test(name);
}

/** As settings end: `server.rollout.enabled`. */
const SWITCH = /\.(?:en|dis)abled$/i;

function judge({ mark, name, shape }: Candidate, stated: boolean, hasWords: boolean): EventPlace | undefined {
  const place = { name, start: mark.start, end: mark.end };
  if (stated) return { ...place, confidence: mark.kind === 'strong' ? 0.8 : 0.9, declares: true };
  if (mark.kind !== 'code')
    return mark.kind === 'link' && isEventTarget(mark, name)
      ? { ...place, confidence: 0.3, declares: false }
      : undefined;
  const declares = hasWords && !SWITCH.test(name);
  if (shape === 'past') return { ...place, confidence: declares ? 0.7 : 0.3, declares };
  if (shape === 'word' || isNameOfThing(name)) return undefined;
  return { ...place, confidence: 0.3, declares: false };
}

/** `PaymentMethod`, `PriceSet`: names in CamelCase that do not end with what happened, and are things unless words say otherwise. */
function isNameOfThing(name: string): boolean {
  return /^(?:[A-Z][a-z\d]+){2,}$/.test(name) && (!HAPPENS.test(name) || /[a-z\d]Set$/.test(name));
}

/** `Fires a Guild Create Gateway event` without any markup. */
function findPhrases(text: RichText): EventPlace[] {
  if (!text.text.includes(' event')) return [];
  const places: EventPlace[] = [];
  for (const match of text.text.matchAll(
    /\b((?:[A-Z][\w-]*\s){1,6})(?:(?:[Gg]ateway|[Ww]ebhook)\s)?events?\b/g,
  )) {
    const name = bareEventName(match[1] ?? '');
    const before = text.text.slice(Math.max(0, match.index - 60), match.index);
    if (eventShape(name) !== 'phrase' || !VERB_OF_EVENT.test(before)) continue;
    places.push({
      name,
      start: match.index,
      end: match.index + name.length,
      confidence: 0.7,
      declares: true,
    });
  }
  return places;
}
