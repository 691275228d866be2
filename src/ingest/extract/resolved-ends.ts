/** The ends of edges that a subject means: names of the sentence, or the subject of the section. */
import type { EdgeType } from '../../core/graph-model.ts';
import { eventKey } from '../../core/identity.ts';
import type { Clause, Subject } from './clause.ts';
import { ownersAmong } from './event-owners.ts';
import type { Ref } from './refs.ts';
import {
  causingEnds,
  type End,
  endOf,
  endpointEnds,
  guessedEnds,
  impliedEnds,
  labelledEnds,
  passiveEnds,
  type Speaker,
} from './speaker.ts';
import type { VerbPlace } from './verb-phrases.ts';

/** The subject of an active verb as ends of edges. */
export function resolve(
  subject: Subject | readonly End[],
  edge: EdgeType,
  objects: readonly Ref[],
  speaker: Speaker,
): readonly End[] {
  if (!('kind' in subject)) return subject;
  const hasEvents = objects.some(({ type }) => type === 'Event');
  switch (subject.kind) {
    case 'implied':
      if (subject.isPointing && speaker.endpoints.length === 0 && !hasEvents) return [];
      return (
        (subject.isIt && edge !== 'returns' ? labelledEnds(speaker) : undefined) ?? impliedEnds(edge, speaker)
      );
    case 'endpoint':
      return endpointEnds(edge, speaker);
    case 'phrase':
      return edge === 'triggers' && hasEvents
        ? [endOf(subject.ref), ...causingEnds(speaker)]
        : [endOf(subject.ref)];
    case 'unknown':
      if (edge === 'triggers') return hasEvents ? causingEnds(speaker) : [];
      return edge === 'references' ? guessedEnds(speaker) : [];
    default:
      return namedEnds(subject.refs, subject.around, edge, objects);
  }
}

/** The names that can be the subject. Only operations return things, events cause nothing, and an event's own name tells best who triggers it. */
function namedEnds(
  refs: readonly Ref[],
  around: readonly Ref[],
  edge: EdgeType,
  objects: readonly Ref[],
): End[] {
  if (edge === 'returns') return refs.filter(({ type }) => type === 'Endpoint').map(endOf);
  const owners = edge === 'triggers' ? ownersAmong(around, objects) : [];
  const able = refs.filter(
    ({ type }) =>
      type !== 'Event' ||
      edge === 'references' ||
      (edge === 'triggers' && !objects.some((object) => object.type === 'Event')),
  );
  return (owners.length > 0 ? owners : able).map(endOf);
}

/** What the verb happens to, if it stands before the verb. */
export function resolvePassive(
  subject: Subject | readonly End[],
  edge: EdgeType,
  speaker: Speaker,
): readonly End[] {
  if (!('kind' in subject)) return subject;
  if (subject.kind === 'named' || subject.kind === 'phrase') {
    const refs = subject.kind === 'named' ? subject.refs : [subject.ref];
    // A page or section about an event calls it by its name, which elsewhere may be that of a thing.
    const isOwn = edge === 'triggers' && refs.some(({ label }) => eventKey(label) === speaker.event);
    return isOwn ? passiveEnds(edge, speaker) : refs.map(endOf);
  }
  if (subject.kind !== 'implied') return [];
  return (edge === 'triggers' ? undefined : labelledEnds(speaker)) ?? passiveEnds(edge, speaker);
}

/** Whether the subject of a verb is an event, or is told to be one: `A Mug is an event sent by the Kiln`, `The Mug event is sent by the Kiln`. */
export function isOfEvent(
  { text }: Clause,
  { start }: VerbPlace,
  subject: Subject | readonly End[],
  { event }: Speaker,
): boolean {
  if (/\b(?:events?|webhooks?)\s+(?:(?:(?:that|which)\s+)?(?:is|are)\s+)?$/i.test(text.slice(0, start)))
    return true;
  if (!('kind' in subject)) return subject.some(({ key }) => key.startsWith('event:'));
  if (subject.kind === 'implied') return event !== undefined;
  return subject.kind === 'named' && subject.refs.some(({ type }) => type === 'Event');
}
