/** What front matter says: the document itself, its plain properties, pages it names as related and relations of its object. */
import type { EdgeType, NodeKey } from '../../core/graph-model.ts';
import { documentKey, eventKey } from '../../core/identity.ts';
import { targetOfUrl, targetOfWikilink } from '../../core/link-target.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { foldSpace } from '../markdown/rich-text.ts';
import { firstProseOf } from './definitions.ts';
import { eventShape } from './event-names.ts';
import type { FactCollector } from './facts.ts';
import { conceptKeyOf, isName } from './names.ts';

const MAX_PROPERTIES = 12;
const MAX_PROPERTY = 200;

/** Keys under which teams list what a page's object has to do with others. */
const RELATION_KEYS: ReadonlyMap<string, EdgeType> = new Map([
  ['requires', 'requires'],
  ['depends_on', 'requires'],
  ['depends-on', 'requires'],
  ['dependencies', 'requires'],
  ['returns', 'returns'],
  ['triggers', 'triggers'],
  ['emits', 'triggers'],
  ['publishes', 'triggers'],
  ['belongs_to', 'belongs_to'],
  ['belongs-to', 'belongs_to'],
  ['generates', 'generates'],
]);

/** @param principal the object that the document is about */
export function readFrontMatterFacts(
  document: MarkdownDocument,
  title: string,
  titleLine: number,
  principal: NodeKey | undefined,
  facts: FactCollector,
): void {
  const { data, keyLines } = document.frontMatter;
  const key = documentKey(document.path);
  const given = data.get('description') ?? data.get('summary');
  const prose = typeof given === 'string' ? undefined : firstProseOf(document.sections);
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
  for (const [name, value] of data) {
    const line = keyLines.get(name) ?? 1;
    for (const text of stringsOf(value)) addLinks(text, document.path, key, line, facts);
    const edge = RELATION_KEYS.get(name.toLowerCase());
    if (edge === undefined) continue;
    for (const text of stringsOf(value)) addRelation(principal ?? key, edge, text, line, facts);
  }
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

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Wikilinks, and paths that end like a document's. */
function addLinks(text: string, path: string, key: NodeKey, line: number, facts: FactCollector): void {
  for (const match of text.slice(0, 2_000).matchAll(/\[\[([^[\]|\n]{1,300})(?:\|[^[\]\n]{0,300})?\]\]/g)) {
    const target = targetOfWikilink(match[1] ?? '', path);
    if (target !== undefined) facts.state(key, 'references', target, line, 0.9);
  }
  if (!/^[^\s:]+\.mdx?(?:#\S*)?$/i.test(text)) return;
  const target = targetOfUrl(text, path);
  if (target !== undefined) facts.state(key, 'references', target, line, 0.8);
}

function addRelation(
  source: NodeKey,
  edge: EdgeType,
  text: string,
  line: number,
  facts: FactCollector,
): void {
  const name = foldSpace(text.replace(/^\[\[|\]\]$/g, ''));
  if (edge === 'triggers') {
    if (eventShape(name) === undefined) return;
    const target = eventKey(name);
    facts.mention({ key: target, type: 'Event', label: name, line, confidence: 0.8, declares: true });
    facts.state(source, edge, target, line, 0.9);
  } else if (isName(name)) facts.state(source, edge, conceptKeyOf(name), line, 0.9);
}
