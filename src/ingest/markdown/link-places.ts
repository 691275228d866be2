/**
 * What markdown-it's tokens do not say and a linter must know: where in its block a link begins, on which line a link is defined, and which
 * references have no definition.
 */
import type { Env, MarkdownIt, StateInline, Token } from 'markdown-it';
import { NextPlace } from './next-place.ts';

/** `[name]: target` */
export interface Definition {
  readonly label: string;
  readonly target: string;
  /** 0-based line of the body. */
  readonly line: number;
}

/** `[text][name]` or `[name][]` without a definition of that name. */
export interface MissingReference {
  readonly name: string;
  /** Offset in the content of the block. */
  readonly start: number;
  /** Whether the second brackets begin a link of their own: `[text][name](target)`. */
  readonly isBeforeLink: boolean;
}

/** `[text [[page]] text](target)`: a link to CommonMark, which knows no wikilinks; here the page within is the link that is read. */
export interface OuterLink {
  readonly target: string;
  /** Offset in the content of the block. */
  readonly start: number;
}

export interface Places {
  /** Offset in its block's content at which a link, image, wikilink or tag begins. */
  readonly starts: ReadonlyMap<Token, number>;
  /** Each name once, as the first definition has it. */
  readonly definitions: readonly Definition[];
  /** By the inline tokens of the block they stand in, as are outer links. */
  readonly missing: ReadonlyMap<readonly Token[], readonly MissingReference[]>;
  readonly outer: ReadonlyMap<readonly Token[], readonly OuterLink[]>;
}

interface Notes extends Places {
  readonly starts: Map<Token, number>;
  readonly definitions: Definition[];
  readonly missing: Map<readonly Token[], MissingReference[]>;
  readonly outer: Map<readonly Token[], OuterLink[]>;
}

/** Of the document that is being parsed; parsing is synchronous. */
let notes: Notes = emptyNotes();
let targets = new NextPlace('](');
let names = new NextPlace('][');

/** Runs a parser that {@link notePlaces} prepared. */
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

/** Has a parser note places. */
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

/** The link rule has moved on to the label by then; an autolink begins where it is. */
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

/** Makes nothing of what it finds: the link rule was there before and found no definition. */
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

/** Where the bracket that opens at `start` closes; -1 where it does not within {@link MAX_LABEL}. */
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
