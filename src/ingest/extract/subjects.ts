/**
 * Finds what a sentence without a subject is about. In a section with an endpoint of its own that is the endpoint
 * ("Returns …", "Fires …"); in a section about an object, or a list of relationships, it is the object; in a document with
 * one endpoint, "Returns" is about that. `principal` is the object that the whole document is about.
 */
import type { NodeKey } from '../../core/graph-model.ts';
import { groupBy } from '../../core/group.ts';
import type { MarkdownDocument, Section } from '../markdown/document.ts';
import type { DocumentEndpoints, EndpointMention } from './endpoints.ts';
import type { ListedEvent } from './event-lists.ts';
import { findHeadingEvent } from './heading-events.ts';
import { conceptKeyOf, foldName, isName, isNounPhrase, isTelling } from './names.ts';
import { isSegment } from './segments.ts';
import { isFieldColumn } from './tables.ts';
import {
  type Action,
  actionOf,
  groupOf,
  isEntry,
  isHistory,
  isThing,
  objectOf,
  saysObject,
} from './title.ts';

/** A thing that a heading names. */
export interface HeadingObject {
  readonly key: NodeKey;
  readonly label: string;
  readonly line: number;
  readonly confidence: number;
  /** Whether the heading, with the endpoints below it, is enough to say that it is an object. */
  readonly declares: boolean;
}

export interface SectionSubject {
  /** Endpoints that the section itself declares. */
  readonly endpoints: readonly EndpointMention[];
  readonly object: HeadingObject | undefined;
  readonly event: ListedEvent | undefined;
  /** Whether the section lists relationships. */
  readonly relates: boolean;
}

export interface Subjects {
  readonly principal: HeadingObject | undefined;
  /** The only endpoint that the document describes; undefined if there are none or several. */
  readonly soleEndpoint: EndpointMention | undefined;
  of(section: Section): SectionSubject;
  /** The endpoints that a sentence in the section is about by default: the section's own, or those of a section around it. */
  endpointsAround(section: Section): readonly EndpointMention[];
  /** The object that a sentence in the section is about by default. */
  objectAround(section: Section): HeadingObject | undefined;
}

/** A section with more endpoints is a list of them, and what it says is not about any of them. */
const MAX_SHARING = 2;

const RELATES =
  /^(?:entity |object |resource |model )?(?:relationships?|relations|associations|dependencies|related (?:objects?|resources?|entities|concepts?|events?))(?: .{1,30})?$|^how (?:it|they|this|these|(?:the |an? )?[\w-]+(?: [\w-]+)?) (?:connects?|relates?|links?|fits?)(?: (?:to|with|in|into|together)\b.{0,40})?$/i;
const OBJECT_GROUP =
  /^(?:schemas|models|data models?|data types|objects|(?:core|main|api|domain|key) (?:objects?|resources?|entities|models)|entities|resources|api objects?|api models?|resource types)$/i;
const OBJECT_FOLDER = /(?:^|\/)(?:entities|models?|schemas?|objects?|definitions|resources?|object)\/[^/]+$/i;

export function findSubjects(
  document: MarkdownDocument,
  title: string,
  endpoints: DocumentEndpoints,
): Subjects {
  return new SubjectFinder(document, title, endpoints);
}

class SubjectFinder implements Subjects {
  readonly principal: HeadingObject | undefined;
  readonly soleEndpoint: EndpointMention | undefined;
  readonly #subjects = new Map<Section, SectionSubject>();

  constructor(document: MarkdownDocument, title: string, endpoints: DocumentEndpoints) {
    const described = endpoints.mentions.filter(({ role }) => role !== 'mentioned');
    const bySection = groupBy(described, ({ section }) => section);
    const isNews = isHistory(document.path, title);
    for (const section of document.sections) {
      const own = isNews ? [] : ownOf(bySection.get(section) ?? []);
      this.#subjects.set(section, {
        endpoints: own,
        object: isNews ? undefined : objectOfSection(section, own),
        event: own.length > 0 ? undefined : findHeadingEvent(section, title),
        relates: RELATES.test(section.title),
      });
    }
    this.#declareAlike();
    const all = distinct(isNews ? [] : described);
    this.soleEndpoint = all.length === 1 ? all[0] : undefined;
    this.principal = isNews ? undefined : findPrincipal(document, title, all);
  }

  /** Declares an object below every heading that names it, once the path below one shows it to be a thing: `GET /primaries/:primary_kiln`, `POST /primaries`. */
  #declareAlike(): void {
    const declared = new Set<NodeKey>();
    for (const { object } of this.#subjects.values()) if (object?.declares === true) declared.add(object.key);
    for (const [section, subject] of this.#subjects) {
      const { object, endpoints } = subject;
      if (object === undefined || endpoints.length === 0 || object.declares || !declared.has(object.key))
        continue;
      this.#subjects.set(section, { ...subject, object: { ...object, declares: true } });
    }
  }

  of(section: Section): SectionSubject {
    return (
      this.#subjects.get(section) ?? { endpoints: [], object: undefined, event: undefined, relates: false }
    );
  }

  endpointsAround(section: Section): readonly EndpointMention[] {
    for (let at: Section | undefined = section; at !== undefined; at = at.parent) {
      const { endpoints, object, event } = this.of(at);
      if (endpoints.length > MAX_SHARING) return [];
      if (endpoints.length > 0) return endpoints;
      if (at !== section && event !== undefined) return [];
      if (object?.declares === true && actionOf(at.title) === undefined) return [];
    }
    return [];
  }

  objectAround(section: Section): HeadingObject | undefined {
    for (let at: Section | undefined = section; at !== undefined; at = at.parent) {
      const { object } = this.of(at);
      if (object?.declares === true) return object;
    }
    return this.principal;
  }
}

/** The object that the title names, or else the only heading of level 1. */
function findPrincipal(
  document: MarkdownDocument,
  title: string,
  endpoints: readonly EndpointMention[],
): HeadingObject | undefined {
  const { path, sections } = document;
  // The command "Create Order" is a thing of its own where a catalog names it so, whatever endpoint it has.
  if (isEntry(document, title) && actionOf(title) !== undefined) return undefined;
  const tops = sections.filter(({ level, title: heading }) => level === 1 && heading !== title);
  const names = tops.length === 1 ? [title, tops[0]?.title ?? ''] : [title];
  const line = sections.find(({ level }) => level === 1)?.line ?? 1;
  for (const name of names) {
    const found = objectOfTitle(name, path, endpoints);
    if (found === undefined) continue;
    const declares = found.declares && (OBJECT_FOLDER.test(path) || !isMethod(name, endpoints, sections));
    return { key: conceptKeyOf(found.label), line, ...found, declares };
  }
  return undefined;
}

/** Whether such a heading may name a method: from `Accounting model` or `Key Custodian Model` alone one cannot tell. */
function isMethod(
  heading: string,
  endpoints: readonly EndpointMention[],
  sections: readonly Section[],
): boolean {
  if (
    !/\bmodel$/i.test(heading) ||
    /\b(?:data|domain|object)\s+model$|^(?:data |domain |api )?\w+:/i.test(heading)
  )
    return false;
  return endpoints.length === 0 && !hasFields(sections);
}

/** Whether sections show the fields of a thing, in a table or in code. */
function hasFields(sections: readonly Section[]): boolean {
  return sections.some(({ blocks }) =>
    blocks.some(
      (block) =>
        (block.kind === 'table' && isFieldColumn(block.header[0]?.text.trim() ?? '')) ||
        (block.kind === 'code' &&
          /^\s*\{\s*"|^\s*(?:export\s+)?(?:interface|type|class|struct)\s/m.test(block.content)),
    ),
  );
}

function objectOfTitle(
  title: string,
  path: string,
  endpoints: readonly EndpointMention[],
): Pick<HeadingObject, 'label' | 'confidence' | 'declares'> | undefined {
  const named = objectOf(title);
  if (named !== undefined && (isTelling(named) || saysObject(title))) {
    const declares = endpoints.length > 0 || saysObject(title);
    return { label: named, confidence: 0.8, declares };
  }
  if (OBJECT_FOLDER.test(path) && isNounPhrase(title) && title.split(' ').length <= 3) {
    return { label: title, confidence: 0.85, declares: true };
  }
  if (endpoints.length === 0) return undefined;
  const group = groupOf(title);
  if (group !== undefined) return { label: group, confidence: 0.75, declares: isSegment(group, endpoints) };
  const action = actionOf(title);
  if (action !== undefined) {
    return { label: action.object, confidence: 0.7, declares: isSegment(action.object, endpoints) };
  }
  return isName(title) && isSegment(title, endpoints)
    ? { label: title, confidence: 0.75, declares: true }
    : undefined;
}

function objectOfSection(section: Section, endpoints: readonly EndpointMention[]): HeadingObject | undefined {
  if (section.level === 0) return undefined;
  const make = (object: Pick<HeadingObject, 'label' | 'confidence' | 'declares'>): HeadingObject => ({
    key: conceptKeyOf(object.label),
    line: section.line,
    ...object,
  });
  const named = objectOf(section.title);
  if (named !== undefined && saysObject(section.title)) {
    return isTelling(named) || /\bobject$/i.test(section.title)
      ? make({ label: named, confidence: 0.9, declares: !isMethod(section.title, endpoints, [section]) })
      : undefined;
  }
  const parent = section.parent?.title ?? '';
  const label = section.title.replace(/\s(?:struct|enum|class|interface|type)$/i, '');
  if (
    OBJECT_GROUP.test(parent) &&
    isName(label) &&
    label.split(' ').length <= 3 &&
    isThing(label) &&
    actionOf(label) === undefined
  ) {
    return make({ label, confidence: 0.8, declares: true });
  }
  if (endpoints.length === 0) return undefined;
  const action = actionOf(section.title);
  if (action === undefined) return undefined;
  if (endsWithOwnSegment(action, endpoints)) return undefined;
  const { object } = action;
  return make({ label: object, confidence: 0.6, declares: isSegment(object, endpoints) });
}

/** Whether the path says that the things are of their own: in `List zone records`, `GET /zones/{id}/records` "records" is no word for the kind that a zone is. */
function endsWithOwnSegment({ object, phrase }: Action, endpoints: readonly EndpointMention[]): boolean {
  const kind = phrase.slice(object.length).trim();
  if (kind === '' || !phrase.startsWith(object)) return false;
  return endpoints.every(({ label }) => {
    const segments = label.split('/').map(foldName);
    const at = segments.indexOf(foldName(object));
    return at !== -1 && segments.indexOf(foldName(kind), at) !== -1;
  });
}

/** The endpoints that a section is about: those that its heading or first words name, or else those that it lists. */
function ownOf(mentions: readonly EndpointMention[]): EndpointMention[] {
  const subjects = mentions.filter(({ role }) => role === 'subject');
  return distinct(subjects.length > 0 ? subjects : mentions);
}

function distinct(mentions: readonly EndpointMention[]): EndpointMention[] {
  const byKey = new Map<NodeKey, EndpointMention>();
  for (const mention of mentions) if (!byKey.has(mention.key)) byKey.set(mention.key, mention);
  return [...byKey.values()];
}
