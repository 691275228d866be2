/**
 * What a linter needs and markdown-it's tokens do not tell: where in its block a link begins, on which line a link is defined, and which references have no
 * definition.
 */
import type { Env, MarkdownIt, StateInline, Token } from 'markdown-it';
import { NextPlace } from './next-place.ts';

/** `[name]: target` */
export interface Definition {
  readonly label: string;
  readonly target: string;
  /** The line of the body, from 0. */
  readonly line: number;
}

/** `[text][name]` or `[name][]` if there is no definition of that name. */
export interface MissingReference {
  readonly name: string;
  /** The offset in the content of the block. */
  readonly start: number;
  /** Whether the second brackets begin another link: `[text][name](target)`. */
  readonly isBeforeLink: boolean;
}

/** `[text [[page]] text](target)`: a link in CommonMark, which has no wikilinks. Here, the page within is the link that is read. */
export interface OuterLink {
  readonly target: string;
  /** The offset in the content of the block. */
  readonly start: number;
}

export interface Places {
  /** The offset in its block's content at which a link, image, wikilink or tag begins. */
  readonly starts: ReadonlyMap<Token, number>;
  /** Each name once, from its first definition. */
  readonly definitions: readonly Definition[];
  /** By the inline tokens of the block that contains them. Outer links are stored in the same way. */
  readonly missing: ReadonlyMap<readonly Token[], readonly MissingReference[]>;
  readonly outer: ReadonlyMap<readonly Token[], readonly OuterLink[]>;
}

interface Notes extends Places {
  readonly starts: Map<Token, number>;
  readonly definitions: Definition[];
  readonly missing: Map<readonly Token[], MissingReference[]>;
  readonly outer: Map<readonly Token[], OuterLink[]>;
}

/** The notes about the document that is being parsed. Parsing is synchronous. */
let notes: Notes = emptyNotes();
let targets = new NextPlace('](');
let names = new NextPlace('][');

/** Runs a parser that {@link notePlaces} has prepared. */
export function parseWithPlaces(
  parser: MarkdownIt,
  source: string,
  env: Env,
): { tokens: Token[]; places: Places } {
  notes = emptyNotes();
  targets = new NextPlace('](');
  names = new NextPlace('][');
  const tokens = parser.parse(source, env);
  return { tokens, places: notes };
}

/** Makes a parser note places. */
export function notePlaces(parser: MarkdownIt): void {
  const { State } = parser.inline;
  parser.inline.State = class extends State {
    override push(...[type, tag, nesting]: Parameters<StateInline['push']>): Token {
      const token = super.push(type, tag, nesting);
      if (type === 'link_open') notes.starts.set(token, openingBracket(this));
      else if (type === 'image' || type === 'wikilink' || type === 'tag') notes.starts.set(token, this.pos);
      return token;
    }
  };
  parser.inline.ruler.after('link', 'missing_reference', missingReference);
  parser.core.ruler.before('strip_references', 'definitions', ({ tokens, env }) => {
    noteDefinitions(tokens, env);
  });
}

/** By then, the link rule has moved on to the label. An autolink begins at the present position. */
function openingBracket({ src, pos }: StateInline): number {
  return src.charAt(pos - 1) === '[' ? pos - 1 : pos;
}

function noteDefinitions(tokens: readonly Token[], { references = {} }: Env): void {
  const seen = new Set<string>();
  for (const token of tokens) {
    const label = token.type === 'reference_definition' ? token.meta?.['label'] : undefined;
    if (typeof label !== 'string' || seen.has(label)) continue;
    seen.add(label);
    notes.definitions.push({ label, target: references[label]?.href ?? '', line: token.map?.[0] ?? 0 });
  }
}

const REFERENCE = /\[((?:[^[\]\\]|\\.|\[[^[\]]{0,200}\]){1,500})\]\[([^[\]]{0,200})\]/y;

/** Makes no token: the link rule came before and has found no definition. */
function missingReference(state: StateInline, silent: boolean): boolean {
  const { src, pos, tokens } = state;
  if (silent || src.charCodeAt(pos) !== 0x5b) return false;
  if (targets.isWithin(state, pos, MAX_LABEL)) noteOuterLink(src, pos, tokens);
  if (!names.isWithin(state, pos, MAX_LABEL)) return false;
  REFERENCE.lastIndex = pos;
  const [, text = '', name = ''] = REFERENCE.exec(src) ?? [];
  if (text === '') return false;
  const list = notes.missing.get(tokens) ?? [];
  list.push({ name: name || text, start: pos, isBeforeLink: src.charAt(REFERENCE.lastIndex) === '(' });
  notes.missing.set(tokens, list);
  return false;
}

const MAX_LABEL = 2000;
const DESTINATION = /\(([^()\s]{1,300})\)/y;

function noteOuterLink(source: string, start: number, tokens: readonly Token[]): void {
  if (!source.slice(start, start + MAX_LABEL).includes('[[')) return;
  const end = labelEnd(source, start);
  if (end === -1 || source.charAt(end + 1) !== '(' || !source.slice(start, end).includes('[[')) return;
  DESTINATION.lastIndex = end + 1;
  const target = DESTINATION.exec(source)?.[1];
  if (target === undefined) return;
  const list = notes.outer.get(tokens) ?? [];
  list.push({ target, start });
  notes.outer.set(tokens, list);
}

/** Where the bracket that opens at `start` closes; -1 if it does not within {@link MAX_LABEL}. */
function labelEnd(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < Math.min(source.length, start + MAX_LABEL); at += 1) {
    const code = source.charCodeAt(at);
    if (code === 0x5c) at += 1;
    else if (code === 0x5b) depth += 1;
    else if (code === 0x5d) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

function emptyNotes(): Notes {
  return { starts: new Map(), definitions: [], missing: new Map(), outer: new Map() };
}
