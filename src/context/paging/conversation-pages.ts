/** The turns of conversations in memory: several of them make a page, and each page is an entry. */
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../core/errors.ts';
import type { MemoryPlace } from '../../core/memory-entry.ts';
import type { OpContext } from '../../core/resolver.ts';
import { sum } from '../../core/sum.ts';
import type { Memory, NewMemory } from '../../memory/memory.ts';
import { type ChatMessage, wholeTextOf } from '../messages.ts';
import type { TokenCounter } from '../tokens.ts';
import { type Page, pageText, type ReadPage, readPage } from './page-text.ts';
import type { PagedRange } from './paged-note.ts';

export interface PagingParts {
  readonly memory: Memory;
  readonly counter: TokenCounter;
  readonly context: OpContext;
}

export const CONVERSATION_FOLDER = 'conversations';
const CONVERSATION_TAG = 'conversation';

/** How many tokens a message takes besides its text. */
export const MESSAGE_TOKENS = 4;
/** The maximal number of turns of a page, which is found and shown as a whole. */
const MAX_PAGE_TURNS = 8;
const MAX_PAGE_TOKENS = 2000;

/** How many tokens a model counts for a message. */
export function tokensOf(message: ChatMessage, counter: TokenCounter): number {
  return counter.count(wholeTextOf(message)) + MESSAGE_TOKENS;
}

/**
 * Stores turns in memory, except those that are there already.
 * @param before how many turns of the conversation came before them
 * @returns the entries that were written
 * @throws UserError if memory has a different turn under one of their numbers. FsError as `Memory.addAll`
 */
export function storeTurns(
  conversation: string,
  before: number,
  turns: readonly (readonly ChatMessage[])[],
  { memory, counter, context }: PagingParts,
): MemoryPlace[] {
  const stored = storedPages(conversation, memory);
  requireSame(conversation, before, turns, stored);
  const there = new Set(stored.flatMap(({ first, turns }) => turns.map((_, index) => first + index)));
  const missing = turns.flatMap((turn, index) =>
    there.has(before + index + 1) ? [] : [{ turn, number: before + index + 1 }],
  );
  const pages = packed(conversation, missing, counter);
  const entries = pages.map(entryOf);
  memory.addAll(entries, context);
  return entries.map(({ type, key }) => ({ type, key }));
}

/** The pages that begin with or before the turn of a number, each as one line, in order. */
export function storedRanges(conversation: string, last: number, memory: Pick<Memory, 'list'>): PagedRange[] {
  return storedPages(conversation, memory)
    .filter(({ first }) => first <= last)
    .map(({ first, turns, summary }) => ({ first, last: first + turns.length - 1, summary }));
}

/** All pages of a conversation in order. */
export function storedPages(conversation: string, memory: Pick<Memory, 'list'>): ReadPage[] {
  const folder = `${CONVERSATION_FOLDER}/${conversation}/`;
  return memory
    .list({ type: 'episodic' })
    .filter(({ key }) => key.startsWith(folder))
    .flatMap(({ content }) => readPage(Buffer.from(content).toString()) ?? [])
    .filter((page) => page.conversation === conversation)
    .sort((a, b) => a.first - b.first);
}

/** @throws UserError if memory has a different turn under a number */
function requireSame(
  conversation: string,
  before: number,
  turns: readonly (readonly ChatMessage[])[],
  stored: readonly ReadPage[],
): void {
  for (const page of stored) {
    for (const [index, turn] of page.turns.entries()) {
      const number = page.first + index;
      const given = turns[number - before - 1];
      if (given === undefined || isDeepStrictEqual(asJson(given), asJson(turn))) continue;
      throw new UserError(
        `conversation ${conversation}: turn ${number} in memory is not the same as in this chat; give the chat another id with --conversation`,
      );
    }
  }
}

function asJson(turn: readonly ChatMessage[]): unknown {
  return JSON.parse(JSON.stringify(turn));
}

interface NumberedTurn {
  readonly turn: readonly ChatMessage[];
  readonly number: number;
}

function packed(conversation: string, turns: readonly NumberedTurn[], counter: TokenCounter): Page[] {
  const pages: { first: number; turns: (readonly ChatMessage[])[]; tokens: number }[] = [];
  for (const { turn, number } of turns) {
    const tokens = sum(turn.map((message) => tokensOf(message, counter)));
    const open = pages.at(-1);
    const isFull =
      open === undefined ||
      open.first + open.turns.length !== number ||
      open.turns.length >= MAX_PAGE_TURNS ||
      open.tokens + tokens > MAX_PAGE_TOKENS;
    if (isFull) pages.push({ first: number, turns: [turn], tokens });
    else {
      open.turns.push(turn);
      open.tokens += tokens;
    }
  }
  return pages.map(({ first, turns }) => ({ conversation, first, turns }));
}

function entryOf(page: Page): NewMemory {
  const { conversation, first, turns } = page;
  const [from, to] = [first, first + turns.length - 1].map((number) => String(number).padStart(4, '0'));
  return {
    type: 'episodic',
    key: `${CONVERSATION_FOLDER}/${conversation}/${from}-${to}`,
    content: Buffer.from(pageText(page)),
    tags: [CONVERSATION_TAG],
    provenance: { source: 'conversation', kind: 'turns' },
  };
}
