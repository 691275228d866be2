/** What front matter says: the document itself, its plain properties, pages it names as related and relations of its object. */

import type { EdgeType, NodeKey } from '../../core/graph-model.ts';
import { documentKey, eventKey, ownerKey, pageKey } from '../../core/identity.ts';
import { foldSpace } from '../../text/fold-space.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import type { FrontMatter } from '../markdown/front-matter.ts';
import { lineOfValue } from '../markdown/line-of-value.ts';
import { eventShape, saysWhatHappened } from './event-names.ts';
import type { FactCollector, NewStatement } from './facts.ts';
import { firstNoteOf, firstProseOf } from './first-prose.ts';
import { linkedPages, namedPages } from './named-pages.ts';
import { conceptKeyOf, isName } from './names.ts';
import { type NumberedPage, namesInSeries, numberedPageAt, pagesByNumber } from './numbered-pages.ts';
import { foldRelation, isOfCatalog, isOfDocuments, isOfOwner, type RelationNames } from './relation-names.ts';
import { isInCatalog } from './title.ts';

const MAX_PROPERTIES = 12;
const MAX_PROPERTY = 200;

/** A document whose front matter is read, and what is known of it by then. */
interface FrontMatterSubject {
  readonly document: MarkdownDocument;
  readonly title: string;
  readonly titleLine: number;
  /** The object that the document is about. */
  readonly principal: NodeKey | undefined;
  /** The event that the document is about. */
  readonly event: NodeKey | undefined;
}

export function readFrontMatterFacts(
  subject: FrontMatterSubject,
  relations: RelationNames,
  facts: FactCollector,
): void {
  const { document, title } = subject;
  const { data } = document.frontMatter;
  mentionDocument(subject, facts);
  const numbered = data.has('id') ? undefined : numberedPageAt(document.path);
  for (const name of namesOf(document, title, numbered)) {
    facts.answerTo(pageKey(name));
    if (OF_PEOPLE.test(document.path)) facts.answerTo(ownerKey(name));
  }
  for (const related of relatedTexts(document.frontMatter)) {
    const edge = relations.fields.get(foldRelation(related.name));
    const isParty = subject.event !== undefined && relateParty(related, subject.event, facts);
    if (isParty) continue;
    if (edge === undefined) linkToDocuments(related, document.path, facts);
    else relate(related, edge, { ...subject, numbered }, facts);
  }
}

/** Keys, folded, by which the page of an event says who sends and who receives it. */
const PRODUCERS = /^(?:producers?|publishers?)$/;
const CONSUMERS = /^(?:consumers?|subscribers?)$/;

/** Whether front matter says who sends or receives what a page is about. */
export function namesParties(data: ReadonlyMap<string, unknown>): boolean {
  return [...data.keys()].map(foldRelation).some((key) => PRODUCERS.test(key) || CONSUMERS.test(key));
}

/** States who sends or receives an event: `producers: [Kiln Service]`. @returns whether the field says so */
function relateParty({ name, text, line }: RelatedText, event: NodeKey, facts: FactCollector): boolean {
  const field = foldRelation(name);
  const isProducer = PRODUCERS.test(field);
  if (!isProducer && !CONSUMERS.test(field)) return false;
  const label = foldSpace(withoutBrackets(text));
  if (!isName(label)) return false;
  const key = conceptKeyOf(label);
  facts.mention({ key, type: 'Concept', label, line, confidence: 0.7, declares: true });
  stateAll({ source: key, type: isProducer ? 'triggers' : 'references', line }, [event], facts);
  return true;
}

/** Folders with a page for each team or person. */
const OF_PEOPLE =
  /(?:^|\/)(?:teams|squads|groups|users|people|members|authors|owners|maintainers|contributors)\//i;

/** The node of the document itself: described by its front matter, else by its first sentences. */
function mentionDocument({ document, title, titleLine }: FrontMatterSubject, facts: FactCollector): void {
  const { path, sections, frontMatter } = document;
  const given = frontMatter.data.get('description') ?? frontMatter.data.get('summary');
  const description =
    typeof given === 'string' ? given : ((firstProseOf(sections) ?? firstNoteOf(sections))?.text ?? '');
  facts.mention({
    key: documentKey(path),
    type: 'Document',
    label: title,
    line: titleLine,
    confidence: 1,
    declares: true,
    description,
    properties: propertiesOf(frontMatter.data),
  });
}

/** By what other documents may name this one: its title, its file's name, its number in a series, and its id. */
function namesOf(
  { path, frontMatter }: MarkdownDocument,
  title: string,
  numbered: NumberedPage | undefined,
): string[] {
  const id = frontMatter.data.get('id');
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const names = [title, file, ...(numbered === undefined ? [] : namesInSeries(numbered))];
  return typeof id === 'string' || typeof id === 'number' ? [...names, String(id)] : names;
}

/** A text in a field that may name something the document is related to. */
interface RelatedText {
  /** The name of the relation, as it is written. */
  readonly name: string;
  readonly text: string;
  readonly line: number;
}

function* relatedTexts(frontMatter: FrontMatter): Generator<RelatedText> {
  for (const [field, value] of frontMatter.data)
    for (const { name, text } of namedTexts(field, value))
      yield { name, text, line: lineOfValue(frontMatter, field, withoutBrackets(text)) };
}

/** The texts of a field under its own name, or those of each field within `relationships` under that one's name. */
function namedTexts(field: string, value: unknown): Omit<RelatedText, 'line'>[] {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isMapping && /^relation(?:ship)?s$/i.test(field)) {
    return Object.entries(value).flatMap(([name, texts]) => textsOf(texts).map((text) => ({ name, text })));
  }
  return textsOf(value).map((text) => ({ name: field, text }));
}

/** `Page` of the wikilink `[[Page]]`. */
function withoutBrackets(text: string): string {
  return text.replace(/^\[\[|\]\]$/g, '');
}

/** By what a mapping names the thing that it is about, the surest first. */
const NAMING = ['id', 'ref', 'name', 'title'] as const;

/** Texts of a value or list, and those that name its mappings: `- id: order-placed`. YAML reads `[[Page]]` without quotes as lists within lists. */
function textsOf(value: unknown, depth = 0): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, depth + 1));
  if (typeof value === 'object' && value !== null) {
    const given = new Map<string, unknown>(Object.entries(value));
    const name = NAMING.map((key) => given.get(key)).find((text) => typeof text === 'string' && text !== '');
    return typeof name === 'string' ? [name] : [];
  }
  if (typeof value === 'string') return [depth > 1 ? `[[${value}]]` : value];
  return typeof value === 'number' ? [String(value)] : [];
}

/** Plain values that tell something of the document, as text. */
function propertiesOf(data: ReadonlyMap<string, unknown>): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const [name, value] of data) {
    if (Object.keys(properties).length >= MAX_PROPERTIES) break;
    if (name === 'title' || name === 'description' || name === '__proto__') continue;
    const text = plainValue(value);
    if (text !== '' && text.length <= MAX_PROPERTY) properties[name] = text;
  }
  return properties;
}

function plainValue(value: unknown): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => (Array.isArray(item) ? '' : plainValue(item)));
    return items.includes('') ? '' : items.join(', ');
  }
  if (typeof value === 'string') return foldSpace(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Wikilinks, and paths that end like a document's, in a field that names no relation. */
function linkToDocuments({ text, line }: RelatedText, path: string, facts: FactCollector): void {
  if (!text.includes('[') && !DOCUMENT_PATH.test(text)) return;
  stateAll({ source: documentKey(path), type: 'references', line }, linkedPages(text, path), facts);
}

const DOCUMENT_PATH = /^[^\s:]+\.mdx?(?:#\S*)?$/i;
const LINKED = 0.9;

/** The relation that a field states, whatever its targets are. */
type Relation = Pick<NewStatement, 'source' | 'type' | 'line'>;

interface RelatedSubject extends FrontMatterSubject {
  /** Where the document stands in a series, if its file's name has a number. */
  readonly numbered: NumberedPage | undefined;
}

function relate(
  { name, text, line }: RelatedText,
  type: EdgeType,
  { document, principal, numbered }: RelatedSubject,
  facts: FactCollector,
): void {
  const { path } = document;
  const ofDocument = { source: documentKey(path), type, line };
  const ofObject = { ...ofDocument, source: principal ?? ofDocument.source };
  const field = foldRelation(name);
  const inSeries = numbered === undefined ? [] : pagesByNumber(text, numbered);
  if (inSeries.length > 0) {
    stateAll(ofDocument, inSeries, facts);
  } else if (isOfOwner(field)) {
    const linked = linkedPages(text, path);
    // With `owner: security` the page "Security" is about a matter, unless it is one of a team.
    stateAll(ofObject, linked.length > 0 ? linked : [ownerKey(text)], facts);
  } else if (isOfCatalog(field) && !isInCatalog(document)) {
    stateAll(ofDocument, linkedPages(text, path), facts);
  } else if (type === 'triggers') {
    stateAll(ofDocument, linkedPages(text, path), facts);
    relateEvent(text, ofObject, !OF_MESSAGES.test(field), facts);
  } else if (!isOfDocuments(type)) {
    stateAll(ofDocument, linkedPages(text, path), facts);
    stateAll(ofObject, conceptsNamed(withoutBrackets(text)), facts);
  } else {
    for (const part of listedIn(text)) {
      stateAll(ofDocument, namedPages(part, path), facts);
      // A page that names the page of another object relates the two objects as well.
      if (principal !== undefined) stateAll(ofObject, conceptsNamed(part), facts);
      if (OF_MESSAGES.test(field)) relateEvent(part, ofObject, false, facts);
    }
  }
}

/** Keys of front matter, folded, that list messages of any kind: events, commands, queries. */
const OF_MESSAGES = /^(?:sends|receives|consumes|subscribesto)$/;

/** A text without links may list several names. */
function listedIn(text: string): string[] {
  return text.includes('[') ? [text] : text.split(/,\s+/);
}

function conceptsNamed(text: string): NodeKey[] {
  const name = foldSpace(text);
  return isName(name) ? [conceptKeyOf(name)] : [];
}

/**
 * Relates an object to the event that a text names.
 * @param isSure whether it is an event for sure. Another message is one only if its name says what happened, or if it is one elsewhere; else it is a concept
 */
function relateEvent(text: string, relation: Relation, isSure: boolean, facts: FactCollector): void {
  const name = foldSpace(withoutBrackets(text));
  if (!isSure && relation.type === 'triggers') stateAll(relation, conceptsNamed(name), facts);
  if (eventShape(name) === undefined) return;
  const key = eventKey(name);
  const declares = isSure || saysWhatHappened(name);
  facts.mention({
    key,
    type: 'Event',
    label: name,
    line: relation.line,
    confidence: declares ? 0.8 : 0.3,
    declares,
  });
  stateAll(relation, [key], facts);
}

function stateAll(relation: Relation, targets: Iterable<NodeKey>, facts: FactCollector): void {
  for (const target of targets)
    facts.state({ ...relation, target, rule: 'front-matter', confidence: LINKED });
}
