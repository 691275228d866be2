/**
 * Whom a sentence speaks of where it does not say: "Returns a Charge" speaks of the section's endpoint, "Belongs to a
 * Customer" of its object. A relation's kind decides which of them can be meant.
 */
import type { EdgeType, NodeKey } from '../../core/graph-model.ts';
import { conceptKeyOf, isCapitalised } from './names.ts';
import type { Ref } from './refs.ts';
import type { HeadingObject } from './subjects.ts';

export interface Speaker {
  /** The endpoints that the section describes: one, or a few that share a description. */
  readonly endpoints: readonly NodeKey[];
  readonly object: NodeKey | undefined;
  readonly event: NodeKey | undefined;
  /** What the document is about, where that is no object of an API. */
  readonly topic: NodeKey | undefined;
  /** Whether the object comes first: in a list of relationships, or a row about it. */
  readonly objectFirst: boolean;
  /** Whether the section lists relationships, so that bold words in it are things. */
  readonly relates: boolean;
  /** Whether the endpoints change something, so that they can trigger events. */
  readonly changes: boolean;
  /** What the section's heading names without saying that it is an object. */
  readonly heading: HeadingObject | undefined;
  /** Whether the document tells in prose how a system works, so that what is said to work with something may be a part of it. */
  readonly isProse: boolean;
}

/** One end of a stated relation. */
export interface End {
  readonly key: NodeKey;
  /** What being read this way costs in confidence, from 0 to 1. */
  readonly factor: number;
  /** The name in the sentence; undefined where the end is understood. */
  readonly ref: Ref | undefined;
}

const IMPLIED = 0.9;
const GUESSED = 0.6;
/** What a name without markup costs: written as one, and as any other word. */
const NAMED = 0.85;
const PLAIN = 0.7;

/** The ends that a sentence without a subject means. */
export function impliedEnds(edge: EdgeType, speaker: Speaker): End[] {
  const { endpoints, event, objectFirst, changes } = speaker;
  const object = speaker.object ?? (objectFirst ? speaker.topic : undefined);
  if (event !== undefined) return edge === 'references' || edge === 'requires' ? ends([event], IMPLIED) : [];
  if (edge === 'returns') return ends(endpoints, IMPLIED);
  const objects = object === undefined ? [] : [object];
  if (edge === 'belongs_to' || edge === 'generates') return ends(objects, IMPLIED);
  if (!objectFirst) return ends(endpoints.length > 0 ? endpoints : objects, IMPLIED);
  const own = ends(objects.length > 0 ? objects : endpoints, IMPLIED);
  const also = edge === 'triggers' && changes && objects.length > 0 ? ends(endpoints, PLAIN) : [];
  return [...own, ...also];
}

/** The ends that "this endpoint" or "the request" means. */
export function endpointEnds(edge: EdgeType, { endpoints, object }: Speaker): End[] {
  if (endpoints.length > 0) return ends(endpoints, IMPLIED);
  return edge === 'returns' || object === undefined ? [] : ends([object], GUESSED);
}

/** The ends that something happens to, where the sentence does not name them: `Triggered by a Charge`. */
export function passiveEnds(edge: EdgeType, { object, event }: Speaker): End[] {
  const meant = edge === 'triggers' ? event : (object ?? event);
  return meant === undefined ? [] : ends([meant], IMPLIED);
}

/** Who causes what a sentence tells without naming its cause. */
export function causingEnds({ endpoints, object, objectFirst }: Speaker): End[] {
  const objects = object === undefined ? [] : [object];
  const [first, second] = objectFirst ? [objects, endpoints] : [endpoints, objects];
  return ends(first.length > 0 ? first : second, GUESSED);
}

/** A relation of something unnamed in a list of relationships: the object is meant. */
export function guessedEnds({ object, objectFirst }: Speaker): End[] {
  return object !== undefined && objectFirst ? ends([object], GUESSED) : [];
}

/** `returns the price list` where price lists are what the section is about; elsewhere "list" says that there are many. */
export function withList(ref: Ref, text: string, { object }: Speaker): Ref {
  const list = ref.marked ? undefined : /^ lists?\b/.exec(text.slice(ref.end, ref.end + 8))?.[0];
  if (list === undefined) return ref;
  const label = ref.label + list;
  const key = conceptKeyOf(label);
  return key === object ? { ...ref, key, label, end: ref.end + list.length } : ref;
}

/** A name of the sentence as an end. */
export function endOf(ref: Ref): End {
  return { key: ref.key, factor: ref.marked ? 1 : isCapitalised(ref.label) ? NAMED : PLAIN, ref };
}

function ends(keys: readonly NodeKey[], factor: number): End[] {
  return keys.map((key) => ({ key, factor, ref: undefined }));
}
