/**
 * The tokens and states of markdown-it with plain properties. Its own classes define each property by a separate call, in every token and for every paragraph,
 * which takes a third of the time of parsing. The result is the same.
 */
import type { Delimiter, Env, MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it';
import { countToken } from './token-limit.ts';

type Nesting = Token['nesting'];
type Attribute = NonNullable<Token['attrs']>[number];

class LeanToken implements Token {
  type: string;
  tag: string;
  attrs: Attribute[] | null = null;
  map: [number, number] | null = null;
  nesting: Nesting;
  level = 0;
  children: Token[] | null = null;
  content = '';
  markup = '';
  info = '';
  meta: Record<string, unknown> | null = null;
  block = false;
  hidden = false;

  constructor(type: string, tag: string, nesting: Nesting) {
    this.type = type;
    this.tag = tag;
    this.nesting = nesting;
    countToken();
  }

  attrIndex(name: string): number {
    return this.attrs?.findIndex(([known]) => known === name) ?? -1;
  }

  attrPush(attribute: Attribute): void {
    if (this.attrs === null) this.attrs = [attribute];
    else this.attrs.push(attribute);
  }

  attrSet(name: string, value: string | number): void {
    const index = this.attrIndex(name);
    if (this.attrs === null || index === -1) this.attrPush([name, value]);
    else this.attrs[index] = [name, value];
  }

  attrGet(name: string): string | number | null {
    return this.attrs?.find(([known]) => known === name)?.[1] ?? null;
  }

  attrJoin(name: string, value: string | number): void {
    const before = this.attrGet(name);
    this.attrSet(name, before === null ? value : `${before} ${value}`);
  }
}

/** Makes a parser use lean tokens. */
export function makeLean(parser: MarkdownIt): void {
  const { State: Inline } = parser.inline;
  const { scanDelims } = Inline.prototype;
  parser.core.State = class extends parser.core.State {
    override Token = LeanToken;
  };
  parser.block.State = class extends parser.block.State {
    override Token = LeanToken;
    override push(...[type, tag, nesting]: Parameters<StateBlock['push']>): Token {
      const token = new LeanToken(type, tag, nesting);
      token.block = true;
      if (nesting < 0) this.level -= 1;
      token.level = this.level;
      if (nesting > 0) this.level += 1;
      this.tokens.push(token);
      return token;
    }
  };
  parser.inline.State = class LeanInline implements StateInline {
    src: string;
    env: Env;
    md: MarkdownIt;
    tokens: Token[];
    tokens_meta: StateInline['tokens_meta'];
    pos = 0;
    posMax: number;
    level = 0;
    pending = '';
    pendingLevel = 0;
    cache: Record<number, number> = {};
    backticks: Record<number, number> = {};
    backticksScanned = false;
    skipHtmlSpecial = false;
    linkLevel = 0;
    delimiters: Delimiter[] = [];
    _prev_delimiters: Delimiter[][] = [];
    Token = LeanToken;
    declare scanDelims: StateInline['scanDelims'];

    static {
      LeanInline.prototype.scanDelims = scanDelims;
    }

    constructor(source: string, parser: MarkdownIt, env: Env, tokens: Token[]) {
      this.src = source;
      this.env = env;
      this.md = parser;
      this.tokens = tokens;
      this.tokens_meta = new Array(tokens.length);
      this.posMax = source.length;
    }

    pushPending(): Token {
      const token = new LeanToken('text', '', 0);
      token.content = this.pending;
      token.level = this.pendingLevel;
      this.tokens.push(token);
      this.pending = '';
      return token;
    }

    push(type: string, tag: string, nesting: Nesting): Token {
      if (this.pending !== '') this.pushPending();
      const token = new LeanToken(type, tag, nesting);
      let meta: StateInline['tokens_meta'][number];
      if (nesting < 0) {
        this.level -= 1;
        this.delimiters = this._prev_delimiters.pop() ?? [];
      }
      token.level = this.level;
      if (nesting > 0) {
        this.level += 1;
        this._prev_delimiters.push(this.delimiters);
        this.delimiters = [];
        meta = { delimiters: this.delimiters };
      }
      this.pendingLevel = this.level;
      this.tokens.push(token);
      this.tokens_meta.push(meta);
      return token;
    }
  };
}
