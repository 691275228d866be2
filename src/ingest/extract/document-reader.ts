/** Reads one document section by section and hands what each rule finds to the collector of facts. */
import type { NodeKey } from '../../core/graph-model.ts';
import { documentKey, eventKey } from '../../core/identity.ts';
import type { MarkdownDocument, Paragraph, Section } from '../markdown/document.ts';
import { lineAt, type RichText } from '../markdown/rich-text.ts';
import {
  type Definition,
  findDefinitions,
  findHeadingDefinition,
  findTitleDefinition,
  firstProse,
} from './definitions.ts';
import { type DocumentEndpoints, findDocumentEndpoints } from './endpoints.ts';
import {
  type EventSetting,
  findListedEvent,
  isInEventSection,
  type ListedEvent,
  speaksOfEvents,
} from './events.ts';
import type { FactCollector } from './facts.ts';
import { readFrontMatterFacts } from './front-matter-facts.ts';
import { findLinks } from './links.ts';
import { findRefs, type Ref } from './refs.ts';
import {
  completeStatement,
  type OpenStatement,
  ownersOf,
  type Speaker,
  stateRelations,
} from './relations.ts';
import { isReturnsTitle, stateReturned } from './returns.ts';
import { type Sentence, splitSentences } from './sentences.ts';
import { findSubjects, type HeadingObject, type Subjects } from './subjects.ts';
import { readTable } from './tables.ts';
import { isHistory, titleOf } from './title.ts';

/** @returns the document's title */
export function readDocument(document: MarkdownDocument, facts: FactCollector): string {
  const { title, line } = titleOf(document);
  new DocumentReader(document, title, line, facts).read();
  return title;
}

/** What the rules need to know around the text they read. */
export interface Place {
  readonly section: Section;
  readonly setting: EventSetting;
  readonly speaker: Speaker;
  /** Whom a name mentioned in passing is a reference of. */
  readonly subject: NodeKey;
}

export class DocumentReader {
  readonly document: MarkdownDocument;
  readonly title: string;
  readonly facts: FactCollector;
  readonly subjects: Subjects;
  readonly key: NodeKey;
  readonly #titleLine: number;
  readonly #endpoints: DocumentEndpoints;
  readonly #isNews: boolean;
  readonly #spoken: boolean;
  readonly #passing = new Set<NodeKey>();
  #topic: Definition | undefined;

  constructor(document: MarkdownDocument, title: string, titleLine: number, facts: FactCollector) {
    this.document = document;
    this.title = title;
    this.#titleLine = titleLine;
    this.facts = facts;
    this.key = documentKey(document.path);
    this.#endpoints = findDocumentEndpoints(document);
    this.subjects = findSubjects(document, title, this.#endpoints);
    this.#isNews = isHistory(document.path, title);
    this.#spoken = speaksOfEvents(document, title);
  }

  read(): void {
    for (const problem of this.document.problems) this.facts.report(problem);
    readFrontMatterFacts(
      this.document,
      this.title,
      this.#titleLine,
      this.subjects.principal?.key,
      this.facts,
    );
    this.#readTopic();
    this.#addEndpoints();
    for (const section of this.document.sections) this.#readSection(section);
  }

  /** What the document as a whole is about. */
  #readTopic(): void {
    const { principal } = this.subjects;
    if (principal !== undefined)
      this.#addObject(principal, this.document.sections[1] ?? this.document.sections[0]);
    if (this.#isNews || principal !== undefined) return;
    this.#topic = findTitleDefinition(this.document, this.title, this.#titleLine);
    if (this.#topic !== undefined) this.addDefinition(this.#topic);
  }

  #addEndpoints(): void {
    for (const { key, label, line, confidence, section, declared } of this.#endpoints.mentions) {
      const described = declared && this.subjects.of(section).endpoints.length === 1;
      const description = described ? (firstProse(section)?.text ?? '') : '';
      const [method = '', path = ''] = label.split(' ');
      const properties = { method, path };
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
      this.facts.state(this.key, declared ? 'contains' : 'references', key, line, confidence);
    }
    for (const { key, line } of this.#endpoints.calls)
      this.facts.state(this.key, 'references', key, line, 0.6);
  }

  #readSection(section: Section): void {
    const { object, event } = this.subjects.of(section);
    if (object !== undefined) this.#addObject(object, section);
    if (event !== undefined && !this.#isNews) this.addEvent(event, this.#placeOf(section));
    const isEvent = event !== undefined || this.facts.isDeclared(eventKey(section.title));
    if (object === undefined && !isEvent && !this.#isNews) {
      const definition = findHeadingDefinition(section);
      if (definition !== undefined) this.addDefinition(definition);
    }
    if (!this.#isNews) for (const definition of findDefinitions(section)) this.addDefinition(definition);
    const place = this.#placeOf(section);
    this.#addLinks(section.heading);
    let open: OpenStatement | undefined;
    for (const block of section.blocks) {
      if (block.kind === 'paragraph') open = this.#readParagraph(block, place, open);
      else {
        open = undefined;
        if (block.kind === 'table') readTable(block, place, this);
      }
    }
  }

  #placeOf(section: Section): Place {
    const { subjects } = this;
    const { event, relates } = subjects.of(section);
    const isReturns = isReturnsTitle(section.title);
    const endpoint = relates
      ? subjects.soleEndpoint
      : (subjects.endpointAround(section) ??
        (isReturns || subjects.principal === undefined ? subjects.soleEndpoint : undefined));
    const own = this.#isNews ? undefined : subjects.endpointAround(section);
    const object = this.#isNews ? undefined : subjects.objectAround(section);
    const eventAround =
      event ?? (section.parent === undefined ? undefined : subjects.of(section.parent).event);
    const speaker: Speaker = {
      endpoint: (this.#isNews ? undefined : endpoint)?.key ?? undefined,
      object: object?.key,
      event: eventAround === undefined || this.#isNews ? undefined : eventKey(eventAround.name),
      objectFirst: relates || own === undefined,
      relates,
      changes: endpoint !== undefined && !endpoint.label.startsWith('GET '),
    };
    return {
      section,
      speaker,
      setting: { inEventSection: isInEventSection(section, this.title), spoken: this.#spoken },
      subject:
        (relates ? undefined : own?.key) ?? speaker.event ?? object?.key ?? this.#topic?.key ?? this.key,
    };
  }

  #readParagraph(
    paragraph: Paragraph,
    place: Place,
    open: OpenStatement | undefined,
  ): OpenStatement | undefined {
    this.#addLinks(paragraph.text);
    const listed = this.#isNews ? undefined : findListedEvent(paragraph, place.section);
    if (listed !== undefined) this.addEvent(listed, place);
    const isItem = paragraph.place?.opens === true;
    let next = isItem ? open : undefined;
    splitSentences(paragraph.text).forEach((sentence, index) => {
      const refs = this.readSentence(
        sentence,
        place,
        open !== undefined && isItem && /event/i.test(open.evidence),
      );
      if (this.#isNews) return;
      const opened = stateRelations(sentence, refs, place.speaker, this.facts);
      if (opened !== undefined) next = opened;
      if (index > 0) return;
      if (isItem && open !== undefined) completeStatement(open, sentence, refs, place.speaker, this.facts);
      if (isReturnsTitle(place.section.title))
        stateReturned(sentence, refs, place.speaker.endpoint, this.facts);
    });
    return next;
  }

  /** Mentions all that a sentence names, and returns it. */
  readSentence(sentence: Sentence | RichText, place: Place, ofEvents = false): Ref[] {
    const setting = ofEvents ? { ...place.setting, inEventSection: true } : place.setting;
    const refs = findRefs(sentence, setting);
    for (const ref of refs) this.#mention(ref, lineAt(sentence, ref.start), place, sentence.text);
    return refs;
  }

  #mention(ref: Ref, line: number, { subject }: Place, evidence: string): void {
    if (ref.type === 'Endpoint') {
      this.facts.state(subject, 'references', ref.key, line, 0.4, evidence);
      return;
    }
    if (!ref.marked) {
      if (this.#passing.has(ref.key)) return;
      this.#passing.add(ref.key);
    }
    const { key, type, label, confidence } = ref;
    const declares = ref.declares && !(this.#isNews && type !== 'Event');
    this.facts.mention({ key, type, label, line, confidence, declares });
    if (ref.marked) this.facts.state(subject, 'references', key, line, 0.4, evidence);
  }

  #addObject({ key, label, line, confidence, declares }: HeadingObject, section: Section | undefined): void {
    const description = declares && section !== undefined ? (firstProse(section)?.text ?? '') : '';
    this.facts.mention({ key, type: 'APIObject', label, line, confidence, declares, description });
    if (declares) this.facts.state(this.key, 'contains', key, line, confidence);
  }

  addDefinition({ key, label, type, line, confidence, description }: Definition): void {
    this.facts.mention({ key, type, label, line, confidence, declares: true, description });
    this.facts.state(this.key, 'contains', key, line, confidence);
  }

  /** An event that a heading, a row or an item is about, and whose it is. */
  addEvent({ name, line, confidence, description }: ListedEvent, place: Place): void {
    const key = eventKey(name);
    this.facts.mention({
      key,
      type: 'Event',
      label: name,
      line,
      confidence,
      declares: true,
      description: description.text,
    });
    this.facts.state(this.key, 'contains', key, line, confidence);
    const [first] = splitSentences(description);
    const refs = first === undefined ? [] : findRefs(first, place.setting);
    for (const owner of ownersOf(name, description, refs)) {
      this.facts.state(owner, 'triggers', key, line, 0.7, `${name}: ${description.text}`);
    }
    for (const ref of refs) {
      if (ref.marked && ref.key !== key)
        this.facts.state(key, 'references', ref.key, line, 0.5, description.text);
    }
  }

  #addLinks(text: RichText): void {
    for (const { target, line } of findLinks(text, this.document.path)) {
      this.facts.state(this.key, 'references', target, line, 0.9);
    }
  }

  addLinks(text: RichText): void {
    this.#addLinks(text);
  }
}
