/** Whether the paragraph in front of a list says that its items are events. */
import { leadsToEvents } from './event-titles.ts';
import type { OpenStatement } from './open-statements.ts';

/** Introductions to what an event or a message consists of: `The \`usage\` event contains:`, `The body has a list of events:`. */
const OF_ONE =
  /\b(?:events?|webhooks?|notifications?)["'”’]?\s+(?:(?:also|always|will|can|may|then|must)\s+)*(?:contains?|includes?|ha(?:s|ve)|carr(?:y|ies)|consists? of)\b(?![^.]*\bevents\b)|\b(?:bod(?:y|ies)|payloads?|requests?|responses?|objects?|headers?)\s+(?:(?:also|always|will|can|may)\s+)*(?:contains?|includes?|ha(?:s|ve)|holds?|carr(?:y|ies))\s+(?:an?\s+|the\s+)?(?:list|array|batch|set)\s+of\b|\b(?:fields|properties|attributes|parameters|keys|values|columns)\b[^.]{0,30}:\s*$|\bfollowing\s+(?:[\w-]+\s+){0,2}(?:fields|properties|attributes|parameters|keys|values|columns|variables|options|settings|flags|arguments|headers)\b/i;

/** How many characters at the end of a paragraph are searched for an introduction. */
const MAX_LEAD = 600;

/** What a list holds according to the words before it: events, the fields of one thing, or unknown. */
export type ListLead = 'events' | 'fields' | 'unsaid';

/** @param open the statement of the paragraph that the list completes */
export function leadOfList(lead: string, open: OpenStatement | undefined): ListLead {
  const end = lead.slice(-MAX_LEAD);
  if (OF_ONE.test(end)) return 'fields';
  if (leadsToEvents(end)) return 'events';
  if (open === undefined || open.rule.means === 'thing') return 'unsaid';
  // A thing may be called `Prevention Service`.
  const said = open.evidence.slice(open.lists?.label.length ?? 0);
  return /event/i.test(said) ? 'events' : 'unsaid';
}
