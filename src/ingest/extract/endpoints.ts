/**
 * Finds where a document names endpoints: headings, prose, code spans, fences, tables (a method column beside a path column,
 * or both in one cell), elements such as `<Route method="GET">/path</Route>`, `URL:` and `Method:` lines, and front matter.
 * An endpoint that a section is about (its heading, its route, a line of its own) is declared there, and becomes the
 * subject of what the section says. Any other is mentioned. Long because each way of naming one has its reader here.
 */
import type { NodeKey } from '../../core/graph-model.ts';
import type { Block, Code, MarkdownDocument, Paragraph, Section, Table } from '../markdown/document.ts';
import { lineAt, type Mark, type RichText, textOf } from '../markdown/rich-text.ts';
import { bareRequestsOf } from './bare-requests.ts';
import { isCallOf, withoutBasePath } from './called-paths.ts';
import { findCodeEndpoints } from './endpoint-code.ts';
import {
  type Endpoint,
  findEndpoints,
  findRequestPhrases,
  isMethods,
  isPath,
  pairEndpoints,
} from './endpoint-text.ts';
import {
  findHeadingOperation,
  findNamedOperations,
  findOperations,
  findTableOperations,
  type Operation,
  speaksOfGraphql,
} from './graphql-operations.ts';
import { isHeadedCall } from './segments.ts';
import { findShellCalls, type ShellCall } from './shell-commands.ts';

/**
 * The role of an endpoint where it is named: the `subject` of what the section says, `listed` in a table of endpoints, or
 * only `mentioned`.
 */
export type EndpointRole = 'subject' | 'listed' | 'mentioned';

export interface EndpointMention extends Endpoint {
  readonly line: number;
  readonly confidence: number;
  readonly section: Section;
  readonly role: EndpointRole;
}

export interface DocumentEndpoints {
  /** In document order. */
  readonly mentions: readonly EndpointMention[];
  /** Calls whose method is only implied. They refer to an endpoint that another place may declare. */
  readonly calls: readonly EndpointMention[];
  /** The types that operations of GraphQL return. */
  readonly results: readonly OperationResult[];
  /** Whether the document speaks of GraphQL, so that its queries and mutations are operations. */
  readonly speaksOfGraphql: boolean;
}

export interface OperationResult {
  readonly key: NodeKey;
  readonly type: string;
  readonly line: number;
}

const CONFIDENCE: Readonly<Record<EndpointRole, number>> = { subject: 0.95, listed: 0.95, mentioned: 0.8 };
/** The confidence of `a POST request to /path`. */
const PHRASED = 0.7;

const SHELL_LANGUAGES: ReadonlySet<string> = new Set(
  ' text txt plaintext curl sh bash shell console zsh shell-session'.split(' '),
);

/** A call of curl in code of another language: fences are often marked with the language of the answer below the call, and scripts hold commands. */
const CALL = /^[$ \t]*curl\s|(?<![\w./-])curl\s(?:[^\n]{0,300}\s)?(?:-X\s?|--request[ =])["']?[A-Z]/m;

export function findDocumentEndpoints(document: MarkdownDocument): DocumentEndpoints {
  const finder = new EndpointFinder(speaksOfGraphql(document));
  finder.readFrontMatter(document);
  for (const section of document.sections) finder.readSection(section);
  finder.settleCalls();
  return finder;
}

class EndpointFinder implements DocumentEndpoints {
  readonly mentions: EndpointMention[] = [];
  readonly calls: EndpointMention[] = [];
  readonly results: OperationResult[] = [];
  readonly speaksOfGraphql: boolean;
  readonly #seen = new Set<string>();
  readonly #shellCalls: (ShellCall & { readonly section: Section; readonly line: number })[] = [];

  constructor(speaksOfGraphql: boolean) {
    this.speaksOfGraphql = speaksOfGraphql;
  }

  /** Reads Mintlify's `openapi: post /x` and `api: GET https://host/x`, and `method:` beside `path:`. */
  readFrontMatter({ frontMatter, sections }: MarkdownDocument): void {
    const [section] = sections;
    if (section === undefined) return;
    const { data, keyLines } = frontMatter;
    const add = (endpoints: readonly Endpoint[], key: string) => {
      for (const endpoint of endpoints) this.#add(endpoint, section, keyLines.get(key) ?? 1, 'subject');
    };
    for (const key of ['openapi', 'api', 'endpoint', 'route']) {
      const value = data.get(key);
      if (typeof value !== 'string') continue;
      add(findEndpoints(value.replace(/\b[a-z]+(?=\s+\S*\/)/, (word) => word.toUpperCase())), key);
    }
    add(pairIn(data), 'method');
    for (const [key, value] of data) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
      add(pairIn(new Map(Object.entries(value))), key);
    }
  }

  readSection(section: Section): void {
    this.#readText(section.heading, section, 'subject');
    const headed = this.speaksOfGraphql ? findHeadingOperation(section) : undefined;
    if (headed !== undefined) this.#addOperation(headed, section, 'subject');
    for (const block of section.blocks) this.#readBlock(block, section);
    this.#readLabelledLines(section);
  }

  #readBlock(block: Block, section: Section): void {
    if (block.kind === 'paragraph') this.#readParagraph(block, section);
    else if (block.kind === 'code') this.#readCode(block, section);
    else this.#readTable(block, section);
  }

  #addOperation(operation: Operation, section: Section, role: EndpointRole): void {
    const { line, returns } = operation;
    this.#add(operation, section, line, role);
    if (returns !== undefined) this.results.push({ key: operation.key, type: returns, line });
  }

  #readParagraph({ text }: Paragraph, section: Section): void {
    for (const mark of text.marks) {
      if (mark.kind !== 'tag') continue;
      this.#readElement(text, mark, section);
      this.#readBadge(text, mark, section);
      this.#readCaption(text, mark, section);
    }
    for (const { operation } of this.speaksOfGraphql ? findNamedOperations(text) : [])
      this.#addOperation(operation, section, 'mentioned');
    this.#readText(text, section, 'subject');
  }

  /** Reads `<Route method="GET">/path</Route>` and `<Endpoint method="get" path="/path" />`. */
  #readElement(text: RichText, mark: Mark, section: Section): void {
    const method = mark.attributes.get('method') ?? mark.attributes.get('verb');
    if (method === undefined || !isMethods(method.toUpperCase())) return;
    const { attributes } = mark;
    const inAttribute = attributes.get('path') ?? attributes.get('url') ?? attributes.get('endpoint');
    for (const endpoint of pairEndpoints(method, inAttribute ?? textOf(text, mark))) {
      this.#add(endpoint, section, lineAt(text, mark.start), 'subject');
    }
  }

  /** Reads `<span class="method">GET</span><span>POST</span>/path`, where nothing but the elements parts methods and path. */
  #readBadge(text: RichText, mark: Mark, section: Section): void {
    const method = textOf(text, mark);
    if (!/^[A-Z]{3,7}$/.test(method) || !isMethods(method)) return;
    const behind = text.text.slice(mark.end, mark.end + 500);
    const others = /^(?:\s?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS))*\s?(?=\/)/.exec(behind)?.[0];
    if (others === undefined || (others === ' ' && text.text.charAt(mark.end) === ' ')) return;
    for (const endpoint of pairEndpoints(method, behind.slice(others.length)))
      this.#add(endpoint, section, lineAt(text, mark.start), 'mentioned');
  }

  /** Reads `<Card title="GET /v1/users">` and `{{< page-relref caption="POST /oauth/token" >}}`. */
  #readCaption(text: RichText, { attributes, start }: Mark, section: Section): void {
    for (const name of ['title', 'caption', 'label']) {
      const value = attributes.get(name) ?? '';
      const [place] = findEndpoints(value);
      if (place?.start === 0) this.#add(place, section, lineAt(text, start), 'mentioned');
    }
  }

  /** @param opening the role of an endpoint with which the text begins; in a heading, of any endpoint */
  #readText(text: RichText, section: Section, opening: EndpointRole): void {
    for (const place of findEndpoints(text.text)) {
      const opens = text === section.heading || opensText(text, place.start, place.end);
      this.#add(place, section, lineAt(text, place.start), opens ? opening : 'mentioned');
    }
    for (const { mark, endpoint } of bareRequestsOf(text)) {
      const opens = text === section.heading || opensText(text, mark.start, mark.end);
      this.#add(endpoint, section, lineAt(text, mark.start), opens ? opening : 'mentioned');
    }
    for (const place of findRequestPhrases(text.text)) {
      const inCode = text.marks.some(
        ({ kind, start, end }) => kind === 'code' && start <= place.start && end >= place.end,
      );
      if (inCode) this.#add(place, section, lineAt(text, place.start), 'mentioned', PHRASED);
    }
  }

  #readCode(code: Code, section: Section): void {
    for (const operation of findOperations(code)) {
      this.#addOperation(operation, section, operation.isTold ? 'listed' : 'mentioned');
    }
    if (SHELL_LANGUAGES.has(code.language) || CALL.test(code.content)) this.#readShell(code, section);
    for (const { line, opens, ...endpoint } of findCodeEndpoints(code)) {
      this.#add(endpoint, section, line, opens ? 'subject' : 'mentioned');
    }
  }

  #readShell(code: Code, section: Section): void {
    if (!/curl|^[ \t$]*https?\s/m.test(code.content)) return;
    for (const call of findShellCalls(code.content)) {
      this.#shellCalls.push({ ...call, section, line: code.line + call.line });
    }
  }

  /**
   * Finds the endpoints that the calls of shell code mean, once all others are known. A call means an endpoint with whose path its URL ends, since
   * a URL has a base path in front. A call that fits none of the document's endpoints adds one, but only if the call or the heading names the method.
   */
  settleCalls(): void {
    const known = [...this.mentions];
    for (const { section, line, explicit, downloads, ...call } of this.#shellCalls) {
      const variants = [call, ...withoutBasePath(call)];
      const meant = known.find((mention) => isCallOf(mention, call));
      if (meant === undefined && !downloads && isHeadedCall(section.title, call, explicit))
        this.#add(call, section, line, 'subject');
      else if (explicit) this.#add(meant ?? call, section, line, 'mentioned');
      for (const { key, label } of meant === undefined ? variants : [meant]) {
        this.calls.push({ key, label, section, line, confidence: CONFIDENCE.mentioned, role: 'mentioned' });
      }
    }
  }

  #readTable(table: Table, section: Section): void {
    for (const operation of findTableOperations(table, section, this.speaksOfGraphql))
      this.#addOperation(operation, section, 'listed');
    for (const { cells, line } of table.rows) {
      const methods = cells.find(({ text }) => isMethods(text) || isMethods(text.toUpperCase().trim()));
      const path = methods === undefined ? undefined : pathIn(cells, table);
      if (methods !== undefined && path !== undefined) {
        for (const endpoint of pairEndpoints(methods.text, path)) {
          this.#add(endpoint, section, line, 'listed');
        }
      } else for (const cell of cells) this.#readText(cell, section, 'listed');
    }
  }

  /** Reads `**URL**: /api/login` and `**Method**: POST` on lines of their own. */
  #readLabelledLines(section: Section): void {
    let method: string | undefined;
    let path: { text: string; line: number } | undefined;
    for (const block of section.blocks) {
      if (
        block.kind !== 'paragraph' ||
        !/\bmethod|\bverb|path|url|endpoint|route/i.test(block.text.text.slice(0, 400))
      )
        continue;
      for (const match of block.text.text.matchAll(LABELLED_LINE)) {
        const [, methodLabel, value = ''] = match;
        if (methodLabel !== undefined && isMethods(value)) method = value;
        else if (methodLabel === undefined && isPath(value)) {
          path = { text: value, line: lineAt(block.text, match.index) };
        }
      }
    }
    if (method === undefined || path === undefined) return;
    for (const endpoint of pairEndpoints(method, path.text))
      this.#add(endpoint, section, path.line, 'subject');
  }

  #add(
    endpoint: Endpoint,
    section: Section,
    line: number,
    role: EndpointRole,
    confidence = CONFIDENCE[role],
  ): void {
    const { key, label } = endpoint;
    const place = `${line} ${key}`;
    if (this.#seen.has(place)) return;
    this.#seen.add(place);
    this.mentions.push({ key, label, line, confidence, section, role });
  }
}

/** The cell of a row that holds a path, from its first slash on. */
function pathIn(cells: readonly RichText[], { header }: Table): string | undefined {
  const texts = cells.map(({ text }) => text.trim());
  const path = texts.find(isPath);
  if (path !== undefined) return path;
  const bare = texts.find((text, index) => isBarePath(header[index]?.text ?? '', text));
  return bare === undefined ? undefined : `/${bare}`;
}

/** The endpoint of `method:` beside `path:`. */
function pairIn(data: ReadonlyMap<string, unknown>): Endpoint[] {
  const method = data.get('method');
  const path = data.get('path') ?? data.get('url') ?? data.get('endpoint') ?? data.get('route');
  return typeof method === 'string' && typeof path === 'string' && isMethods(method.toUpperCase())
    ? pairEndpoints(method, path)
    : [];
}

/** Whether a cell in a column of paths is one without a leading slash: `api/v1/charges`. */
function isBarePath(header: string, text: string): boolean {
  return (
    /\b(?:urls?|uris?|paths?|endpoints?|routes?)\b/i.test(header) &&
    /^[\w-]+\/\S+$/.test(text) &&
    isPath(`/${text}`)
  );
}

const LABELLED_LINE =
  /(?<=^|[\n.]\s{0,3}|\s{2})(?:((?:HTTP\s)?(?:Method|Verb)s?)|(?:Request\s|API\s)?(?:URL|URI|Path|Endpoint|Route))\s?:\s{0,3}([^\s,]{1,300})/gi;

/** Whether a text consists of the endpoint, or begins with it like an item of a list of endpoints. */
function opensText(text: RichText, start: number, end: number): boolean {
  if (text.text.slice(0, start).trim() !== '') return false;
  const behind = text.text.slice(end);
  return /^\s*(?:HTTP\/[\d.]+)?\s*(?:$|[:—–-]|(?:will|with|takes|to|accepts)\b|\n|(?!(?:requests|calls|endpoints|methods|routes|is|was|has)\b)[a-z]+s\b)/.test(
    behind,
  );
}
