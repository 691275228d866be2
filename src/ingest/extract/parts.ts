/**
 * The parts of a system that a page of prose describes, such as its services and stores. Pages mostly name them in lower
 * case: `the query planner hands each job to a worker`. They are found before the sentences of the page are read.
 */
import type { Block, MarkdownDocument, Paragraph, Section } from '../markdown/document.ts';
import { type RichText, textOf } from '../markdown/rich-text.ts';
import { type Definition, findTitleDefinition } from './definitions.ts';
import { firstProse, firstProseOf } from './first-prose.ts';
import { bareName, conceptKeyOf, foldName, isQualifier, isTelling, isVerb } from './names.ts';
import { type Counted, countNames, countSubjects, definitionOf, KIND_OF_PART } from './part-counts.ts';
import { isNominal, nameOfHeading } from './title.ts';

/** A document that repeats a name this often is about it, and does not only mention it in passing. */
const OFTEN = 3;

/**
 * How a document mentions a part: it says what it is (`defined`), names it as often as its main subject (`used`), or more than
 * once (`spoken`). A `used` part is a thing if a sentence says that one part works with another. A `spoken` one is not.
 */
export type Standing = 'defined' | 'used' | 'spoken';

export interface Part extends Definition {
  readonly standing: Standing;
  /** The short form by which the text names it, if it has one. */
  readonly short?: string;
}

export interface FoundParts {
  readonly parts: readonly Part[];
  /** The keys of names without an article, as systems that have parts are called. */
  readonly systems: ReadonlySet<string>;
  /** Those systems that the document often mentions, also in the middle of sentences. */
  readonly often: readonly Definition[];
}

/** All that a document names as parts of a system, defined ones first. */
export function findParts(document: MarkdownDocument, title: string, titleLine: number): FoundParts {
  const parts = new Map<string, Part>();
  const add = (part: Definition | undefined, standing: Standing = 'defined') => {
    if (part !== undefined && !parts.has(part.key)) parts.set(part.key, { ...part, standing });
  };
  add(findTitleDefinition(document, title, titleLine));
  add(partOfTitle(document, title, titleLine));
  const counts = new Map<string, Counted>();
  const systems = new Set<string>();
  for (const section of document.sections) {
    add(partOfHeading(section));
    let lead = section.title;
    for (const block of section.blocks) {
      if (block.kind !== 'paragraph') continue;
      add(partInBold(block.text));
      add(partByOtherName(block.text));
      if (block.place === undefined) lead = block.text.text;
      else if (isListOfParts(lead)) add(partOfItem(block));
      countNames(block.text, counts);
      countSubjects(block.text, counts, systems);
    }
  }
  const headings = new Set([title, ...document.sections.map((section) => section.title)].map(conceptKeyOf));
  for (const { count, isProper, part } of counts.values()) {
    if (count >= OFTEN) add(part, isProper || headings.has(part.key) ? 'defined' : 'used');
    else if (count > 1) add(part, 'spoken');
  }
  for (const part of linkedSystems(document.sections)) add(part, 'used');
  const often = [...counts.values()].filter(({ count, part }) => count >= OFTEN && systems.has(part.key));
  return {
    parts: [...parts.values()].filter(({ label }) => !isOwned(label, parts, systems)),
    systems,
    often: properIn(
      document.sections,
      often.map(({ part }) => part),
    ),
  };
}

/** A space in a text, and up to three words behind it. */
const WORDS_BEHIND = / (?=([\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+){0,2}))/gu;

/** The parts whose name occurs by itself in the middle of a sentence with a capital, which only names have there, and nowhere without one. */
function properIn(sections: readonly Section[], parts: readonly Definition[]): Definition[] {
  if (parts.length === 0) return [];
  const names = new Set(parts.map(({ label }) => label));
  const small = new Map(
    [...names].flatMap((name) => (name === name.toUpperCase() ? [] : [[name.toLowerCase(), name]])),
  );
  const proper = new Set<string>();
  const common = new Set<string>();
  // All names are looked for at once, since a document may have thousands.
  for (const text of textsOf(sections)) {
    for (const { index, 1: words = '' } of text.matchAll(WORDS_BEHIND)) {
      for (const name of beginningsOf(words)) {
        const end = index + 1 + name.length;
        const ordinary = small.get(name);
        if (ordinary !== undefined && text.charAt(end) === ' ') common.add(ordinary);
        if (!names.has(name) || !/[\p{Ll}\d,]/u.test(text.charAt(index - 1))) continue;
        if (/^(?:[.,;:)]|\s\P{Lu}|['’]s|$)/u.test(text.slice(end, end + 2))) proper.add(name);
      }
    }
  }
  return parts.filter(({ label }) => proper.has(label) && !common.has(label));
}

function textsOf(sections: readonly Section[]): string[] {
  return sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'paragraph' ? block.text.text : [])),
  );
}

/** The first word, the first two words, and so on. */
function beginningsOf(words: string): string[] {
  const all = words.split(' ');
  return all.map((_, last) => all.slice(0, last + 1).join(' '));
}

/** Whether a name is another part's name with its system before it: `Kiln relay`. */
function isOwned(label: string, parts: ReadonlyMap<string, Part>, systems: ReadonlySet<string>): boolean {
  const gap = label.indexOf(' ');
  if (gap === -1 || !systems.has(conceptKeyOf(label.slice(0, gap)))) return false;
  return parts.get(conceptKeyOf(label.slice(gap + 1)))?.standing === 'defined';
}

/** How many names, and of which length, are at most looked for in a whole document. */
const MAX_SYSTEMS = 40;
const MAX_SYSTEM = 40;

/** Systems of others that the document links to and mentions again: `[Kilnbase](https://kilnbase.example)`. */
function linkedSystems(sections: readonly Section[]): Definition[] {
  const texts = sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'paragraph' ? block.text : [])),
  );
  const systems = new Map<string, Definition>();
  const tried = new Set<string>();
  for (const text of texts)
    for (const mark of text.marks) {
      if (mark.kind !== 'link' || !/^https?:/.test(mark.target)) continue;
      const label = textOf(text, mark);
      if (label.length > MAX_SYSTEM || tried.has(label) || tried.size >= MAX_SYSTEMS) continue;
      tried.add(label);
      if (label.split(' ').length > 2 || !isNominal(label) || !isTelling(label)) continue;
      let count = 0;
      for (const other of texts) if (other.text.includes(label)) count += 1;
      if (count >= OFTEN)
        systems.set(label, { ...definitionOf(label, text, mark.start), confidence: 0.5, description: '' });
    }
  return [...systems.values()];
}

/** The part of a heading such as `## Query planner`, if the text below begins with it: "The optional **query planner** service is responsible for …". */
function partOfHeading(section: Section): Definition | undefined {
  const { line, level, blocks } = section;
  const title = nameOfHeading(section.title);
  const words = title.split(' ');
  if (level === 0 || words.length > 3 || !isTelling(title) || /[.&/?!'’]|ing(?:\s|$)/i.test(title))
    return undefined;
  // "The `KilnRow` object" is the same thing as KilnRow, but a "Context object" may be the only thing with that name.
  if (/\sobject$/i.test(title) && isTelling(bareName(title))) return undefined;
  const prose = firstProse(section);
  const opens = blocks.some(
    (block) =>
      block.kind === 'paragraph' &&
      block.place === undefined &&
      (opensWith(block.text.text, title) || isSaidToBe(block.text.text, title)),
  );
  if (!opens && !opensWithDeeds(blocks)) return undefined;
  const key = conceptKeyOf(title);
  return { key, label: title, type: 'Concept', line, confidence: 0.6, description: prose?.text ?? '' };
}

/** Whether the text is a list of what something does: `- Keeps rows`, `- Sends them to the store`. */
function opensWithDeeds(blocks: readonly Block[]): boolean {
  const [first] = blocks;
  if (first?.kind !== 'paragraph' || first.place === undefined) return false;
  const { list } = first.place;
  const items = blocks.flatMap((block) =>
    block.kind === 'paragraph' && block.place?.list === list && block.place.opens ? block.text.text : [],
  );
  const deeds = items.filter((text) => DEED.test(text));
  const verbs = deeds.filter(
    (text) =>
      isVerb(/^\p{L}+?(?=(?:es|s)\s)/u.exec(text)?.[0] ?? '') ||
      isVerb(/^\p{L}+(?=s\s)/u.exec(text)?.[0] ?? ''),
  );
  return items.length > 1 && deeds.length === items.length && verbs.length * 2 >= items.length;
}

const DEED = /^\p{Lu}\p{Ll}+[^\Wsu]s\s(?!(?:is|are|was|were|can|will|may|must|should|that|which|of)\s)/u;

/** The part of a page called `kilnd` that begins with "**kilnd** is a daemon …". Names of programs are in lower case and have no article. */
function partOfTitle(document: MarkdownDocument, title: string, line: number): Definition | undefined {
  if (title.split(' ').length > 3 || !/^\p{Ll}/u.test(title) || !isTelling(title)) return undefined;
  const prose = firstProseOf(document.sections.slice(0, 2));
  if (prose === undefined || !isSaidToBe(prose.text, title)) return undefined;
  return {
    key: conceptKeyOf(title),
    label: title,
    type: 'Concept',
    line,
    confidence: 0.6,
    description: prose.text,
  };
}

/** Whether a text begins with `name is a …`. */
function isSaidToBe(text: string, name: string): boolean {
  const words = text.trim().split(/\s+/, name.split(' ').length + 2);
  const [verb = '', article = ''] = words.splice(name.split(' ').length);
  return (
    /^(?:is|are)$/.test(verb) &&
    /^(?:an?|the|one)$/.test(article) &&
    foldName(words.join(' ')) === foldName(name)
  );
}

/** Whether a text begins with a name that does something, or is something. */
function opensWith(text: string, name: string): boolean {
  const opening =
    /^\s*(?:(?:an?|the|each|every)\s+)(?:(?:optional|new|main|central)\s+)?([\p{L}\p{N}-]+(?:\s[\p{L}\p{N}-]+){0,5})/iu.exec(
      text.slice(0, 120),
    )?.[1];
  if (opening === undefined) return false;
  const words = opening.split(' ');
  const length = name.split(' ').length;
  if (foldName(words.slice(0, length).join(' ')) !== foldName(name)) return false;
  const [next = '', behind = ''] = words.slice(length).filter((word) => !KIND_WORD.test(word));
  if (/^(?:is|are|can|will|may|has|have|acts?)$/.test(next)) return true;
  return /[^s]s$/.test(next) && !/^(?:is|are|was|were|can|must|of|for)$/.test(behind);
}

const KIND_WORD = new RegExp(`^(?:${KIND_OF_PART})$`, 'i');

/** Words behind a name in bold by which the text says what it is. */
const SAID_OF = new RegExp(
  `^["'”’)]*(?:\\s+(?:${KIND_OF_PART}))?\\s+(?:is|are)\\s+(?:an?\\s|the\\s|responsible\\b|in charge\\b)`,
  'i',
);

/** A part in bold: `The **distributor** service is responsible for …`, `an adapter called **row shipper**`. */
function partInBold(text: RichText): Definition | undefined {
  for (const mark of text.marks) {
    if (mark.kind !== 'strong') continue;
    const label = bareName(textOf(text, mark).trim());
    if (label.split(' ').length > 3 || !isTelling(label) || isQualifier(label) || /[.:&/]/.test(label))
      continue;
    const before = text.text.slice(Math.max(0, mark.start - 40), mark.start);
    const isSubject =
      /(?:^|[.!?]\s)\s*(?:an?|the|each|every)\s+$/i.test(before) &&
      SAID_OF.test(text.text.slice(mark.end, mark.end + 60));
    const isGiven = /\b(?:an?|the)\s+\p{Ll}+\s+(?:called|named)\s+(?:the\s+)?$/iu.test(before);
    if (isSubject || isGiven) return definitionOf(label, text, mark.start);
  }
  return undefined;
}

/** A part with a second name: `The \`kiln rows\` command (also known as "Row Loader") …` */
function partByOtherName(text: RichText): Definition | undefined {
  const match =
    /\((?:also\s+(?:known\s+as|called)|aka|a\.k\.a\.)\s+(?:the\s+)?["“*]?(\p{Lu}[\p{L}\p{N}-]+(?:\s\p{Lu}[\p{L}\p{N}-]+){0,2})["”*]?\)/u.exec(
      text.text,
    );
  const label = match?.[1];
  return match === null || label === undefined || !isTelling(label)
    ? undefined
    : definitionOf(label, text, match.index);
}

/** Whether the text above a list says that its items are parts: `Thanos is comprised of these components:`. */
function isListOfParts(lead: string): boolean {
  return (
    /\b(?:components|services|microservices|modules|daemons|processes|subsystems|building blocks|main parts)\b/i.test(
      lead.slice(-200),
    ) && !/\b(?:you|your|must|should)\b/i.test(lead.slice(-200))
  );
}

/** The part of an item: `Row store: keeps rows`, `**Relay** - a proxy that …`. */
function partOfItem({ text, place }: Paragraph): Definition | undefined {
  if (place?.opens !== true) return undefined;
  const match =
    /^([\p{L}\p{N}][\p{L}\p{N} -]{1,40}?)(?:\/[\p{L} ]{1,20}|\s\([^()]{1,30}\))?(?::|\s[-–—])\s+(\p{L}+)(?!\s+of\b)/u.exec(
      text.text.slice(0, 120),
    );
  const [, name = '', next = ''] = match ?? [];
  if (!isNominal(name) || !isTelling(name) || name.split(' ').length > 3) return undefined;
  if (/(?:ing|[ts]ion|updates?)$/i.test(name)) return undefined;
  if (!/[^s]s$|^(?:[Aa]n?|the)$/.test(next) || /^(?:this|its|yes)$/i.test(next)) return undefined;
  return definitionOf(name, text, 0);
}
