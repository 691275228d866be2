/** What the rules need to know around the text that they read: what it is about, and whether it is about events. */
import type { NodeKey } from '../../core/graph-model.ts';
import { eventKey } from '../../core/identity.ts';
import type { Paragraph, Section } from '../markdown/document.ts';
import { textOf } from '../markdown/rich-text.ts';
import { ownerBelow, ownerOfLists } from './event-roles.ts';
import { isInEventSection } from './event-titles.ts';
import type { Setting } from './events.ts';
import { onlyReads } from './graphql-operations.ts';
import { conceptKeyOf, isCapitalised, isTelling, isVerb } from './names.ts';
import type { PartNames } from './part-names.ts';
import type { Ref } from './refs.ts';
import type { Speaker } from './speaker.ts';
import type { HeadingObject, Subjects } from './subjects.ts';
import { actionOf, isNominal } from './title.ts';

export interface Place {
  readonly section: Section;
  readonly setting: Setting;
  readonly speaker: Speaker;
  /** The node from which a name that is mentioned in passing is referenced. */
  readonly subject: NodeKey;
}

/** What is the same for all sections of a document. */
export interface Surroundings {
  readonly title: string;
  readonly subjects: Subjects;
  /** Whether the document mentions events anywhere. */
  readonly spoken: boolean;
  readonly describesApi: boolean;
  readonly speaksOfGraphql: boolean;
  /** Whether the document explains in prose how a system works. */
  readonly isProse: boolean;
  readonly parts: PartNames;
  /** The part of a system that the heading of the section names. */
  readonly part: NodeKey | undefined;
  readonly document: NodeKey;
  /** The topic of the document: the thing that its title names. */
  readonly topic: NodeKey | undefined;
  /** The event that the whole document is about. */
  readonly pageEvent: NodeKey | undefined;
}

export function placeOf(
  section: Section,
  {
    title,
    subjects,
    spoken,
    describesApi,
    speaksOfGraphql,
    isProse,
    parts,
    part,
    document,
    topic,
    pageEvent,
  }: Surroundings,
): Place {
  const { event, relates, object: heading } = subjects.of(section);
  const own = subjects.endpointsAround(section);
  const sole = subjects.soleEndpoint;
  const endpoints = own.length > 0 ? own : sole === undefined ? [] : [sole];
  const objectAround = subjects.objectAround(section);
  const object = objectAround?.key;
  // A page called after what its only endpoint does is about that endpoint, except for sections about an object.
  const isOfSole =
    sole !== undefined && actionOf(title) !== undefined && objectAround?.key === subjects.principal?.key;
  const around = event ?? (section.parent === undefined ? undefined : subjects.of(section.parent).event);
  const speaker: Speaker = {
    endpoints: endpoints.map(({ key }) => key),
    object,
    event: around === undefined ? pageEvent : eventKey(around.name),
    topic: isOfAnother(section.title, part ?? topic) ? undefined : (part ?? topic),
    objectFirst: relates || (own.length === 0 && !isOfSole),
    relates,
    changes: endpoints.some(({ label }) => !onlyReads(label)),
    heading,
    labelled: undefined,
    item: undefined,
    isOfField: isFieldHeading(section) && own.length === 0 && heading === undefined && event === undefined,
    lists:
      around === undefined && pageEvent === undefined
        ? ownerOfLists(section, title, topic, document)
        : undefined,
    isProse,
  };
  return {
    section,
    speaker,
    setting: {
      inEventSection: isInEventSection(section, title),
      spoken,
      describesApi,
      speaksOfGraphql,
      parts,
    },
    subject: (relates ? undefined : own[0]?.key) ?? speaker.event ?? object ?? topic ?? document,
  };
}

/** Whether a heading names a function of something else, of which its section tells: `OvenService.Fire` on a page about a kiln. */
function isOfAnother(heading: string, topic: NodeKey | undefined): boolean {
  const owner = /^([A-Za-z]\w*)(?:\.\w+)*\.(?:\p{Lu}\w+|\w+\([^()]*\))$/u.exec(heading)?.[1];
  return owner !== undefined && conceptKeyOf(owner) !== topic;
}

/** Whether a heading is nothing but a name in code as fields have it, and its type: `\`paid_at\``, `\`lines\` [Line!]`. */
function isFieldHeading({ heading: { text, marks } }: Section): boolean {
  const code = marks.find(({ kind }) => kind === 'code');
  if (code?.start !== 0) return false;
  return FIELD.test(text.slice(0, code.end)) && !/^[^[({]*\s\p{L}/u.test(text.slice(code.end));
}

const FIELD = /^[a-z][A-Za-z\d]*(?:[._][A-Za-z\d]+)*(?:\[\])?$/;

/** The place of a parameter with its description on the next line, behind a colon. */
export function placeOfParameter(place: Place, { text: { text, breaks } }: Paragraph): Place | undefined {
  const [second] = breaks;
  if (second === undefined || !PARAMETER.test(text.slice(0, second)) || !text.startsWith(': ', second))
    return undefined;
  return { ...place, speaker: { ...place.speaker, isOfField: true } };
}

const PARAMETER = /^:?[a-z][\w.-]*(?:\[[\w.-]*\])*\s*$/i;

/** What ends a label in bold before a sentence: `**Retries.** They …`, `**Retries**: they …`. */
const LABEL_END = /^\s*[.:—–]|^\s+-\s/;

/**
 * The place of a paragraph that begins with a label in bold: "it" and "they" mean what the label names, and not what the page is about.
 * @param inGlossary whether it is a term, of which all of the paragraph tells
 * @returns undefined if there is no such label, or the section is about its endpoints
 */
export function placeOfLabel(place: Place, { text }: Paragraph, inGlossary: boolean): Place | undefined {
  const [mark] = text.marks;
  const { speaker } = place;
  if (
    (mark?.kind !== 'strong' && mark?.kind !== 'code') ||
    mark.start > 0 ||
    speaker.endpoints.length > 0 ||
    speaker.relates
  )
    return undefined;
  const shown = textOf(text, mark).trim();
  if (!/[.:]$/.test(shown) && !LABEL_END.test(text.text.slice(mark.end))) return undefined;
  const name = shown.replace(/[.:]$/, '').trimEnd();
  if (!isTelling(name)) return undefined;
  const labelled = isNominal(name) ? [conceptKeyOf(name)] : [];
  const object = inGlossary ? labelled[0] : speaker.object;
  return { ...place, speaker: { ...speaker, object, labelled } };
}

/**
 * The place behind a paragraph that is nothing but a name in bold, which works as a heading of what follows.
 * @returns undefined if the paragraph is something else, or the section is about its endpoints
 */
export function placeBehindName(place: Place, { text, place: item }: Paragraph): Place | undefined {
  const [mark] = text.marks;
  if (item !== undefined || mark?.kind !== 'strong' || place.speaker.endpoints.length > 0) return undefined;
  const name = textOf(text, mark).trim();
  if (name !== text.text.trim() || !isTelling(name) || !isNominal(name)) return undefined;
  const heading = { key: conceptKeyOf(name), label: name, line: text.line, confidence: 0.6, declares: false };
  const speaker = {
    ...place.speaker,
    object: heading.key,
    heading,
    lists: ownerBelow(name, text.line, place.speaker.lists),
    topic: undefined,
    event: undefined,
  };
  return { ...place, speaker };
}

/**
 * The place of an item, for which the items around it work as headings: of what it says of events, and of all it says where the nearest one is nothing but a name.
 * @param around the first paragraphs of those, the outermost first
 */
export function placeWithinItems(place: Place, around: readonly Paragraph[]): Place {
  const nearest = around.at(-1);
  if (nearest === undefined) return place;
  const { speaker } = place;
  const lists = around.reduce((owner, { text }) => ownerBelow(text.text, text.line, owner), speaker.lists);
  const item = nameOfItem(nearest);
  if (item === undefined || speaker.endpoints.length > 0) return { ...place, speaker: { ...speaker, lists } };
  const told = {
    object: item.key,
    heading: item,
    item,
    topic: undefined,
    event: undefined,
    labelled: undefined,
  };
  return { ...place, speaker: { ...speaker, lists, ...told } };
}

/** The name that an item consists of, set off as a link or in bold: what the items within it tell of. */
function nameOfItem({ text }: Paragraph): HeadingObject | undefined {
  if (text.text.length > MAX_ITEM_LENGTH) return undefined;
  const mark = text.marks.find(({ kind }) => kind === 'link' || kind === 'strong');
  if (mark === undefined) return undefined;
  const name = textOf(text, mark).trim().replace(/:$/, '');
  if (name !== text.text.trim().replace(/:$/, '') || name.split(' ').length > MAX_ITEM_WORDS)
    return undefined;
  if (!isCapitalised(name) || !isTelling(name) || !isNominal(name) || isVerb(name.split(' ')[0] ?? ''))
    return undefined;
  return { key: conceptKeyOf(name), label: name, line: text.line, confidence: 0.45, declares: false };
}

const MAX_ITEM_WORDS = 4;
/** Each item within looks at the item around it, so a long one would cost time for each of them. */
const MAX_ITEM_LENGTH = 100;

/** The same place for a paragraph that begins with an endpoint, and so is about it: `GET /x: lists …`. */
export function placeOfEndpoint(place: Place, { key, label }: Ref): Place {
  const speaker = {
    ...place.speaker,
    endpoints: [key],
    objectFirst: false,
    changes: !onlyReads(label),
  };
  return { ...place, speaker, subject: key };
}
