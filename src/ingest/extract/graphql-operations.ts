/**
 * Operations of a GraphQL API: what a schema, a reference table, a heading or an example of a request names. An operation is an endpoint whose method is
 * `query`, `mutation` or `subscription`.
 */

import { endpointKey } from '../../core/identity.ts';
import type { Code, MarkdownDocument, Section, Table } from '../markdown/document.ts';
import { lineAt, type Mark, type RichText, textOf } from '../markdown/rich-text.ts';
import type { Endpoint } from './endpoint-text.ts';

export interface Operation extends Endpoint {
  readonly line: number;
  /** The type that it returns: `Mug` of `[Mug!]!`; undefined for plain values, and where it is not told. */
  readonly returns: string | undefined;
  /** Whether it is told of here, as in a schema, and not only asked for. */
  readonly isTold: boolean;
}

type Kind = 'query' | 'mutation' | 'subscription';

const LANGUAGE = /^(?:graphqls?|gql)$/;
/** What follows in longer code is left out. */
const MAX_LENGTH = 100_000;
/** A text that nobody ends reaches to the end of its line, so that what follows is not looked through again from each quote. */
const TOKEN = /"""|"(?:[^"\\\n]|\\.)*"?|#.*|\$?[A-Za-z_]\w*|[^\s\w]|\d+/g;
const SCALARS = /^(?:string|int|float|boolean|id|json|date|time|datetime|void)$/i;

/** Whether a document speaks of GraphQL. In others, what is below "Queries" is of a database, of a URL or of a store. */
export function speaksOfGraphql({ path, sections }: MarkdownDocument): boolean {
  const speaks = (text: string) => /graphql/i.test(text);
  return (
    speaks(path) ||
    sections.some(
      ({ title, blocks }) =>
        speaks(title) ||
        blocks.some((block) =>
          block.kind === 'code' ? isGraphql(block) : block.kind === 'paragraph' && speaks(block.text.text),
        ),
    )
  );
}

function isGraphql({ language }: Code): boolean {
  return LANGUAGE.test(language);
}

/** The operations of a fence: fields of `type Query { … }`, and those that a request asks for: `mutation { createMug(…) { … } }`. */
export function findOperations(code: Code): Operation[] {
  return isGraphql(code) ? new OperationReader(code).read() : [];
}

interface Token {
  readonly text: string;
  readonly start: number;
}

/** Reads the tokens once, and stops at nothing: whatever does not belong to an operation is skipped. */
class OperationReader {
  readonly #tokens: Token[];
  readonly #content: string;
  readonly #line: number;
  readonly #found: Operation[] = [];
  #at = 0;
  #counted = 0;
  #lines = 0;

  constructor({ content, line }: Code) {
    this.#content = content.slice(0, MAX_LENGTH);
    this.#line = line;
    this.#tokens = tokensOf(this.#content);
  }

  read(): Operation[] {
    let before = '}';
    while (this.#at < this.#tokens.length) {
      const word = this.#take();
      if (word === 'type') this.#readType();
      else if (isKind(word)) this.#readRequest(word);
      else if (word === '{' && before === '}') this.#readFields('query', false);
      else if (word === '{') this.#skipGroup();
      before = word === '{' || word === 'type' || isKind(word) ? '}' : word;
    }
    return this.#found;
  }

  #take(): string {
    const text = this.#tokens[this.#at]?.text ?? '';
    this.#at += 1;
    return text;
  }

  #peek(): string {
    return this.#tokens[this.#at]?.text ?? '';
  }

  #readType(): void {
    const kind = this.#take().toLowerCase();
    if (!this.#skipTo('{')) return;
    if (isKind(kind)) this.#readFields(kind, true);
    else this.#skipGroup();
  }

  #readRequest(kind: Kind): void {
    if (this.#skipTo('{')) this.#readFields(kind, false);
  }

  /** Moves behind the next opening bracket of this kind. Variables and arguments before it are skipped. */
  #skipTo(bracket: string): boolean {
    while (this.#at < this.#tokens.length) {
      const text = this.#take();
      if (text === bracket) return true;
      if (text === '(') this.#skipGroup();
    }
    return false;
  }

  /** Moves behind the bracket that closes the one that was just read. */
  #skipGroup(): void {
    for (let depth = 1; depth > 0 && this.#at < this.#tokens.length; ) {
      const text = this.#take();
      if ('({['.includes(text)) depth += 1;
      else if (')}]'.includes(text)) depth -= 1;
    }
  }

  /** Reads the fields of a root: each of them is an operation. */
  #readFields(kind: Kind, isSchema: boolean): void {
    while (this.#at < this.#tokens.length && this.#peek() !== '}') {
      const place = this.#tokens[this.#at]?.start ?? 0;
      const name = this.#take();
      if (name === '(' || name === '{' || name === '[') this.#skipGroup();
      if (name === '@') this.#at += 1;
      if (!/^[A-Za-z_]\w*$/.test(name) || name.startsWith('__')) continue;
      if (isSchema) this.#add(kind, name, place, { returns: this.#readResult(), isTold: true });
      // Behind a colon stands the field, and before it what the answer calls it.
      else if (this.#peek() !== ':') this.#addAsked(kind, name, place);
    }
    this.#at += 1;
  }

  /** Reads `(first: Int): [Mug!]!`. */
  #readResult(): string | undefined {
    if (this.#peek() === '(') {
      this.#at += 1;
      this.#skipGroup();
    }
    if (this.#peek() !== ':') return undefined;
    this.#at += 1;
    while (this.#peek() === '[') this.#at += 1;
    return typeNamed(this.#take());
  }

  #addAsked(kind: Kind, name: string, place: number): void {
    const isCalled = this.#peek() === '(' || this.#peek() === '{';
    if (this.#peek() === '(') {
      this.#at += 1;
      this.#skipGroup();
    }
    if (this.#peek() === '{') {
      this.#at += 1;
      this.#skipGroup();
    }
    if (isCalled) this.#add(kind, name, place, { returns: undefined, isTold: false });
  }

  #add(kind: Kind, name: string, place: number, told: Pick<Operation, 'returns' | 'isTold'>): void {
    for (; this.#counted < place; this.#counted += 1)
      if (this.#content[this.#counted] === '\n') this.#lines += 1;
    this.#found.push({ ...operation(kind, name), line: this.#line + this.#lines, ...told });
  }
}

/** The tokens without comments, texts and descriptions. */
function tokensOf(content: string): Token[] {
  const tokens: Token[] = [];
  let inDescription = false;
  for (const { 0: text, index } of content.matchAll(TOKEN)) {
    if (text === '"""') inDescription = !inDescription;
    else if (!inDescription && !/^["#,!]/.test(text)) tokens.push({ text, start: index });
  }
  return tokens;
}

function isKind(text: string): text is Kind {
  return text === 'query' || text === 'mutation' || text === 'subscription';
}

/** The endpoint of an operation: `mutation createMug`. */
function operation(kind: Kind, name: string): Endpoint {
  return { key: endpointKey(kind, name), label: `${kind} ${name}` };
}

/** `Mug` of `[Mug!]!` and of `MugConnection`, by which a list is given in pages; undefined for plain values. */
function typeNamed(text: string): string | undefined {
  const name = text.trim().replace(/^\[+\s?|[\]!]+$/g, '');
  if (!/^[A-Z]\w{1,60}$/.test(name) || SCALARS.test(name)) return undefined;
  return name.replace(/(?<=[a-z])Connection$/, '');
}

const OF_OPERATIONS =
  /^(?:root\s+|graphql\s+|available\s+|supported\s+)*(quer(?:y|ies)|mutations?|subscriptions?)(?:\s+(?:type|fields|operations|reference|root|list))?$/i;

/** The kind of the operations that a section lists: `Mutations`, `Root Query`. */
function kindOfSection(section: Section | undefined): Kind | undefined {
  const word = OF_OPERATIONS.exec(section?.title ?? '')?.[1]?.toLowerCase() ?? '';
  if (word.startsWith('quer')) return 'query';
  return word === '' ? undefined : word.startsWith('mut') ? 'mutation' : 'subscription';
}

/** A heading that nothing but GraphQL has. */
const ROOT = /^root\s/i;
const OPERATION_COLUMN = /^(?:fields?|names?|operations?|quer(?:y|ies)|mutations?|subscriptions?)$/i;
const TYPE_COLUMN = /^(?:types?|returns?|return\s+types?|returned\s+types?|response)$/i;

/**
 * The operations of a reference table below `Queries`, with a column of types. The arguments of each may stand in rows of their own, and are not set off.
 * @param isGraphql whether the document speaks of it
 */
export function findTableOperations(
  { header, rows }: Table,
  section: Section,
  isGraphql: boolean,
): Operation[] {
  const kind = kindOfSection(section);
  if (!isGraphql && !ROOT.test(section.title)) return [];
  if (kind === undefined || !OPERATION_COLUMN.test(header[0]?.text.trim() ?? '')) return [];
  if (!header.some(({ text }) => TYPE_COLUMN.test(text.trim()))) return [];
  return rows.flatMap(({ cells, line }) => {
    const name = cells[0] === undefined ? undefined : nameSetOff(cells[0]);
    if (name === undefined) return [];
    // Where a name is as wide as two columns, its row has a cell fewer than the header.
    const type = cells.slice(1).find(({ text }) => text.trim() !== '');
    const told = { returns: typeNamed(type?.text ?? ''), isTold: true };
    return [{ ...operation(kind, name), line, ...told }];
  });
}

/** A name in bold, in code or as a link that is all of a text. */
function nameSetOff(text: RichText): string | undefined {
  const shown = text.text.trim();
  const isSetOff = text.marks.some(
    (mark) =>
      (mark.kind === 'strong' || mark.kind === 'code' || mark.kind === 'link') &&
      textOf(text, mark).trim() === shown,
  );
  return isSetOff && /^[A-Za-z_]\w{1,80}$/.test(shown) ? shown : undefined;
}

/** The operation that a heading names below `Mutations`, in code or in camelCase: `### createMug`. */
export function findHeadingOperation({ title, heading, parent, line }: Section): Operation | undefined {
  const kind = kindOfSection(parent);
  if (kind === undefined) return undefined;
  const name = /^[a-z]+(?:[A-Z]\w*)+$/.test(title) ? title : nameSetOff(heading);
  return name === undefined
    ? undefined
    : { ...operation(kind, name), line, returns: undefined, isTold: true };
}

/** `the \`createMug\` mutation`, `the \`mugs\` GraphQL query`. */
const CALLED = /^\s+(?:(?:GraphQL)\s+(query|mutation|subscription)|(mutation))\b/;

/** The operations that a text calls so, and what marks their names. */
export function findNamedOperations(
  text: RichText,
): { readonly mark: Mark; readonly operation: Operation }[] {
  if (!/mutation|GraphQL/.test(text.text)) return [];
  return text.marks.flatMap((mark) => {
    if (mark.kind !== 'code') return [];
    const name = textOf(text, mark).trim();
    const called = CALLED.exec(text.text.slice(mark.end, mark.end + 30));
    const kind = called?.[1] ?? called?.[2] ?? '';
    if (!isKind(kind) || !/^[A-Za-z_]\w{1,80}$/.test(name)) return [];
    const told = { line: lineAt(text, mark.start), returns: undefined, isTold: false };
    return [{ mark, operation: { ...operation(kind, name), ...told } }];
  });
}

/** Whether an endpoint is an operation of GraphQL. */
export function isOperation(label: string): boolean {
  return /^(?:query|mutation|subscription) /.test(label);
}

/** Whether an endpoint only reads. */
export function onlyReads(label: string): boolean {
  return /^(?:GET|HEAD|query|subscription) /.test(label);
}
