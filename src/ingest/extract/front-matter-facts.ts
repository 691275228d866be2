/** What front matter says: the document itself, its plain properties, pages it names as related and relations of its object. */

import type { EdgeType, NodeKey } from '../../core/graph-model.ts';
import { documentKey, eventKey, pageKey } from '../../core/identity.ts';
import { foldSpace } from '../../text/fold-space.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { lineOfValue } from '../markdown/line-of-value.ts';
import { eventShape } from './event-names.ts';
import type { FactCollector } from './facts.ts';
import { firstNoteOf, firstProseOf } from './first-prose.ts';
import { linkedPages, namedPages } from './named-pages.ts';
import { conceptKeyOf, isName } from './names.ts';
import { type NumberedPage, namesInSeries, numberedPageAt, pagesByNumber } from './numbered-pages.ts';
import { foldRelation, isOfDocuments, type RelationNames } from './relation-names.ts';

const MAX_PROPERTIES = 12;
const MAX_PROPERTY = 200;

/** @param principal the object that the document is about */
export function readFrontMatterFacts(
  document: MarkdownDocument,
  title: string,
  titleLine: number,
  principal: NodeKey | undefined,
  relations: RelationNames,
  facts: FactCollector,
): void {
  const { frontMatter, path } = document;
  const { data } = frontMatter;
  const key = documentKey(document.path);
  const given = data.get('description') ?? data.get('summary');
  const prose =
    typeof given === 'string'
      ? undefined
      : (firstProseOf(document.sections) ?? firstNoteOf(document.sections));
  const description = typeof given === 'string' ? given : (prose?.text ?? '');
  const properties = propertiesOf(data);
  facts.mention({
    key,
    type: 'Document',
    label: title,
    line: titleLine,
    confidence: 1,
    declares: true,
    description,
    properties,
  });
  const numbered = data.has('id') ? undefined : numberedPageAt(path);
  for (const name of namesOf(document, title, numbered)) facts.answerTo(pageKey(name));
  for (const [field, value] of data) {
    for (const { name, text } of relatedTexts(field, value)) {
      const line = lineOfValue(frontMatter, field, text.replace(/^\[\[|\]\]$/g, ''));
      const edge = relations.fields.get(foldRelation(name));
      const inSeries = edge === undefined || numbered === undefined ? [] : pagesByNumber(text, numbered);
      if (edge === undefined) addLinks(text, path, key, line, facts);
      else if (inSeries.length > 0)
        for (const target of inSeries)
          facts.state({ source: key, type: edge, target, line, rule: 'front-matter', confidence: LINKED });
      else if (isOfDocuments(edge)) relatePages(key, principal, edge, text, path, line, facts);
      else relateObject(principal ?? key, edge, text, path, line, facts);
    }
  }
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

interface RelatedText {
  /** Of the relation, as it is written. */
  readonly name: string;
  readonly text: string;
}

/** Texts that a field holds: with its own name, or each with that of a field within `relationships`. */
function relatedTexts(field: string, value: unknown): RelatedText[] {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isMapping && /^relation(?:ship)?s$/i.test(field)) {
    return Object.entries(value).flatMap(([name, texts]) => textsOf(texts).map((text) => ({ name, text })));
  }
  return textsOf(value).map((text) => ({ name: field, text }));
}

/** Texts of a value or list. YAML reads `[[Page]]` without quotes as lists within lists. */
function textsOf(value: unknown, depth = 0): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, depth + 1));
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

/** Wikilinks, and paths that end like a document's. */
function addLinks(text: string, path: string, key: NodeKey, line: number, facts: FactCollector): void {
  if (!text.includes('[') && !DOCUMENT_PATH.test(text)) return;
  for (const target of linkedPages(text, path))
    facts.state({ source: key, type: 'references', target, line, rule: 'front-matter', confidence: LINKED });
}

const DOCUMENT_PATH = /^[^\s:]+\.mdx?(?:#\S*)?$/i;
const LINKED = 0.9;

/** What a document has to do with others; where it is about an object, and they are named, that has it too. */
function relatePages(
  key: NodeKey,
  principal: NodeKey | undefined,
  edge: EdgeType,
  value: string,
  path: string,
  line: number,
  facts: FactCollector,
): void {
  for (const text of value.includes('[') ? [value] : value.split(/,\s+/)) {
    for (const target of namedPages(text, path))
      facts.state({ source: key, type: edge, target, line, rule: 'front-matter', confidence: LINKED });
    if (principal !== undefined && isName(foldSpace(text)))
      facts.state({
        source: principal,
        type: edge,
        target: conceptKeyOf(foldSpace(text)),
        line,
        rule: 'front-matter',
        confidence: LINKED,
      });
  }
}

function relateObject(
  source: NodeKey,
  edge: EdgeType,
  text: string,
  path: string,
  line: number,
  facts: FactCollector,
): void {
  const pages = linkedPages(text, path);
  for (const target of pages)
    facts.state({
      source: documentKey(path),
      type: edge,
      target,
      line,
      rule: 'front-matter',
      confidence: LINKED,
    });
  const name = foldSpace(text.replace(/^\[\[|\]\]$/g, ''));
  if (edge === 'triggers') {
    if (eventShape(name) === undefined) return;
    const target = eventKey(name);
    facts.mention({ key: target, type: 'Event', label: name, line, confidence: 0.8, declares: true });
    facts.state({ source, type: edge, target, line, rule: 'front-matter', confidence: LINKED });
  } else if (isName(name))
    facts.state({
      source,
      type: edge,
      target: conceptKeyOf(name),
      line,
      rule: 'front-matter',
      confidence: LINKED,
    });
}
