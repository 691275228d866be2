/** What a schema map finds in a document beyond what the text says by itself. Long because all kinds of rules meet in the nodes of its sections. */

import type { DocumentFacts, Mention, NodeKey, NodeType } from '../../core/graph-model.ts';
import { conceptKey, documentKey, pageKey } from '../../core/identity.ts';
import { targetOfUrl, targetOfWikilink } from '../../core/link-target.ts';
import type { Outline, OutlineSection } from '../../core/outline.ts';
import type { FieldRule, HeadingRule, PhraseRule, SchemaRule } from '../../core/schema-rules.ts';
import { headingTest } from '../../schema/matching.ts';
import { foldSpace } from '../../text/fold-space.ts';
import type { MarkdownDocument, Paragraph, Section } from '../markdown/document.ts';
import { lineOfValue } from '../markdown/line-of-value.ts';
import { lineAt, shorten, textOf } from '../markdown/rich-text.ts';
import { FactCollector } from './facts.ts';
import { namedPages } from './named-pages.ts';
import { NO_NAMES } from './part-names.ts';
import { findRefs } from './refs.ts';
import { splitSentences } from './sentences.ts';

const SURE = 1;
const LISTED = 0.9;
const SAID = 0.7;
const MAX_PROPERTY_LENGTH = 200;
const MAX_NAME_LENGTH = 120;
/** A sentence in which phrases occur more often is ignored. */
const MAX_PLACES = 100;
const PLAIN_SETTING = {
  inEventSection: false,
  spoken: false,
  describesApi: false,
  speaksOfGraphql: false,
  parts: NO_NAMES,
};

/** Adds the facts that rules find in a document. @param rules those that may apply to it */
export function withSchemaFacts(
  facts: DocumentFacts,
  document: MarkdownDocument,
  outline: Outline,
  rules: readonly SchemaRule[],
): DocumentFacts {
  return rules.length === 0 ? facts : new SchemaReader(facts, document, outline, rules).read();
}

/** The node that stands for a section. */
interface SectionNode {
  readonly key: NodeKey;
  readonly type: NodeType;
  readonly label: string;
  readonly section: OutlineSection;
  readonly properties: Map<string, string>;
}

class SchemaReader {
  readonly #facts: DocumentFacts;
  readonly #document: MarkdownDocument;
  readonly #outline: Outline;
  readonly #rules: readonly SchemaRule[];
  readonly #key: NodeKey;
  readonly #added = new FactCollector();
  readonly #properties = new Map<string, string>();
  /** The sections with a heading, by its line. */
  readonly #sectionsAt: ReadonlyMap<number, Section>;
  /** The nodes of sections, by the section's index. */
  readonly #nodes = new Map<number, SectionNode>();

  constructor(
    facts: DocumentFacts,
    document: MarkdownDocument,
    outline: Outline,
    rules: readonly SchemaRule[],
  ) {
    this.#facts = facts;
    this.#document = document;
    this.#outline = outline;
    this.#rules = rules;
    this.#key = documentKey(document.path);
    const headed = document.sections.filter(({ level }) => level > 0);
    this.#sectionsAt = new Map(headed.map((section) => [section.line, section]));
  }

  read(): DocumentFacts {
    const headings = this.#rules.filter((rule) => rule.kind === 'heading');
    for (const rule of headings) if (rule.type !== undefined) this.#addSections(rule, rule.type);
    for (const [index, node] of this.#nodes) this.#relateToParent(index, node);
    for (const rule of this.#rules) {
      if (rule.kind === 'field') this.#readField(rule);
      if (rule.kind === 'heading') this.#readHeading(rule);
    }
    const phrases = this.#rules.filter((rule) => rule.kind === 'phrase');
    if (phrases.length > 0) this.#readPhrases(phrases);
    for (const node of this.#nodes.values()) this.#mentionSection(node);
    return this.#merged(this.#documentType());
  }

  #documentType(): NodeType | undefined {
    for (const rule of this.#rules) {
      if (rule.kind !== 'field' || rule.types === undefined) continue;
      for (const text of this.#textsOf(rule)) {
        const found = Object.entries(rule.types).find(
          ([value]) => value.toLowerCase() === text.toLowerCase(),
        );
        if (found !== undefined) return found[1];
      }
    }
    return this.#rules.find((rule) => rule.kind === 'document')?.type;
  }

  #textsOf({ key }: FieldRule): string[] {
    const wanted = key.toLowerCase();
    const { data } = this.#document.frontMatter;
    return [...data].flatMap(([name, value]) => (name.toLowerCase() === wanted ? textsIn(value) : []));
  }

  #readField(rule: FieldRule): void {
    const texts = this.#textsOf(rule);
    if (rule.property !== undefined && texts.length > 0)
      setOnce(this.#properties, rule.property, texts.join(', '));
    if (rule.edge === undefined) return;
    const { frontMatter, path } = this.#document;
    const key = [...frontMatter.data.keys()].find((one) => one.toLowerCase() === rule.key.toLowerCase());
    for (const text of texts) {
      const line = lineOfValue(frontMatter, key ?? rule.key, text.replace(/^\[\[|\]\]$/g, ''));
      for (const target of namedPages(text, path)) this.#state(rule, this.#key, target, line, LISTED, text);
    }
  }

  #addSections(rule: HeadingRule, type: NodeType): void {
    const nameOf = headingTest(rule);
    this.#outline.sections.forEach((section, index) => {
      const label = nameOf(section)?.slice(0, MAX_NAME_LENGTH);
      if (label === undefined || this.#nodes.has(index)) return;
      this.#nodes.set(index, { key: conceptKey(label), type, label, section, properties: new Map() });
    });
  }

  /** Relates a section to the section around it, or to the document. */
  #relateToParent(index: number, { key, section }: SectionNode): void {
    const around = this.#nodeAround(section.parent);
    if (around !== undefined && index !== section.parent) {
      this.#added.state({
        source: key,
        type: 'child_of',
        target: around.key,
        line: section.line,
        rule: 'schema-map',
        confidence: SURE,
        evidence: section.title,
      });
    }
    this.#added.state({
      source: this.#key,
      type: 'contains',
      target: key,
      line: section.line,
      rule: 'schema-map',
      confidence: SURE,
      evidence: section.title,
    });
  }

  #nodeAround(index: number): SectionNode | undefined {
    for (let at = index; at >= 0; at = this.#outline.sections[at]?.parent ?? -1) {
      const node = this.#nodes.get(at);
      if (node !== undefined) return node;
    }
    return undefined;
  }

  #nodeAt(line: number): SectionNode | undefined {
    return this.#nodeAround(this.#outline.sections.findLastIndex((section) => section.line <= line));
  }

  #readHeading(rule: HeadingRule): void {
    if (rule.edge === undefined && rule.items === undefined && rule.property === undefined) return;
    const nameOf = headingTest(rule);
    this.#outline.sections.forEach((section, index) => {
      if (nameOf(section) === undefined) return;
      const node = this.#nodeAround(index);
      const below = this.#paragraphsIn(section);
      if (rule.property !== undefined) {
        const text = shorten(below.map(({ text }) => text.text).join(' '), MAX_PROPERTY_LENGTH);
        if (text !== '') setOnce(node?.properties ?? this.#properties, rule.property, text);
      }
      const listed = below.filter(({ place }) => place?.opens === true);
      for (const item of listed) this.#readItem(rule, item, node?.key ?? this.#key);
    });
  }

  #readItem(rule: HeadingRule, { text }: Paragraph, subject: NodeKey): void {
    if (rule.edge === undefined && rule.items === undefined) return;
    const links = text.marks.flatMap((mark) => {
      const { path } = this.#document;
      if (mark.kind === 'wikilink') return targetOfWikilink(mark.target, path) ?? [];
      return mark.kind === 'link' ? (targetOfUrl(mark.target, path) ?? []) : [];
    });
    const label = nameOfItem(text.text);
    const line = lineAt(text, 0);
    if (rule.items !== undefined && links.length === 0 && label !== '') {
      this.#added.mention({
        key: conceptKey(label),
        type: rule.items,
        label,
        line,
        confidence: SURE,
        declares: true,
      });
    }
    const named = rule.items === undefined ? pageKey(label) : conceptKey(label);
    const targets = links.length > 0 ? links : label === '' ? [] : [named];
    for (const target of targets) {
      if (rule.edge !== undefined) this.#state(rule, subject, target, line, LISTED, text.text);
      else if (links.length === 0)
        this.#added.state({
          source: subject,
          type: 'contains',
          target,
          line,
          rule: 'schema-map',
          confidence: LISTED,
          evidence: text.text,
        });
    }
  }

  /** The paragraphs of the section itself, without those of the sections within it. */
  #paragraphsIn({ line }: OutlineSection): Paragraph[] {
    return this.#sectionsAt.get(line)?.blocks.filter((block) => block.kind === 'paragraph') ?? [];
  }

  #readPhrases(rules: readonly PhraseRule[]): void {
    const phrases = rules.map((rule) => ({ rule, pattern: phrasePattern(rule.phrase) }));
    for (const section of this.#document.sections) {
      for (const block of section.blocks) {
        if (block.kind !== 'paragraph' || !phrases.some(({ pattern }) => pattern.test(block.text.text)))
          continue;
        for (const sentence of splitSentences(block.text)) {
          const places = placesOf(sentence.text, phrases);
          if (places.length > 0) this.#readSentence(sentence, places);
        }
      }
    }
  }

  #readSentence(sentence: ReturnType<typeof splitSentences>[number], places: readonly PhrasePlace[]): void {
    const { path } = this.#document;
    const linked = sentence.marks.flatMap(({ kind, target, start, end }) => {
      if (kind !== 'link' && kind !== 'wikilink') return [];
      const key = kind === 'link' ? targetOfUrl(target, path) : targetOfWikilink(target, path);
      return key === undefined ? [] : [{ key, start, end }];
    });
    const named = findRefs(sentence, PLAIN_SETTING).filter(
      (ref) => !linked.some(({ start, end }) => ref.start < end && start < ref.end),
    );
    const taken = [...linked, ...named.filter((ref) => ref.marked)];
    // An author who sets words beside a phrase of the map in bold or code names something.
    const marked = sentence.marks.flatMap((mark) => {
      const label = foldSpace(textOf(sentence, mark));
      const isName =
        (mark.kind === 'strong' || mark.kind === 'code') && label !== '' && label.length <= MAX_NAME_LENGTH;
      if (!isName || taken.some(({ start, end }) => mark.start < end && start < mark.end)) return [];
      const { start, end } = mark;
      return [{ key: conceptKey(label), type: 'Concept' as const, label, start, end, marked: true }];
    });
    const line = lineAt(sentence, 0);
    for (const ref of [...named, ...marked]) {
      if (!ref.marked || ref.type === 'Endpoint') continue;
      const { key, type, label } = ref;
      this.#added.mention({
        key,
        type,
        label,
        line: lineAt(sentence, ref.start),
        confidence: 0.4,
        declares: true,
      });
    }
    const plain = named.filter(
      (ref) => !ref.marked && !marked.some(({ start, end }) => ref.start < end && start < ref.end),
    );
    const entities = [...taken, ...marked, ...plain].sort((a, b) => a.start - b.start);
    places.forEach(({ rule, start, end }, index) => {
      const until = places[index + 1]?.start ?? sentence.text.length;
      const from = places[index - 1]?.end ?? 0;
      const before = entities.findLast((entity) => entity.end <= start && entity.start >= from);
      const first = entities.findLast((entity) => entity.end <= start);
      const source = before?.key ?? first?.key ?? this.#nodeAt(line)?.key ?? this.#key;
      for (const entity of entities) {
        if (entity.start < end || entity.end > until) continue;
        this.#state(rule, source, entity.key, lineAt(sentence, entity.start), SAID, sentence.text);
      }
    });
  }

  #state(
    rule: FieldRule | HeadingRule | PhraseRule,
    source: NodeKey,
    target: NodeKey,
    line: number,
    confidence: number,
    evidence: string,
  ): void {
    if (rule.edge === undefined) return;
    const [from, to] = rule.isReverse ? [target, source] : [source, target];
    this.#added.state({
      source: from,
      type: rule.edge,
      target: to,
      line,
      rule: 'schema-map',
      confidence,
      evidence,
    });
  }

  #mentionSection({ key, type, label, section, properties }: SectionNode): void {
    const description = this.#paragraphsIn(section).find(({ place }) => place === undefined)?.text.text ?? '';
    this.#added.mention({
      key,
      type,
      label,
      line: section.line,
      confidence: SURE,
      declares: true,
      description,
      ...(properties.size > 0 ? { properties: Object.fromEntries(properties) } : {}),
    });
  }

  /** The facts with the added ones. If the map gives the document a type, its title names no other node. */
  #merged(type: NodeType | undefined): DocumentFacts {
    const added = this.#added.finish(this.#facts.title);
    const titleKey = type === undefined ? undefined : conceptKey(this.#facts.title);
    const sectionKeys = new Set([...this.#nodes.values()].map(({ key }) => key));
    const isTitle = (key: NodeKey) => key === titleKey && !sectionKeys.has(key);
    const mentions = this.#facts.mentions.flatMap((mention): Mention[] => {
      if (mention.key === this.#key) return [this.#own(mention, type)];
      return isTitle(mention.key) ? [] : [mention];
    });
    const ofDocument = (key: NodeKey) => (isTitle(key) ? this.#key : key);
    const statements = [...this.#facts.statements, ...added.statements]
      .map((one) => ({ ...one, source: ofDocument(one.source), target: ofDocument(one.target) }))
      .filter(({ source, target }) => source !== target);
    const others = added.mentions.filter(({ key }) => !isTitle(key));
    const problems = [...this.#facts.problems, ...added.problems];
    return { ...this.#facts, mentions: [...mentions, ...others], statements, problems };
  }

  #own(mention: Mention, type: NodeType | undefined): Mention {
    const typed = type === undefined ? mention : { ...mention, type };
    if (this.#properties.size === 0) return typed;
    return { ...typed, properties: { ...mention.properties, ...Object.fromEntries(this.#properties) } };
  }
}

interface PhrasePlace {
  readonly rule: PhraseRule;
  readonly start: number;
  readonly end: number;
}

/** The places of phrases in a sentence, a longer phrase before those within it. */
function placesOf(
  text: string,
  phrases: readonly { readonly rule: PhraseRule; readonly pattern: RegExp }[],
): PhrasePlace[] {
  const found: PhrasePlace[] = [];
  for (const { rule, pattern } of phrases) {
    for (const match of text.matchAll(new RegExp(pattern, 'giu'))) {
      if (found.length === MAX_PLACES) break;
      found.push({ rule, start: match.index, end: match.index + match[0].length });
    }
  }
  const longest = found.toSorted((a, b) => b.end - b.start - (a.end - a.start));
  const kept: PhrasePlace[] = [];
  for (const place of longest) {
    const isTaken = kept.some(
      ({ start, end, rule }) => place.start < end && start < place.end && rule.phrase !== place.rule.phrase,
    );
    if (!isTaken) kept.push(place);
  }
  return kept.sort((a, b) => a.start - b.start);
}

function phrasePattern(phrase: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_-])${phrase.trim().replace(/\s+/g, '\\s+')}(?![\\p{L}\\p{N}_-])`,
    'iu',
  );
}

/** The name in an item, without its explanation. */
function nameOfItem(text: string): string {
  const name = foldSpace(text.split(/\s+[—–-]\s+|:\s|\n/, 1)[0] ?? '').replace(/[.:;,]$/, '');
  return name.length > MAX_NAME_LENGTH ? '' : name;
}

function textsIn(value: unknown, depth = 0): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1));
  if (typeof value === 'string')
    return [depth > 1 ? `[[${value}]]` : foldSpace(value)].filter((text) => text !== '');
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

function setOnce(properties: Map<string, string>, name: string, text: string): void {
  if (!properties.has(name)) properties.set(name, shorten(text, MAX_PROPERTY_LENGTH));
}
