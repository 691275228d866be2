/**
 * What can be the name of an event. Most dotted code spans are hosts, files, scopes, functions or fields, so the
 * shape of a name alone never makes an event: `events.ts` also looks at the words around it.
 */
import { foldSpace } from '../../text/fold-space.ts';
import type { Mark } from '../markdown/rich-text.ts';

export type EventShape =
  /** A name whose last part says what happened: `charge.succeeded`, `editor:pageLoaded`. */
  | 'past'
  /** A dotted name without such an ending: `customer.subscription.trial_will_end`. */
  | 'dotted'
  /** `CHANNEL_CREATE`, `OrderPlaced`, `order-placed`. */
  | 'identifier'
  /** A single word: `push`. */
  | 'word'
  /** Several words: `Channel Create`. */
  | 'phrase';

const PAST =
  /(?:^|[._:/-])(?:created|updated|deleted|removed|added|succeeded|failed|completed|cancell?ed|expired|paid|unpaid|voided|refunded|attached|detached|rotated|captured|authori[sz]ed|deauthori[sz]ed|finali[sz]ed|sent|received|delivered|opened|closed|reopened|started|stopped|finished|ended|activated|deactivated|enabled|disabled|changed|modified|approved|rejected|declined|published|unpublished|confirmed|processed|placed|shipped|fulfilled|returned|registered|verified|invited|joined|left|assigned|unassigned|archived|unarchived|restored|renamed|moved|merged|submitted|scheduled|triggered|requested|accepted|issued|reserved|released|uploaded|downloaded|renewed|upgraded|downgraded|suspended|resumed|paused|revoked|granted|locked|unlocked|pinned|unpinned|edited|posted|read|clicked|bounced|dropped|blocked|unblocked|linked|unlinked|synced|imported|exported|indexed|reversed|disputed|settled|transferred|withdrawn|deposited|matched|reported|resolved|escalated|logged|loaded|unloaded|saved|connected|disconnected)(?:[._-]?v\d+)?$/i;

/** Paths that end in a participle, alone or at the end of a name: `store/cart/couponApplied`. */
const PAST_OF_PATH = /^[a-z][\w-]*(?:\/[a-z][\w-]*)+(?:ed|paid|sent|left|lost|read)$/i;

const FILE_ENDING =
  /\.(?:md|mdx|markdown|txt|js|jsx|mjs|cjs|ts|tsx|json|jsonc|ya?ml|toml|ini|cfg|conf|env|xml|html?|css|scss|less|svg|png|jpe?g|gif|webp|ico|pdf|csv|tsv|sql|db|sqlite|log|lock|sh|bash|zsh|ps1|bat|py|rb|go|rs|java|kt|swift|cs|c|cc|cpp|h|hpp|php|pl|lua|ex|exs|erl|clj|scala|proto|graphql|tf|gradle|lib|dll|so|dylib|a|o|exe|bin|dmg|deb|rpm|apk|aar|jar|war|zip|gz|tgz|tar|bz2|xz|7z|framework|xcframework|plist|pem|crt|key|wasm|ipynb|vue|svelte|tmpl|hbs|ejs|service|socket|timer)$/i;

const HOST_ENDING =
  /\.(?:com|net|org|io|dev|app|ai|co|uk|de|fr|eu|us|edu|gov|mil|local|internal|localhost|test|example|cloud|me|xyz|info|biz|tv|gg|so)$/i;

/** Endings of scopes of tokens: `payments:read`, `users.admin`. */
const SCOPE_ENDING = /:(?:read|write|admin|manage|readonly)$|\.(?:write|admin|manage|readonly)$/i;

/** Identifiers with these endings are fields. */
const FIELD_ENDING = /(?:[_-](?:ids?|url|uri|at|type|key|token|name|code|count)?|\b(?:id|type))$/i;
/** The same in camelCase, where fewer endings only occur in fields. */
const FIELD_ENDING_IN_CAMEL = /^[a-z][a-z\d]*(?:[A-Z][a-z\d]*)*(?:Ids?|Url|Uri|At|Count|Amount)$/;
/** A document or an error of a series: `RFC-12`, `ISO-8601`, `KN07`. */
const NUMBERED = /^[A-Z]{2,}-?\d+$/;
/** The name of a request by a client: `x:Mailbox/get`. */
const CALLED = /\/(?:get|set|query|list|fetch)$/;

/** Words that stand in code beside an event, but are not its name. */
const NO_NAME: ReadonlySet<string> = new Set(
  'event events webhook webhooks gateway else if null true false none all any the id type data payload object eventtype eventname eventid'.split(
    ' ',
  ),
);

/** Words that say what kind of event is meant. */
const MODIFIERS: ReadonlySet<string> = new Set(
  `event gateway webhook web hook dispatch domain system custom lifecycle integration kafka audit push server sent sse browser dom
  analytics tracking telemetry log logging stream streaming real-time realtime outgoing incoming outbound inbound api the a an this
  that each every any all such following above below new same specific certain multiple other different no one send receive
  message`.split(/\s+/),
);

/** The version at the end of a type of events, in reverse-domain notation: `org.kiln.mug.fired.0.3.0`. */
const VERSION = /^(?=(?:[^.]+\.){3})(.*\p{L})(?:\.\d+){1,3}$/u;

/** The shape of a text as the name of an event; undefined if it cannot be one. */
export function eventShape(text: string): EventShape | undefined {
  const name = text.trim();
  if (name.length < 2 || name.length > 100 || name.includes('*')) return undefined;
  const versioned = VERSION.exec(name)?.[1];
  if (versioned !== undefined) return saysWhatHappened(versioned) ? eventShape(versioned) : undefined;
  if (/\s/.test(name)) return isPhrase(name) ? 'phrase' : undefined;
  if (!/^[A-Za-z][\w-]*(?:[.:/][A-Za-z][\w-]*)*$/.test(name)) return undefined;
  if (NO_NAME.has(name.toLowerCase()) || FIELD_ENDING.test(name)) return undefined;
  if (NUMBERED.test(name) || CALLED.test(name)) return undefined;
  if (/[.:/]/.test(name)) {
    if (FILE_ENDING.test(name) || HOST_ENDING.test(name) || /^(?:www|https?)\b/i.test(name)) return undefined;
    if (name.includes('::') || SCOPE_ENDING.test(name)) return undefined;
    // A path by itself proves nothing. `store/cart/created` is an event if the text says that it is sent.
    if (/\/.*\//.test(name)) return PAST_OF_PATH.test(name) ? 'dotted' : undefined;
    return PAST.test(name) ? 'past' : 'dotted';
  }
  return /[_-]|[a-z][A-Z]|^[A-Z][A-Z0-9]+$/.test(name) ? 'identifier' : 'word';
}

/** Titles of guides that end in a participle: it tells what the text does with its matter, or the matter is events as such. */
const GUIDE =
  /^getting-started$|-(?:explained|simplified|demystified|illustrated|revisited|compared)$|(?:^|-)(?:events|webhooks)-/i;

/** Whether the last word of a name of several words is a participle: `Order Placed`, `CartCheckedOut`, `order-packed`, `order.placed`. */
export function saysWhatHappened(name: string): boolean {
  const words = name.replace(/(?<=[a-z\d])(?=[A-Z])/g, '-').replaceAll(' ', '-');
  if (GUIDE.test(words)) return false;
  return PAST.test(words) || /(?<!\b(?:fe|se|ne|spe|emb|b|r))ed(?:-(?:in|off|out|up))?$/i.test(words);
}

/** Whether a name is that of a field by its ending: `closedAt`. That does not make it the name of a thing. */
export function isFieldInCamel(name: string): boolean {
  return FIELD_ENDING_IN_CAMEL.test(name);
}

/** Whether a name is two to six words, the first with a capital, and without punctuation. With a number at the end it is one of a series. */
function isPhrase(name: string): boolean {
  const words = foldSpace(name).split(' ');
  if (
    words.length > 6 ||
    /^(?:\d+|an?|the)$/i.test(words.at(-1) ?? '') ||
    !/^[A-Z]/.test(name) ||
    !words.every((word) => /^\w[\w/-]*$/.test(word))
  )
    return false;
  if (
    words.some((word) =>
      /^(?:an?|the|to|of|with|for|your|and|or|in|by|from|per|via|as|is|are|vs)$/.test(word),
    )
  )
    return false;
  return !words.every((word) => MODIFIERS.has(word.toLowerCase().replace(/s$/, '')));
}

/** The name without the words at the end that only say that it is an event: `Guild Create Gateway event` becomes `Guild Create`. */
export function bareEventName(text: string): string {
  if (!/[\s\\*†‡]/.test(text)) return text;
  const words = foldSpace(text.replace(/[\\*†‡]+$/, '')).split(' ');
  while (words.length > 1 && /^(?:events?|webhooks?|gateway)$/i.test(words.at(-1) ?? '')) words.pop();
  return words.join(' ');
}

/** Last words of names with spaces that say what happens. */
const ACTION =
  /^(?:create|created|update|updated|delete|deleted|add|added|remove|removed|start|started|stop|stopped|end|ended|send|sent|receive|received|join|joined|leave|left|bulk|all|change|changed|open|opened|close|closed|enable|disable|execute|executed|execution|authorized|deauthorized|request|requested|complete|completed|fail|failed|success|succeeded|ack|sync|chunk|placed|shipped|cancelled|canceled|paid|expired|registered|approved|rejected|confirmed|published|processed|v\d+)$/i;

/** A domain turned round, which says whose the event is: `com.kiln.mug.fired`, `org.kiln.works.mug.fired`. Some of its words are things of an API as well. */
const NAMESPACE = /^(?:(?:com|net|io|dev|co)(?:\.[\w-]+){3}|(?:org|app|ai)(?:\.[\w-]+){4})/i;

const OPERATION = /^(?:get|list|fetch|create|update|delete|remove|add|set|save)$/;

/**
 * The names of things to which an event happens according to its name, the closest one first: `customer.subscription.deleted`
 * gives subscription and customer, `Guild Role Create` gives Guild Role.
 */
export function ownersInName(event: string): string[] {
  if (/[.:/]/.test(event)) {
    const parts = event.split(/[.:/]/).filter((part) => !/^v?\d+$/.test(part));
    const before = parts.slice(NAMESPACE.test(parts.join('.')) ? 2 : 0, -1);
    // In `subscriptions.create.resolved` the event happens to an action, which is no thing.
    while (before.length > 1 && OPERATION.test(before.at(-1) ?? '')) before.pop();
    return before.reverse().filter((part) => part.length > 1);
  }
  const words = event.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[\s_-]+/);
  const before = words.length;
  while (words.length > 1 && ACTION.test(words.at(-1) ?? '')) words.pop();
  if (words.length === before && before > 1 && saysWhatHappened(words.at(-1) ?? '')) words.pop();
  return words.length === before ? [] : [words.join(' ').toLowerCase()];
}

const FIELD_ACCESS =
  /^[a-z]\w*\.[a-z]+(?:[A-Z][a-z]*)*[A-Z](?!\w*(?:ed|ing|Start|End|Success|Failure|Error)$)[a-z]+$/;

/** Whether a name is a field of a thing in the notation of code: `checkout.shippingMethods`. */
export function isFieldAccess(name: string): boolean {
  return FIELD_ACCESS.test(name);
}

const TITLE = /^[a-z][a-z\d]*(?:[._:/-][a-z\d]+)+$/;

/** Elements whose title says where they lead or what they show. */
const LEADS_OR_SHOWS = /^(?:a|\w*link|img|image|\w*icon|\w*button|tooltip|video|iframe|abbr)$/i;
/** A version that came out is no event: `v2.released`. */
const OF_VERSION = /^v\d+[._:/-][a-z]+$/;

/** The title of a component, if it is written as an event may be. */
export function eventTitleOf({ kind, target, attributes }: Mark): string | undefined {
  const name = kind === 'tag' && !LEADS_OR_SHOWS.test(target) ? attributes.get('title')?.trim() : undefined;
  if (name === undefined || !TITLE.test(name) || OF_VERSION.test(name)) return undefined;
  const shape = eventShape(name);
  return shape === 'past' || shape === 'dotted' ? name : undefined;
}
