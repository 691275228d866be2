/** Reads one document section by section, and gives what each rule finds to the collector of facts. Long because each rule has its own place in that order. */
import { type NodeKey, SHORT_FOR, SHORT_FORM } from '../../core/graph-model.ts';
import { groupBy } from '../../core/group.ts';
import { documentKey, eventKey } from '../../core/identity.ts';
import type { MarkdownDocument, Paragraph, Section } from '../markdown/document.ts';
import { lineAt } from '../markdown/rich-text.ts';
import { type Abbreviation, findAbbreviations } from './abbreviations.ts';
import {
  type Definition,
  findDefinitions,
  findHeadingDefinition,
  findTitleDefinition,
} from './definitions.ts';
import { type DocumentParts, NO_PARTS, partsOf } from './document-parts.ts';
import { type DocumentEndpoints, type EndpointMention, findDocumentEndpoints } from './endpoints.ts';
import { leadOfList } from './event-leads.ts';
import { findListedEvents, type ListedEvent } from './event-lists.ts';
import { ownersListed, ownersOf } from './event-owners.ts';
import { findPageEvent } from './event-pages.ts';
import { stateLabelledParties } from './event-parties.ts';
import { findPayloadEvent } from './event-payloads.ts';
import { speaksOfEvents } from './event-titles.ts';
import type { FactCollector } from './facts.ts';
import { firstProse } from './first-prose.ts';
import { readFrontMatterFacts } from './front-matter-facts.ts';
import { descriptionOfEndpoint, descriptionOfPrincipal } from './given-descriptions.ts';
import { findGlossaryTerm, isGlossary, isGlossaryTitle } from './glossary.ts';
import { stateGrants } from './grants.ts';
import { isOperation } from './graphql-operations.ts';
import { findTitleEvent } from './heading-events.ts';
import { relateListedPages } from './listed-pages.ts';
import { conceptKeyOf, isTelling } from './names.ts';
import { completeStatement, type OpenStatement, openRole } from './open-statements.ts';
import {
  type Place,
  placeBehindName,
  placeOf,
  placeOfEndpoint,
  placeOfLabel,
  placeOfParameter,
  placeWithinItems,
} from './place.ts';
import { findRefs, type Ref, withListed } from './refs.ts';
import type { RelationNames } from './relation-names.ts';
import { stateRelations } from './relations.ts';
import { isReturnsTitle, stateReturned } from './returns.ts';
import { type Sentence, splitSentences } from './sentences.ts';
import { findSubjects, type HeadingObject, type Subjects } from './subjects.ts';
import { readTable } from './tables.ts';
import { actionOf, isEntry, isFetch, isHistory, titleOf } from './title.ts';
import { findTitledEvents } from './titled-events.ts';

/** @returns the document's title */
export function readDocument(
  document: MarkdownDocument,
  relations: RelationNames,
  facts: FactCollector,
): string {
  const { title, line } = titleOf(document);
  new DocumentReader(document, title, line, facts).read(relations);
  return title;
}

export class DocumentReader {
  readonly title: string;
  readonly facts: FactCollector;
  readonly #document: MarkdownDocument;
  readonly #titleLine: number;
  readonly #key: NodeKey;
  readonly #endpoints: DocumentEndpoints;
  readonly #subjects: Subjects;
  /** Whether the document reports changes. Such a document defines no terms, and states nothing that holds. */
  readonly #isNews: boolean;
  readonly #spoken: boolean;
  readonly #describesApi: boolean;
  readonly #isGlossary: boolean;
  readonly #passing = new Set<NodeKey>();
  readonly #listed: ReadonlyMap<number, readonly EndpointMention[]>;
  readonly #events: ListedEvent[] = [];
  #topic: NodeKey | undefined;
  /** The event that the whole document is about. */
  readonly #event: ListedEvent | undefined;
  readonly #abbreviations: readonly Abbreviation[];
  readonly #parts: DocumentParts;
  /** The paragraph that introduces the current list. */
  #lead = '';

  constructor(document: MarkdownDocument, title: string, titleLine: number, facts: FactCollector) {
    this.title = title;
    this.facts = facts;
    this.#document = document;
    this.#titleLine = titleLine;
    this.#key = documentKey(document.path);
    this.#endpoints = findDocumentEndpoints(document);
    this.#listed = groupBy(
      this.#endpoints.mentions.filter(({ role }) => role === 'listed'),
      ({ line }) => line,
    );
    this.#subjects = findSubjects(document, title, this.#endpoints);
    this.#isNews = isHistory(document.path, title);
    this.#event = this.#isNews
      ? undefined
      : (findTitleEvent(document, title, titleLine) ?? findPageEvent(document, title, titleLine));
    this.#spoken = speaksOfEvents(document, title);
    this.#isGlossary = isGlossary(document.path, title);
    this.#describesApi =
      this.#subjects.principal !== undefined ||
      this.#endpoints.mentions.some(({ label, role }) => role !== 'mentioned' || !isOperation(label)) ||
      document.sections.some((section) => this.#subjects.of(section).relates);
    const isProse = !this.#isNews && !this.#describesApi;
    this.#abbreviations = findAbbreviations(document);
    this.#parts = isProse ? partsOf(document, title, titleLine, this.#abbreviations) : NO_PARTS;
  }

  read(relations: RelationNames): void {
    const { principal } = this.#subjects;
    for (const problem of this.#document.problems) this.facts.report(problem);
    const about = { document: this.#document, title: this.title, titleLine: this.#titleLine };
    const event = this.#event === undefined ? undefined : eventKey(this.#event.name);
    const subject = { ...about, principal: principal?.key ?? this.#entry(), event };
    readFrontMatterFacts(subject, relations, this.facts);
    relateListedPages(this.#document, relations, this.facts);
    this.#readTopic(principal);
    this.#addEndpoints();
    for (const section of this.#document.sections) this.#readSection(section);
    for (const part of this.#parts.defined) if (!this.#isKnown(part)) this.#addDefinition(part);
    this.#addHeaded();
    this.#addShortForms();
    if (!this.#isNews) this.#addOwners();
  }

  /** The thing that an entry of a catalog is about. */
  #entry(): NodeKey | undefined {
    if (this.#event !== undefined || !isEntry(this.#document, this.title)) return undefined;
    return findTitleDefinition(this.#document, this.title, this.#titleLine)?.key;
  }

  /** Mentions names of headings, which are things if some sentence says that something works with them. */
  #addHeaded(): void {
    for (const name of this.#parts.headed) {
      if (this.#isKnown(name)) continue;
      this.facts.mention({ ...name, declares: false, half: 'headed' });
      this.facts.state({
        source: this.#key,
        type: 'references',
        target: name.key,
        line: name.line,
        rule: 'headed',
        confidence: 0.4,
      });
    }
  }

  /** Mentions what the document introduces a short form for, and the short form, each with the other as a property. */
  #addShortForms(): void {
    for (const { short, long, key, line } of this.#abbreviations) {
      const mention = { type: 'Concept', line, confidence: 0.1, declares: false } as const;
      this.facts.mention({ ...mention, key, label: long, properties: { [SHORT_FORM]: short } });
      this.facts.mention({
        ...mention,
        key: conceptKeyOf(short),
        label: short,
        properties: { [SHORT_FOR]: long },
      });
    }
  }

  #isKnown({ key, label }: Definition): boolean {
    return this.facts.isDeclared(key) || this.facts.isDeclared(eventKey(label));
  }

  /** Declares things that the document only names as what its events happen to. */
  #addOwners(): void {
    if (this.#events.length === 0) return;
    const paths = this.#endpoints.mentions.map(({ label }) => label.slice(label.indexOf('/')));
    for (const { key, label, line } of ownersListed(this.#events, paths)) {
      if (this.facts.isDeclared(key)) continue;
      this.facts.mention({ key, type: 'APIObject', label, line, confidence: 0.5, declares: true });
      this.facts.state({
        source: this.#key,
        type: 'contains',
        target: key,
        line,
        rule: 'owner-of-event',
        confidence: 0.5,
      });
    }
  }

  /** Reads what the document as a whole is about. */
  #readTopic(principal: HeadingObject | undefined): void {
    if (this.#isNews) return;
    const [opening] = this.#document.sections;
    if (this.#event !== undefined && opening !== undefined) {
      this.addEvent(this.#event, this.#placeOf(opening));
      return;
    }
    if (principal !== undefined) {
      this.#addObject(
        principal,
        this.#document.sections.find(({ line }) => line === principal.line),
        descriptionOfPrincipal(principal, this.#document, this.title),
      );
      return;
    }
    // A glossary is no thing, and what its terms do is not done by it.
    if (isGlossaryTitle(this.title)) return;
    const topic = findTitleDefinition(this.#document, this.title, this.#titleLine);
    if (topic !== undefined) this.#addDefinition(topic);
    this.#topic = topic?.key ?? (isTelling(this.title) ? conceptKeyOf(this.title) : undefined);
  }

  #addEndpoints(): void {
    for (const mention of this.#endpoints.mentions) {
      const { key, label, line, confidence, role } = mention;
      const description = descriptionOfEndpoint(mention, this.#document, this.title, this.#subjects);
      const gap = label.indexOf(' ');
      const properties = { method: label.slice(0, gap), path: label.slice(gap + 1) };
      this.facts.mention({
        key,
        type: 'Endpoint',
        label,
        line,
        confidence,
        declares: true,
        description,
        properties,
      });
      const edge = role === 'mentioned' ? 'references' : 'contains';
      this.facts.state({
        source: this.#key,
        type: edge,
        target: key,
        line,
        rule: `endpoint-${role}`,
        confidence,
      });
    }
    for (const { key: source, type, line } of this.#endpoints.results) {
      const key = conceptKeyOf(type);
      this.facts.mention({ key, type: 'APIObject', label: type, line, confidence: 0.7, declares: true });
      this.facts.state({ source, type: 'returns', target: key, line, rule: 'result-type', confidence: 0.9 });
    }
    for (const { key, line } of this.#endpoints.calls)
      this.facts.state({
        source: this.#key,
        type: 'references',
        target: key,
        line,
        rule: 'call',
        confidence: 0.6,
      });
  }

  #placeOf(section: Section, topic = this.#topic): Place {
    return placeOf(section, {
      title: this.title,
      subjects: this.#subjects,
      spoken: this.#spoken,
      describesApi: this.#describesApi,
      speaksOfGraphql: this.#endpoints.speaksOfGraphql,
      isProse: this.#parts !== NO_PARTS,
      parts: this.#parts.names,
      part: this.#parts.around(section),
      document: this.#key,
      topic,
      pageEvent: this.#event === undefined ? undefined : eventKey(this.#event.name),
    });
  }

  #readSection(section: Section): void {
    const { title, facts } = this;
    const term = this.#isNews ? undefined : findGlossaryTerm(section, title, this.#isGlossary);
    const place = this.#placeOf(section, term?.key);
    if (!this.#isNews) this.#readHeading(section, place, term);
    this.#lead = '';
    const said = this.#isNews ? undefined : openRole(section.title, place.speaker, this.facts);
    let open: OpenStatement | undefined;
    let here = place;
    const items: Paragraph[] = [];
    for (const block of section.blocks) {
      if (block.kind === 'paragraph') {
        here = placeBehindName(place, block) ?? here;
        const isListed = block.place?.opens === true && !this.#lead.trimEnd().endsWith(':');
        leaveItems(items, block);
        const within = placeWithinItems(here, items);
        this.#addItem(within);
        open = this.#readParagraph(block, within, open ?? (isListed ? said : undefined));
        if (block.place?.opens === true) items.push(block);
      } else {
        open = undefined;
        this.#lead = '';
      }
      if (block.kind === 'table') readTable(block, place, this, said);
      const sent = block.kind === 'code' ? findPayloadEvent(block, section, title) : undefined;
      if (sent !== undefined && !this.#isNews) this.addEvent(sent, place);
    }
    const endpoints = this.#subjects.of(section).endpoints;
    const { object } = this.#subjects.of(section);
    if (object === undefined) return;
    const action = actionOf(section.title);
    for (const { key, label } of endpoints) {
      const isReturned =
        object.declares && label.startsWith('GET ') && action !== undefined && isFetch(action);
      const edge = isReturned ? 'returns' : 'references';
      facts.state({
        source: key,
        type: edge,
        target: object.key,
        line: section.line,
        rule: 'section-object',
        confidence: 0.5,
        evidence: section.title,
      });
    }
  }

  /** Mentions the name that an item consists of, which is a heading of the items within it. */
  #addItem({ speaker: { item, isProse } }: Place): void {
    if (item === undefined || !isProse || this.#isNews || this.facts.isDeclared(item.key)) return;
    this.facts.mention({ ...item, type: 'Concept', declares: false, half: 'headed' });
  }

  /** Reads what the heading names, and what the items and tables below it define. */
  #readHeading(section: Section, place: Place, term: Definition | undefined): void {
    const { object, event } = this.#subjects.of(section);
    if (object !== undefined) this.#addObject(object, section);
    if (event !== undefined) this.addEvent(event, place);
    const isKnown =
      object !== undefined || event !== undefined || this.facts.isDeclared(eventKey(section.title));
    const definition = isKnown ? undefined : (term ?? findHeadingDefinition(section));
    if (definition !== undefined) this.#addDefinition(definition);
    for (const defined of findDefinitions(section, this.#isGlossary)) this.#addDefinition(defined);
  }

  #readParagraph(
    paragraph: Paragraph,
    around: Place,
    open: OpenStatement | undefined,
  ): OpenStatement | undefined {
    const isItem = paragraph.place?.opens === true;
    const lead = isItem ? leadOfList(this.#lead, open) : 'unsaid';
    const listsEvents = lead === 'events';
    if (paragraph.place === undefined) this.#lead = paragraph.text.text;
    const listed = this.#isNews ? [] : findListedEvents(paragraph, around.section, lead);
    const titled = this.#isNews ? [] : findTitledEvents(paragraph, around.section, this.title);
    for (const event of [...titled, ...listed]) this.addEvent(event, around);
    let place =
      placeOfLabel(around, paragraph, this.#isGlossary) ?? placeOfParameter(around, paragraph) ?? around;
    let next = isItem ? open : undefined;
    splitSentences(paragraph.text).forEach((sentence, index) => {
      const refs = this.readSentence(sentence, place, listsEvents || place.setting.inEventSection);
      if (this.#isNews) return;
      const [first] = refs;
      const isOpened = first?.type === 'Endpoint' && sentence.text.slice(0, first.start).trim() === '';
      if (index === 0 && isOpened) place = placeOfEndpoint(place, first);
      next = stateRelations(sentence, refs, place.speaker, this.facts) ?? next;
      stateGrants(sentence, place.speaker, this.facts);
      stateLabelledParties(sentence, place.speaker.event, this.facts);
      if (index > 0) return;
      const named = withListed(refs, listed, sentence.text);
      if (isItem && open !== undefined) completeStatement(open, sentence, named, place.speaker, this.facts);
      if (isReturnsTitle(place.section.title))
        stateReturned(sentence, refs, place.speaker.endpoints, this.facts);
    });
    return next;
  }

  /** Mentions all that a sentence names, and returns it. @param amongEvents whether the sentence stands among listed events */
  readSentence(sentence: Sentence, place: Place, amongEvents = place.setting.inEventSection): Ref[] {
    const refs = findRefs(sentence, { ...place.setting, inEventSection: amongEvents });
    for (const ref of refs) this.#read(ref, lineAt(sentence, ref.start), place, sentence.text);
    return refs;
  }

  #read(ref: Ref, line: number, { subject }: Place, evidence: string): void {
    const isEndpoint = ref.type === 'Endpoint';
    if (!isEndpoint) this.#mention(ref, line);
    if (!isEndpoint && !ref.marked) return;
    this.facts.state({
      source: subject,
      type: 'references',
      target: ref.key,
      line,
      rule: 'named',
      confidence: 0.4,
      evidence,
    });
  }

  #mention({ key, type, label, confidence, ...ref }: Ref, line: number): void {
    if (!ref.marked) {
      if (this.#passing.has(key)) return;
      this.#passing.add(key);
    }
    const declares = ref.declares && (!this.#isNews || type === 'Event');
    this.facts.mention({ key, type, label, line, confidence, declares });
  }

  /** @param given what describes it if its section does not */
  #addObject(
    { key, label, line, confidence, declares }: HeadingObject,
    section: Section | undefined,
    given = '',
  ): void {
    const prose = section === undefined ? undefined : firstProse(section)?.text;
    const description = declares ? (prose ?? given) : '';
    this.facts.mention({ key, type: 'APIObject', label, line, confidence, declares, description });
    if (declares)
      this.facts.state({
        source: this.#key,
        type: 'contains',
        target: key,
        line,
        rule: 'heading',
        confidence,
      });
  }

  #addDefinition({ key, label, type, line, confidence, description }: Definition): void {
    this.facts.mention({ key, type, label, line, confidence, declares: true, description });
    this.facts.state({
      source: this.#key,
      type: 'contains',
      target: key,
      line,
      rule: 'definition',
      confidence,
    });
  }

  /** Adds an event that a heading, a row or an item is about, and its owner. */
  addEvent(event: ListedEvent, place: Place): void {
    const { name, line, confidence, description } = event;
    this.#events.push(event);
    const key = eventKey(name);
    const { text } = description;
    this.facts.mention({
      key,
      type: 'Event',
      label: name,
      line,
      confidence,
      declares: true,
      description: text,
    });
    this.facts.state({ source: this.#key, type: 'contains', target: key, line, rule: 'event', confidence });
    const [first] = splitSentences(description);
    const refs = first === undefined ? [] : findRefs(first, place.setting);
    for (const owner of ownersOf(name, refs, text)) {
      this.facts.state({
        source: owner,
        type: 'triggers',
        target: key,
        line,
        rule: 'event-owner',
        confidence: 0.7,
        evidence: `${name}: ${text}`,
      });
    }
    for (const ref of refs) {
      if (ref.marked)
        this.facts.state({
          source: key,
          type: 'references',
          target: ref.key,
          line,
          rule: 'event-text',
          confidence: 0.5,
          evidence: text,
        });
    }
  }

  /** The endpoints that a row of a table lists. */
  endpointsAt(line: number): NodeKey[] {
    return (this.#listed.get(line) ?? []).map(({ key }) => key);
  }
}

/** Takes out the items that end before a paragraph. One that opens none continues its own. */
function leaveItems(items: Paragraph[], { place }: Paragraph): void {
  const depth = (place?.depth ?? 0) + (place?.opens === false ? 1 : 0);
  while ((items.at(-1)?.place?.depth ?? -1) >= depth) items.pop();
}
