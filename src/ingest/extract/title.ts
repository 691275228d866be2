/** Reads headings: the title of a document, the action that a heading describes, and the thing that it is about. */

import { withoutMarkdownEnding } from '../../core/markdown-ending.ts';
import { foldSpace } from '../../text/fold-space.ts';
import type { Block, MarkdownDocument, Section } from '../markdown/document.ts';
import type { FrontMatter } from '../markdown/front-matter.ts';
import { shorten } from '../markdown/rich-text.ts';
import { withoutBrackets, withoutBracketsAtEnd } from './brackets.ts';
import { Memo } from './memo.ts';
import { bareName, isCapitalised, isName, isQualifier, isVerb } from './names.ts';

/**
 * The title of a document: front matter's title; otherwise the heading of level 1 that begins the text; otherwise front matter's name, as catalogs have it;
 * otherwise the file's name. A heading below prose is one of several sections of a page, which its file names.
 */
export function titleOf({ path, frontMatter, sections }: MarkdownDocument): { title: string; line: number } {
  const title = givenIn(frontMatter, 'title');
  if (title !== undefined) return title;
  const [top, first, next] = sections;
  const heading = isBanner(path, first, next) ? next : first;
  const opens = top === undefined || !top.blocks.some(isProse);
  if (opens && heading?.level === 1 && heading.title !== '' && !isExpression(heading.title)) {
    return { title: shorten(heading.title, 200), line: heading.line };
  }
  return nameIn(frontMatter) ?? { title: nameOfFile(path), line: 1 };
}

/** Whether front matter names a document as catalogs do it, by a name and no title. */
export function isInCatalog({ frontMatter }: MarkdownDocument): boolean {
  return !frontMatter.data.has('title') && nameIn(frontMatter) !== undefined;
}

/** Whether a document is an entry of a catalog: its title is the name that front matter gives to what it describes. */
export function isEntry(document: MarkdownDocument, title: string): boolean {
  if (!isInCatalog(document) || nameIn(document.frontMatter)?.title !== title || !isName(title)) return false;
  // `Create Order` is a name, `Merge all shops` is what somebody decided.
  return isNominal(title) || title.split(' ').every((word) => word.length < 4 || isCapitalised(word));
}

/** The name in front matter; undefined for the path of a library or package. */
function nameIn(frontMatter: FrontMatter): { title: string; line: number } | undefined {
  const name = givenIn(frontMatter, 'name');
  return name === undefined || /[/\\]/.test(name.title) ? undefined : name;
}

/** The title in a key of front matter; undefined if there is none. */
function givenIn(
  { data, keyLines }: FrontMatter,
  key: 'title' | 'name',
): { title: string; line: number } | undefined {
  const given = data.get(key);
  if ((typeof given !== 'string' && typeof given !== 'number') || foldSpace(String(given)) === '')
    return undefined;
  return { title: shorten(String(given), 200), line: keyLines.get(key) ?? 1 };
}

/** Whether a title is an expression of an MDX page, `{metadata.title}`, whose value is not in the text. */
function isExpression(title: string): boolean {
  return /^\{[^{}]*\}$/.test(title);
}

/**
 * Whether the first heading is a banner, such as `<h1 align="center">Kiln</h1>` right above another heading: all pages of a project may begin with its name. A
 * readme is about the project.
 */
function isBanner(path: string, heading: Section | undefined, next: Section | undefined): boolean {
  if (heading?.isElement !== true || next === undefined || /(?:^|\/)readme\.\w+$/i.test(path)) return false;
  return heading.level === 1 && !heading.blocks.some(saysSomething);
}

function saysSomething(block: Block): boolean {
  return block.kind !== 'paragraph' || /[\p{L}\p{N}]/u.test(block.text.text);
}

/** Whether a block is prose. Badges, images and tags above a title are not. */
function isProse(block: Block): boolean {
  return block.kind === 'paragraph' && (block.text.text.slice(0, 400).match(/\p{L}{2,}/gu)?.length ?? 0) > 2;
}

/** The name that a file gives: `docs/Space Lua.md` is `Space Lua`. An index, a readme and a page of a folder's route are called after the folder. */
function nameOfFile(path: string): string {
  const parts = path.split('/');
  const file = parts.pop() ?? path;
  const name = withoutMarkdownEnding(file);
  return /^_?index$|^readme$/i.test(name) || /^\+?page\.mdx$/.test(file) ? (parts.pop() ?? name) : name;
}

/** Whether the document is a history of changes, so that its bold words and headings are news and no terms. */
export function isHistory(path: string, title: string): boolean {
  return (
    /(?:^|\/)(?:change[-_ ]?log|changes|history|release[-_ ]?notes?|news|releases?)(?:[./-]|$)/i.test(path) ||
    /^(?:change ?log|release notes?|what['’]s new|history)\b/i.test(title)
  );
}

/** An action on a thing, as headings of endpoints name it: `Create a Charge`, `List all customers`. */
export interface Action {
  readonly verb: string;
  /** The thing, as it is written but without articles. */
  readonly object: string;
  /** The same, with the word for its kind: `zone records`. */
  readonly phrase: string;
}

/** Verbs of headings whose operation returns the thing that they name. */
const FETCHES = /^(?:get|list|retrieve|fetch|download|show|view|read|find|search|query|lookup)$/;

/** Whether an action's operation returns its object. */
export function isFetch({ verb }: Action): boolean {
  return FETCHES.test(verb);
}

/** The action of a heading; undefined if it names none. */
export function actionOf(heading: string): Action | undefined {
  return actions.get(heading);
}

const actions = new Memo(readAction);

/** Words by which one gets a thing itself: `Get information about a kiln`, `Retrieve the details of a kiln`. */
const ALL_ABOUT =
  /^(get|retrieve|fetch|show|view|read|find)\s+(?:the\s+|all\s+)?(?:information|info|details|data)\s+(?:about|on|of|for)\s+(?=\S)/i;

function readAction(heading: string): Action | undefined {
  const words = foldSpace(withoutBrackets(heading.replace(/[`*_]/g, '')))
    .replace(ALL_ABOUT, '$1 ')
    .replace(/\s+API\s+(?:reference|endpoint)$/i, '')
    .split(' ');
  const [first = '', ...rest] = words;
  const verb = first.split('/')[0] ?? '';
  if (!isVerb(verb) || rest.length === 0) return undefined;
  const object: string[] = [];
  for (const word of rest) {
    if (object.length > 0 && /^of$/i.test(word)) return undefined;
    if (object.length > 0 && /^(?:and|or|&)$/i.test(word) && isModifier(object, rest)) return undefined;
    if (object.length > 0 && PREPOSITION.test(word)) break;
    if (object.length === 0 && /^(?:on|in|at|without|within|as|via)$/i.test(word)) return undefined;
    if (object.length === 0 && (isQualifier(word) || PARTICLE.test(word))) continue;
    object.push(word);
  }
  const phrase = object.join(' ');
  const name = bareName(phrase);
  return isName(name) && name.split(' ').length <= 5
    ? { verb: verb.toLowerCase(), object: name, phrase }
    : undefined;
}

/** Whether the first of two names only modifies the second: `Find the Team and Channel IDs`. */
function isModifier(object: readonly string[], words: readonly string[]): boolean {
  const last = object.at(-1) ?? '';
  const [next = '', ...others] = words.slice(words.indexOf(last) + 2);
  return !/s$/i.test(last) && others.length > 0 && !isQualifier(next) && !PREPOSITION.test(others[0] ?? '');
}

const PREPOSITION =
  /^(?:from|by|for|to|in|on|of|with|without|at|as|via|and|or|using|into|under|between|through|within|per|about|against|when|that|&|-|–|—|\/)$/i;
const PARTICLE = /^(?:or|and|up|out|in|off|by|for|from|to|of|with|down|back|into)$/i;

/** Words before "objects" by which a heading groups them. */
const GROUPING =
  /^(?:core|main|key|common|basic|other|all|available|shared|nested|related|domain|additional|supported|data|base|api|web|rest|json|graph|public|private|admin|internal|external|response|request|error response|database|human|static|global|native|standard|custom|special|sub|threat|security|domain|permissions?|programming|pricing|deployment|memory|type|event|trust|concurrency|execution|threading|component|content|branching|business|mental|service|cost|language|conceptual|consistency|process|access control|authorization)$/i;

/** A heading such as `Entity: Charge`. */
const OBJECT_HEADING = /^(?:(?:data|domain|api) )?(?:entity|model|resource|table|object|schema):\s+(.+)$/i;

/** Whether a heading explicitly names an object. */
export function saysObject(heading: string): boolean {
  return (
    OBJECT_HEADING.test(heading) ||
    /(?:object|resource|entity|model|schema)s?$/i.test(
      heading.endsWith(')') ? withoutBracketsAtEnd(heading) : heading,
    )
  );
}

/** The thing that a heading explicitly names as an object: `Charge object`, `Entity: Charge`, `Channels Resource`, `The Invoice model`. */
export function objectOf(heading: string): string | undefined {
  return objects.get(heading);
}

const objects = new Memo(readObject);

function readObject(heading: string): string | undefined {
  const text = foldSpace(withoutBracketsAtEnd(heading.replace(/[`*_]/g, '')));
  const given = OBJECT_HEADING.exec(text)?.[1];
  if (given !== undefined) return isName(given) && isNominal(given) ? given : undefined;
  const match =
    /^(?:the\s+|an?\s+|about\s+(?:the\s+)?)?(.{2,60}?)\s+(?:object|resource|entity|(?:data\s+)?model|schema)$/i.exec(
      text,
    );
  const name = match?.[1] === undefined ? undefined : bareName(match[1]);
  if (name === undefined || !isName(name) || name.split(' ').length > 4) return undefined;
  if (isVerb(name.split(' ')[0] ?? '') && name.includes(' ')) return undefined;
  return isThing(name) && !isParticiple(name) ? name : undefined;
}

/** Words that say which or what kind, and name nothing: `Target model`, `Fine-grained permissions for any object`. */
const KIND =
  /^(?:(?:example|sample|partial|minimal|custom|advanced|different)\b|(?:own|main|embedded|versioned|distributed|hybrid|target|hardware|old|legacy|logical|physical|relational|underlying|unified|simple|flexible|semantic|full|document-oriented|in-memory)$)|\b(?:custom|mental|previous|current|active|legal|specific|async|any|json|xml|yaml|\w+-(?:compatible|based|encoded|only|like|style))$/i;
/** Words that make a text more than a name: `Comparison with previous model`, `Ory's security model`, `Extending your model`. */
const PHRASE =
  /(?:['’]s?)(?:\s|$)|(?:^|\s)(?:(?:an?|the|of|in|on|for|from|with|to|by|and|or|&)\s|your\s|(?:my|our|your|their|its|this|that|each|every)$)/i;
const DOING =
  /^(?:configur|creat|defin|delet|describ|implement|manag|obtain|overrid|register|remov|request|retriev|updat|us)ing\s/i;

/** Whether a word only says which one is meant: `Used resource`, `Updated entity`. */
function isParticiple(name: string): boolean {
  return /^[a-z]+ed$/i.test(name) && (isVerb(name.slice(0, -1)) || isVerb(name.slice(0, -2)));
}

/** Whether a heading says what is done: `Creating payment objects`. */
export function isDoing(heading: string): boolean {
  return DOING.test(heading);
}

/** Whether a name before "object" or "resource" is that of a thing, and neither a kind of objects nor what is done with them. */
export function isThing(name: string): boolean {
  return !(GROUPING.test(name) || KIND.test(name) || PHRASE.test(name) || DOING.test(name));
}

/** The thing that the endpoints of a heading are about: `Customers API`, `bookmarks API methods`. */
export function groupOf(heading: string): string | undefined {
  const match =
    /^(?:the\s+)?(.{2,40}?)\s+(?:(?:REST\s+)?API(?:\s(?:methods|endpoints|reference))?|endpoints|methods)$/i.exec(
      heading,
    );
  const name = match?.[1] === undefined ? undefined : bareName(match[1]);
  if (name === undefined || !isName(name) || (isVerb(name) && name !== match?.[1])) return undefined;
  return name;
}

/** Whether a title is a name, and not a sentence, a question or an instruction: `Space Lua`, `Rate limits`. */
export function isNominal(title: string): boolean {
  const words = title.split(' ');
  const [first = ''] = words;
  if (!isName(title) || words.length > 4 || !isCapitalised(title) || /['’]s?$|\.\w{1,4}$/.test(title))
    return false;
  if (
    /\b(?:examples?|samples?|usage|notes?|parameters|responses?|requests?|steps|overview|details|payloads?)$/i.test(
      title,
    )
  )
    return false;
  if (words.length > 1 && (isVerb(first) || /ing$/i.test(first))) return false;
  // `Onboard a kiln` is an instruction, whatever its first word is.
  if (/^an?$/.test(words[1] ?? '')) return false;
  return (
    !/^(?:how|what|why|when|where|who|which|is|are|can|do|does|should|about|if|step|part|chapter|appendix|version|v?\d|the|my|your|our|in|on|for|with|from|to|at|by|after|before|all|more|getting|new|using)\b/i.test(
      title,
    ) && !/[?!&/_]|\b(?:your|you|my|me|vs\.?|and|or|with|for|from|to|of|in|on|based)\b/i.test(title)
  );
}

/** The name of a heading, without the article and the bracket: `The write-ahead log (WAL)`. */
export function nameOfHeading(heading: string): string {
  return heading.replace(/\s*\([^()]{1,30}\)$/, '').replace(/^(?:the|an?)\s+(?=\S)/i, '');
}

/** Words before "guide" that only say what kind of guide it is, or what is done with guides: `Quick reference`, `Style guide`, `Ordering guides`. */
const SAYING_WHICH_GUIDE =
  /^(?:quick|style|complete|full|short|brief|detailed|general|technical|high-level|practical|visual|creating|editing|managing|ordering|rendering|testing|using|writing)$/i;

/** The topic of a page by its title: `Components Overview` is about components. `Design Guidelines` has no one topic. */
export function topicOf(title: string): string | undefined {
  const topic = title
    .replace(/\s*\([^()]{1,30}\)(?=\s|$)/, '')
    .replace(/(?:\s+control plane)?\s+(?:service|process|component)\s+overview$/i, '')
    .replace(
      /\s+(?:overview|references?|guides?|documentation|docs|manual|basics|tutorial|walkthrough|introduction|in depth|explained)$/i,
      '',
    );
  if (
    /\b(?:guidelines|patterns|practices|guides|examples?|samples?|index|faqs?|library of|policy|policies|checklist|cheat ?sheet|tips|tricks|steps|instructions|details|questions|options|issues|errors?|limitations|differences)$/i.test(
      topic,
    )
  )
    return undefined;
  if (topic !== title && SAYING_WHICH_GUIDE.test(topic)) return undefined;
  return isNominal(topic) ? topic : undefined;
}
