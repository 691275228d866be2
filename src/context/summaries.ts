/** Summaries of documents and folders, as markdown. They consist of the documents' own sentences, and say nothing else. */
import { basename } from 'node:path/posix';
import { compareTexts } from '../text/compare-texts.ts';
import { counted } from '../text/counted.ts';
import { printable, printableName } from '../text/printable.ts';
import { chooseAmong } from './extract.ts';
import { type Sentence, sentencesOf } from './sentences.ts';

export interface SummarizedDocument {
  /** The path relative to the docs root. */
  readonly path: string;
  readonly title: string;
}

/** The docs, as far as summaries need them. */
export interface SummarySources {
  /** All documents below a folder, in the order of their paths; '' is the docs root. */
  documentsWithin(folder: string): readonly SummarizedDocument[];
  /** Undefined if there is no such document. */
  document(path: string): SummarizedDocument | undefined;
  /** Undefined if it cannot be read any more. */
  textOf(path: string): string | undefined;
}

const OPENING_SENTENCES = 3;
const MAX_SECTIONS = 40;
const MAX_SENTENCES = 1500;
/** How many documents of a folder are read. The others are named without a sentence. */
const MAX_READ_DOCUMENTS = 100;
const MAX_NAMED_DOCUMENTS = 300;
const MAX_TITLES = 5;
const OPENING_FILE = /^(?:readme|index|_index|overview|introduction)\.\w+$/i;

/**
 * The summary of a document or a folder of the docs, or of both if a document has the name of a folder beside it.
 * @param path relative to the docs root, for a folder without the ending `.md`; '' is the root
 */
export function summaryOf(path: string, sources: SummarySources): string | undefined {
  const document = sources.document(path) ?? sources.document(`${path}.md`);
  const ofDocument = document && documentSummary(document, sources);
  const inFolder = sources.documentsWithin(path).filter((other) => other.path !== document?.path);
  const parts = [ofDocument, inFolder.length > 0 ? folderSummary(path, inFolder, sources) : undefined];
  const whole = parts.filter((part) => part !== undefined).join('\n');
  return whole === '' ? undefined : whole;
}

/** A few sentences that say what the document is about, then one for each section. */
function documentSummary(document: SummarizedDocument, sources: SummarySources): string | undefined {
  const text = sources.textOf(document.path);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const opening = inTextOrder(chooseAmong(limited(sentencesOf(text)), { limit: OPENING_SENTENCES }));
  const sections = sectionsOf(lines).slice(0, MAX_SECTIONS);
  return [
    `# ${printable(document.title)}`,
    `Summary of ${shown(document.path)}, ${counted(lines.length - (lines.at(-1) === '' ? 1 : 0), 'line')}.`,
    ...(opening.length > 0 ? [togetherText(opening)] : []),
    ...(sections.length > 1 ? [sections.map((section) => sectionLine(section, opening)).join('\n')] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

/** What the documents say together, then a sentence of each, and what the folders below contain. */
function folderSummary(
  folder: string,
  documents: readonly SummarizedDocument[],
  sources: SummarySources,
): string {
  const prefix = folder === '' ? '' : `${folder}/`;
  const direct = documents.filter(({ path }) => !path.slice(prefix.length).includes('/'));
  const told = direct.slice(0, MAX_READ_DOCUMENTS).map((document) => tellingOf(document, sources));
  const central = chooseAmong(
    told.flatMap(({ sentence }) => sentence ?? []),
    { limit: OPENING_SENTENCES },
  );
  const lines = [
    ...told.map(({ document, sentence }) => documentLine(document, sentence)),
    ...direct
      .slice(MAX_READ_DOCUMENTS, MAX_NAMED_DOCUMENTS)
      .map((document) => documentLine(document, undefined)),
  ];
  const more = direct.length - MAX_NAMED_DOCUMENTS;
  return [
    `# ${shown(prefix)}`,
    `Summary of ${counted(documents.length, 'document')}, ${direct.length} of them in this folder itself.`,
    ...(central.length > 0 ? [togetherText(central)] : []),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
    ...(more > 0 ? [`And ${counted(more, 'document')} more.`] : []),
    ...foldersBelow(prefix, documents, sources),
  ]
    .join('\n\n')
    .concat('\n');
}

function foldersBelow(
  prefix: string,
  documents: readonly SummarizedDocument[],
  sources: SummarySources,
): string[] {
  const folders = new Map<string, SummarizedDocument[]>();
  for (const document of documents) {
    const [name, ...rest] = document.path.slice(prefix.length).split('/');
    if (name === undefined || rest.length === 0) continue;
    const known = folders.get(name);
    if (known === undefined) folders.set(name, [document]);
    else known.push(document);
  }
  if (folders.size === 0) return [];
  const names = [...folders].sort(([a], [b]) => compareTexts(a, b)).slice(0, MAX_NAMED_DOCUMENTS);
  return [
    '## Folders',
    names.map(([name, within]) => folderLine(`${prefix}${name}/`, within, sources)).join('\n'),
  ];
}

/** The document that opens a folder says what it is about; otherwise the titles do. */
function folderLine(
  folder: string,
  documents: readonly SummarizedDocument[],
  sources: SummarySources,
): string {
  const opening = documents.find(
    ({ path }) => !path.slice(folder.length).includes('/') && OPENING_FILE.test(basename(path)),
  );
  const sentence = opening && tellingOf(opening, sources).sentence;
  const titles = documents.slice(0, MAX_TITLES).map(({ title }) => printable(title));
  const rest = documents.length > MAX_TITLES ? ', …' : '';
  return `- ${shown(folder)} (${documents.length}): ${sentence?.text ?? `${titles.join(', ')}${rest}`}`;
}

interface Telling {
  readonly document: SummarizedDocument;
  readonly sentence: Sentence | undefined;
}

/** The sentence that says most about the subject of a document. */
function tellingOf(document: SummarizedDocument, sources: SummarySources): Telling {
  const sentences = limited(sentencesOf(sources.textOf(document.path) ?? ''));
  return { document, sentence: chooseAmong(sentences, { limit: 1 })[0] };
}

/** A file name may contain line breaks, and nobody must take what follows for text of ours. */
function shown(path: string): string {
  return printableName(`docs/${path}`);
}

function documentLine({ path, title }: SummarizedDocument, sentence: Sentence | undefined): string {
  return `- ${printable(title)} (${shown(path)})${sentence === undefined ? '' : `: ${sentence.text}`}`;
}

interface Section {
  readonly title: string;
  /** The line of its heading, 1-based. */
  readonly line: number;
  readonly text: string;
}

/** Sections of all levels, each up to the next heading. */
function sectionsOf(lines: readonly string[]): Section[] {
  const headings: { readonly title: string; readonly line: number }[] = [];
  let isCode = false;
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) isCode = !isCode;
    const [, title] = isCode ? [] : (/^#{1,6}\s+(.*?)[\s#]*$/.exec(line) ?? []);
    if (title !== undefined && title !== '') headings.push({ title, line: index + 1 });
  }
  return headings.map(({ title, line }, index) => ({
    title,
    line,
    text: lines.slice(line, (headings[index + 1]?.line ?? lines.length + 1) - 1).join('\n'),
  }));
}

/** What was said above is not repeated. */
function sectionLine({ title, line, text }: Section, said: readonly Sentence[]): string {
  const sentences = limited(sentencesOf(text)).filter(
    (sentence) => !said.some((other) => other.text === sentence.text),
  );
  const [best] = chooseAmong(sentences, { limit: 1 });
  return `- ${title} (line ${line})${best === undefined ? '' : `: ${best.text}`}`;
}

/** An item of a list may have no full stop. */
function togetherText(sentences: readonly Sentence[]): string {
  return sentences.map(({ text }) => (/[\p{L}\p{N}`)\]"]$/u.test(text) ? `${text}.` : text)).join(' ');
}

function inTextOrder(sentences: readonly Sentence[]): Sentence[] {
  return [...sentences].sort((a, b) => a.line - b.line);
}

/** Limited, since each sentence is compared with each other one. */
function limited(sentences: readonly Sentence[]): readonly Sentence[] {
  return sentences.slice(0, MAX_SENTENCES);
}
