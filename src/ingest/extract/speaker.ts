/**
 * What a sentence is about if it does not say so: "Returns a Charge" is about the section's endpoint, "Belongs to a
 * Customer" about its object. The kind of relation decides which of them can be meant.
 */
import type { EdgeType, NodeKey } from '../../core/graph-model.ts';
import type { ListOwner } from './event-roles.ts';
import { conceptKeyOf, isCapitalised } from './names.ts';
import type { Ref } from './refs.ts';
import type { HeadingObject } from './subjects.ts';

export interface Speaker {
  /** The endpoints that the section describes: one, or a few with a common description. */
  readonly endpoints: readonly NodeKey[];
  readonly object: NodeKey | undefined;
  readonly event: NodeKey | undefined;
  /** What the document is about, if that is no object of an API. */
  readonly topic: NodeKey | undefined;
  /** Whether the object is preferred, as in a list of relationships or a row about it. */
  readonly objectFirst: boolean;
  /** Whether the section lists relationships, so that its bold words are things. */
  readonly relates: boolean;
  /** Whether the endpoints change something, and so can trigger events. */
  readonly changes: boolean;
  /** What the section's heading names without saying that it is an object. */
  readonly heading: HeadingObject | undefined;
  /** What "it" means where the paragraph begins with a label in bold; empty if the label is no name, undefined if there is none. */
  readonly labelled: readonly NodeKey[] | undefined;
  /** What the item around consists of, if this is said in a list within it. */
  readonly item: HeadingObject | undefined;
  /** What labels of lists of events speak of: `Published events:`. */
  readonly lists: ListOwner | undefined;
  /** Whether this is said of a field or a parameter. What such a one requires, the thing that has it does without it. */
  readonly isOfField: boolean;
  /** Whether the document explains in prose how a system works, so that things that work with others may be parts of it. */
  readonly isProse: boolean;
}

/** One end of a stated relation. */
export interface End {
  readonly key: NodeKey;
  /** The factor on confidence of reading it this way, from 0 to 1. */
  readonly factor: number;
  /** The name in the sentence; undefined if the end is only understood. */
  readonly ref: Ref | undefined;
}

const IMPLIED = 0.9;
const GUESSED = 0.6;
/** The factor for a name without markup: one written like a name, and any other word. */
const NAMED = 0.85;
const PLAIN = 0.7;

/** The ends that are meant by a sentence without a subject. */
export function impliedEnds(edge: EdgeType, speaker: Speaker): End[] {
  const { endpoints, event, objectFirst, changes, isOfField } = speaker;
  if (isOfField && edge === 'requires') return [];
  const object = speaker.object ?? (objectFirst ? speaker.topic : undefined);
  if (event !== undefined) return edge === 'references' || edge === 'requires' ? ends([event], IMPLIED) : [];
  if (edge === 'returns') return ends(endpoints, IMPLIED);
  const objects = object === undefined ? [] : [object];
  if (edge === 'generates' && !objectFirst && endpoints.length > 0) return ends(endpoints, IMPLIED);
  if (edge === 'belongs_to' || edge === 'generates') return ends(objects, IMPLIED);
  if (!objectFirst) return ends(endpoints.length > 0 ? endpoints : objects, IMPLIED);
  const own = ends(objects.length > 0 ? objects : endpoints, IMPLIED);
  const also = edge === 'triggers' && changes && objects.length > 0 ? ends(endpoints, PLAIN) : [];
  return [...own, ...also];
}

/** The ends that are meant by "this endpoint" or "the request". */
export function endpointEnds(edge: EdgeType, { endpoints, object }: Speaker): End[] {
  if (endpoints.length > 0) return ends(endpoints, IMPLIED);
  return edge === 'returns' || object === undefined ? [] : ends([object], GUESSED);
}

/** The ends that "it" means; undefined if that is what the section is about. */
export function labelledEnds({ labelled }: Speaker): End[] | undefined {
  return labelled === undefined ? undefined : ends(labelled, IMPLIED);
}

/** The ends to which something happens, if the sentence does not name them: `Triggered by a Charge`. */
export function passiveEnds(edge: EdgeType, { object, event }: Speaker): End[] {
  const meant = edge === 'triggers' ? event : (object ?? event);
  return meant === undefined ? [] : ends([meant], IMPLIED);
}

/** The ends that cause what a sentence tells without naming the cause. */
export function causingEnds({ endpoints, object, objectFirst }: Speaker): End[] {
  const objects = object === undefined ? [] : [object];
  const [first, second] = objectFirst ? [objects, endpoints] : [endpoints, objects];
  return ends(first.length > 0 ? first : second, GUESSED);
}

/** The ends of a relation without a name in a list of relationships: the object. */
export function guessedEnds({ object, objectFirst }: Speaker): End[] {
  return object !== undefined && objectFirst ? ends([object], GUESSED) : [];
}

/** Includes "list" in a name if the section is about such lists: `returns the price list`. Elsewhere "list" only says that there are many. */
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
