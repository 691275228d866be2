/**
 * Terms that a text defines: items such as `- **Idempotency** — safe retries with a key`, rows of a glossary, and headings
 * and titles whose first sentence says what they are. Bold type alone defines nothing.
 */
import type { NodeKey, NodeType } from '../../core/graph-model.ts';
import { groupBy } from '../../core/group.ts';
import type { Block, MarkdownDocument, Paragraph, Section, Table, TableRow } from '../markdown/document.ts';
import { type RichText, textOf } from '../markdown/rich-text.ts';
import { withoutShortForm } from './abbreviations.ts';
import { firstProse, firstProseOf } from './first-prose.ts';
import {
  bareName,
  conceptKeyOf,
  foldName,
  isCapitalised,
  isName,
  isQualifier,
  isTelling,
  isVerb,
} from './names.ts';
import { defineSetOff, isDefinable, setsOff } from './set-off-terms.ts';
import { isDoing, isEntry, isNominal, topicOf } from './title.ts';

export interface Definition {
  readonly key: NodeKey;
  readonly label: string;
  readonly type: NodeType;
  readonly line: number;
  readonly confidence: number;
  readonly description: string;
}

const OBJECTS =
  /^(?:(?:\w+\s){1,2}(?:objects|resources|models)|(?:\w+\s){0,2}(?:objects|entities|schemas|data models?|domain models?|resource types|data types))$/i;
const TERMS =
  /^(?:\w+\s){0,2}(?:concepts?|terms|terminology|glossary|definitions|vocabulary|key ideas|nomenclature)$|^(?:\w+\s)?(?:micro)?services$/i;

/**
 * Terms that the items and tables of a section define.
 * @param inGlossary whether the document is a glossary, where every item is a term, and paragraphs define terms as well: `**Idempotency** — safe retries.`
 */
export function findDefinitions(section: Section, inGlossary = false): Definition[] {
  const kind =
    OBJECTS.test(section.title) && !isDoing(section.title)
      ? 'APIObject'
      : TERMS.test(section.title)
        ? 'Concept'
        : undefined;
  const definitions = inGlossary && kind === undefined ? [] : defineItems(section, kind);
  if (inGlossary && kind !== 'APIObject') definitions.push(...defineTerms(section, kind === undefined));
  for (const block of section.blocks) {
    if (block.kind === 'table') definitions.push(...defineRows(block));
    if (block.kind === 'paragraph') definitions.push(...defineSetOff(block));
  }
  return definitions;
}

/** The terms of a list that is one of definitions. */
function defineItems({ blocks }: Section, kind: NodeType | undefined): Definition[] {
  return [...listsOf(blocks)].flatMap(([list, items]) => {
    if (list === undefined) return [];
    const terms = items.flatMap((item) => defineItem(item, kind) ?? []);
    const isGlossary = kind !== undefined || (terms.length >= 2 && terms.length >= items.length - 1);
    return isGlossary ? terms : [];
  });
}

/** The terms of a glossary, with those of its lists or without. What else they are is said better by other documents. */
function defineTerms({ blocks }: Section, withItems: boolean): Definition[] {
  return blocks.flatMap((block) => {
    if (block.kind !== 'paragraph') return [];
    if (block.place !== undefined && !(withItems && block.place.opens)) return [];
    const term = defineItem(block, 'Concept');
    return term === undefined || OF_TERM.test(term.label) ? [] : [{ ...term, confidence: IN_GLOSSARY }];
  });
}

/** Labels that say something of the term above them. */
const OF_TERM =
  /^(?:synonyms?|antonyms?|plurals?|abbreviations?|acronyms?|related(?:\sterms?)?|updated|both)$/i;

/** Less than what a document that uses the thing as an object of its API says of it. */
const IN_GLOSSARY = 0.35;

/** The opening paragraphs of the items of each unordered list, without lists within lists. */
function listsOf(blocks: readonly Block[]): Map<number | undefined, Paragraph[]> {
  const items = blocks.filter((block): block is Paragraph => {
    if (block.kind !== 'paragraph' || block.place?.opens !== true) return false;
    return !block.place.ordered && block.place.depth === 1;
  });
  return groupBy(items, ({ place }) => place?.list);
}

/** @param kind what the terms are, according to the section's title; without it the item has to read like a definition */
function defineItem({ text }: Paragraph, kind: NodeType | undefined): Definition | undefined {
  const [mark] = text.marks;
  if (mark?.kind !== 'strong' || text.text.slice(0, mark.start).trim() !== '') return undefined;
  const shown = textOf(text, mark).replace(/\s*:$/, '');
  const label = bareName(shown);
  if (!isDefinable(label)) return undefined;
  const behind = text.text.slice(mark.end);
  const joint = /^\s*(?:\([^)]{1,40}\)\s*)?(?:[—–:]|-{1,2}\s|\s+(?:is|are)\s+(?:an?|the)\b)\s*/.exec(
    shown.length < textOf(text, mark).length ? `:${behind}` : behind,
  );
  if (joint === null) return undefined;
  const description = text.text.slice(mark.end).replace(/^[\s:—–-]+/, '');
  if (description.split(/\s+/).length < (kind === undefined ? 3 : 2)) return undefined;
  if (kind === undefined && (!isTelling(label) || !isDefining(description))) return undefined;
  const type = kind ?? 'Concept';
  return {
    key: conceptKeyOf(label),
    label,
    type,
    line: text.line,
    confidence: kind === undefined ? 0.6 : 0.9,
    description,
  };
}

/** Whether a text says what something is: `a payment attempt against …`, `the unit of …`, `represents …`. */
function isDefining(description: string): boolean {
  return /^(?:is |are )?(?:an?|the|any|one of|represents?|describes?|defines?|contains?|holds?|groups?)\s/i.test(
    description,
  );
}

const TERM_COLUMN =
  /^(?:terms?|concepts?|services?|components?|entit(?:y|ies)|objects?|resources?|models?|schemas?|modules?|roles?|actors?)(?:\snames?)?$/i;
const OBJECT_COLUMN = /^(?:entit(?:y|ies)|objects?|resources?|models?|schemas?)/i;
const MEANING_COLUMN =
  /^(?:definitions?|descriptions?|meanings?|purpose|responsibilit(?:y|ies)|what(?:$|\s+(?:it|they|is|are|for)\b)|summary|role|notes?|explanation|relationships?|relations?|associations?)/i;

/** A limit in a column of resources: `Max memory usage`. */
const IS_LIMIT = /^(?:max|min)(?:imum)?\s/i;

/** The terms of a table with a column of terms and one of meanings. */
function defineRows({ header, rows }: Table): Definition[] {
  const [first] = header;
  const meaning = header.findIndex(({ text }, index) => index > 0 && MEANING_COLUMN.test(text.trim()));
  if (first === undefined || !TERM_COLUMN.test(first.text.trim()) || meaning === -1) return [];
  const title = first.text.trim();
  const areTrained = /^models?/i.test(title) && rows.filter(namesRelease).length * 2 > rows.length;
  const type = OBJECT_COLUMN.test(title) && !areTrained ? 'APIObject' : 'Concept';
  return rows.flatMap(({ cells, line }) => {
    const [cell] = cells;
    const label = bareName(withoutShortForm(cell?.text ?? ''));
    const description = cells[meaning]?.text ?? '';
    if (!isName(label) || label.split(' ').length > 4 || description === '' || IS_LIMIT.test(label))
      return [];
    return [
      { key: conceptKeyOf(label), label, type, line, confidence: 0.85, description },
    ] satisfies Definition[];
  });
}

/** Whether a row is about a model that is trained or built, which is no object of a data model: `clay-4o`, `clay3.5`, `Clay3 Large`, `glaze-embed-text`. */
function namesRelease({ cells }: TableRow): boolean {
  const name = cells[0]?.text.trim() ?? '';
  return /[\s-]\d|\d(?:[\s.-]|$)/.test(name) || /^[a-z\d]+(?:-[a-z\d]+){2,}$/.test(name);
}

/** The thing that a heading names and the first sentence below it defines: `## Idempotency keys`, "An idempotency key is …". */
export function findHeadingDefinition(section: Section): Definition | undefined {
  if (section.level === 0 || !isName(section.title)) return undefined;
  const prose = firstProse(section);
  if (!isTelling(section.title) && !isToldOf(prose, section.title) && !setsOff(prose, section.title))
    return undefined;
  if (prose === undefined || !(isNominal(section.title) || saysWhatIs(prose, section.title)))
    return undefined;
  if (!definesName(prose, section.title) && !setsOff(prose, section.title)) return undefined;
  return {
    key: conceptKeyOf(section.title),
    label: section.title,
    type: 'Concept',
    line: section.line,
    confidence: 0.7,
    description: prose.text,
  };
}

/** The thing that a document's title names, if the title is a name. */
export function findTitleDefinition(
  document: MarkdownDocument,
  title: string,
  line: number,
): Definition | undefined {
  const prose = firstProseOf(document.sections.slice(0, 3));
  const isNamed = isEntry(document, title);
  const topic =
    topicOf(title) ??
    (isNamed || (prose !== undefined && saysWhatIs(prose, title))
      ? title
      : nameIntroduced(title, prose, document.path));
  if (topic === undefined || !(isTelling(topic) || isToldOf(prose, topic))) return undefined;
  if (isObjectOf(topic)) return undefined;
  const given = document.frontMatter.data.get('description');
  const isDefined = prose !== undefined && definesName(prose, topic);
  if (!isDefined && !isNamed && topic.split(' ').length > 3) return undefined;
  const description = typeof given === 'string' ? given : (prose?.text ?? '');
  return {
    key: conceptKeyOf(topic),
    label: topic,
    type: 'Concept',
    line,
    confidence: isDefined ? 0.75 : 0.6,
    description,
  };
}

/** Whether a name ends in "object", such as `Event object`. If the word before it is a thing elsewhere, this is the same thing. */
function isObjectOf(topic: string): boolean {
  return /\sobject$/i.test(topic) && !isTelling(bareName(topic));
}

/** Titles of pages that explain the thing that the whole folder is about. */
const INTRODUCTION =
  /^(?:introduction|overview|home|about|readme|index|getting started|welcome(?: to .+)?|what(?: is|['’]s) .+)$/i;

/**
 * The name on a page called "Introduction" that begins with `Kiln Relay is a service that …`. A lower-case name ("A shelf is the …") only counts if
 * the folder has it as well; so does a plural ("Shelves are the …"), whose capital may be the sentence's.
 */
function nameIntroduced(title: string, prose: RichText | undefined, path: string): string | undefined {
  if (prose === undefined || !INTRODUCTION.test(title)) return undefined;
  const [, article, name, verb] =
    /^(?:(An?|The)\s+)?([\p{L}\p{N}.-]+(?:\s[\p{L}\p{N}.-]+){0,3}?)\s+(is|are)\s+(?:an?|the|\p{Lu}\p{L}+['’]s)\s/u.exec(
      prose.text.trim(),
    ) ?? [];
  if (name === undefined || !isNominal(name.charAt(0).toUpperCase() + name.slice(1))) return undefined;
  const isOfSentence = article === undefined && verb === 'are' && !name.includes(' ');
  if (isCapitalised(name) && !isOfSentence) return name;
  return path.split('/').some((part) => foldName(part) === foldName(name)) ? name : undefined;
}

/** Whether a sentence that begins with these words is an instruction: `Create a charge`, `Creates the first …`. */
function isImperative(words: readonly string[], subjectLength: number): boolean {
  const [first = ''] = words;
  if (!isVerb(first) && !isVerb(first.replace(/s$/, ''))) return false;
  return subjectLength > 1 || isQualifier(words[1] ?? '') || ORDERED.test(words[1] ?? '');
}

/** Words other than articles that may follow an imperative: `Download latest releases from …`. */
const ORDERED = /^(?:latest|it|them|up)$/i;
/** Words that make a verb before them the name of a control: `The Edit tab enables you to …`. A thing may have a tab with its name. */
const CONTROL = /^(?:tab|button|menu|icon|link|checkbox|dropdown|toggle)s?$/i;

/**
 * Whether a text says what the name is: `The query frontend is a service that …`, "A bucket index is …". Such a name may begin
 * with a word that is a verb elsewhere, or end like the title of a list of pages.
 */
function saysWhatIs({ text }: RichText, name: string): boolean {
  const words = name.split(' ');
  if (
    words.length < 2 ||
    words.length > 3 ||
    words.some((word) => isQualifier(word) || /['’.&/]|ing$/i.test(word))
  )
    return false;
  const opening = /^(?:An?|The)\s+([\p{L}\p{N}\s-]+?)\s+(?:is|are)\s+(?:an?|the\s+(?!same\b))\b/u.exec(
    text.trim(),
  );
  return opening?.[1] !== undefined && foldName(opening[1]) === foldName(name);
}

/**
 * Whether a text says of any one of them what it is: `An application is a collection of …` below "Applications". Then even a word that mostly means
 * something else is a thing.
 */
function isToldOf(prose: RichText | undefined, name: string): boolean {
  const opening =
    /^(?:An?|Each|Every)\s+([\p{L}\p{N}-]+(?:\s[\p{L}\p{N}-]+)?)\s+(?:is|represents)\s+(?:an?|the|any|one)\s/u.exec(
      prose?.text.trim() ?? '',
    )?.[1];
  return opening !== undefined && isName(name) && foldName(opening) === foldName(name);
}

/** Whether a sentence begins with the name as its subject. "Rotate all keys." only repeats the heading, and "Kiln logs for ovens:" introduces something else. */
function definesName({ text }: RichText, name: string): boolean {
  const words = text.trim().split(/\s+/, 14);
  const start = /^(?:an?|the|each|every|all|in \w+,)$/i.test(words[0] ?? '') ? 1 : 0;
  for (let length = 1; length <= 5 && start + length < words.length; length += 1) {
    const subject = words
      .slice(start, start + length)
      .join(' ')
      .replace(/[“”"'`*,()]/g, '');
    if (foldName(subject) !== foldName(name)) continue;
    if (/[.:!?]$/.test(subject) || (words[start + length] === 'for' && text.trim().endsWith(':')))
      return false;
    if (isVerb(name) && CONTROL.test(words[start + length] ?? '')) return false;
    return start > 0 || !isImperative(words, length);
  }
  return false;
}
