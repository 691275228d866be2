/** Moves the older turns of a long conversation to memory. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../core/errors.ts';
import type { MemoryPlace } from '../../core/memory-entry.ts';
import type { OpContext } from '../../core/resolver.ts';
import { sum } from '../../core/sum.ts';
import type { Memory, NewMemory } from '../../memory/memory.ts';
import { type ChatMessage, isInstruction, wholeTextOf } from '../messages.ts';
import type { TokenCounter } from '../tokens.ts';
import { type Page, pageText, type ReadPage, readPage } from './page-text.ts';
import { noteIn, noteMessage, type PagedRange } from './paged-note.ts';
import { turnsOf } from './turns.ts';

export interface PagingRequest {
  /** What the model takes. */
  readonly windowTokens: number;
  /** The part of the window that the chat may fill, over 0 and at most 1. */
  readonly share: number;
  /** So many of the last turns always stay. */
  readonly keepTurns: number;
  /** Letters, digits, `.`, `_` and `-`. Default: that of the chat's note, else one that follows from the first turn. */
  readonly conversation?: string | undefined;
}

export interface PagingParts {
  readonly memory: Memory;
  readonly counter: TokenCounter;
  readonly context: OpContext;
}

export interface PagedConversation<Message> {
  /** Those that stay, in their order, with a message that tells what was moved. */
  readonly messages: readonly (Message | ChatMessage)[];
  readonly conversation: string;
  /** Entries that were written by this call. */
  readonly written: readonly MemoryPlace[];
  /** How many turns were moved, by this call and before. */
  readonly pagedTurns: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Whether it is within its share now: the turns that always stay may be too long by themselves. */
  readonly isWithin: boolean;
}

export const CONVERSATION_FOLDER = 'conversations';
const CONVERSATION_TAG = 'conversation';

/** What a message takes besides its text. */
const MESSAGE_TOKENS = 4;
/** A page is found and shown as one. */
const MAX_PAGE_TURNS = 8;
const MAX_PAGE_TOKENS = 2000;
const NOTE_SHARE = 0.1;
const MAX_NOTE_TOKENS = 800;
/** Of the note, what is not its content. */
const NOTE_FRAME_TOKENS = MESSAGE_TOKENS + 4;

/**
 * Turns past the share of the window go to episodic memory, the oldest first, whole, with a summary; instructions and the last turns stay. Doing it
 * again changes nothing, with the messages of before as with those that came of it: a page that is there is not written anew. Memory is written before
 * the messages are given back, so that a turn is always in the one or the other.
 * @throws UserError where the conversation's turns in memory are other ones. FsError as `Memory.addAll`
 */
export function pageConversation<Message>(
  given: readonly Message[],
  messageOf: (message: Message) => ChatMessage,
  request: PagingRequest,
  parts: PagingParts,
): PagedConversation<Message> {
  const messages = given.map(messageOf);
  const note = messages.map(noteIn).find((one) => one !== undefined);
  const conversation = request.conversation ?? note?.conversation ?? conversationOf(messages);
  const before = note?.conversation === conversation ? note.last : 0;
  const turns = turnsOf(messages);
  const tokens = messages.map((message) => tokensOf(message, parts.counter));
  const tokensBefore = sum(tokens);
  const limit = Math.floor(request.windowTokens * request.share);
  const noteTokens = noteRoom(conversation, before + turns.length, limit, parts.counter);
  const unchanged = { messages: given, conversation, written: [], pagedTurns: before, tokensBefore };
  if (tokensBefore <= limit) return { ...unchanged, tokensAfter: tokensBefore, isWithin: true };
  const noteBefore = sum(
    messages.map((message, index) => (noteIn(message) === undefined ? 0 : (tokens[index] ?? 0))),
  );
  let over = tokensBefore - noteBefore + noteTokens - limit;
  let count = 0;
  while (over > 0 && count < turns.length - request.keepTurns) {
    over -= sum((turns[count]?.indexes ?? []).map((index) => tokens[index] ?? 0));
    count += 1;
  }
  if (count === 0) return { ...unchanged, tokensAfter: tokensBefore, isWithin: false };
  const moved = turns.slice(0, count);
  const texts = moved.map(({ indexes }) => indexes.flatMap((index) => messages[index] ?? []));
  const stored = storedPages(conversation, parts.memory);
  requireSame(conversation, before, texts, stored);
  const written = writeNew(conversation, before, texts, stored, parts);
  const last = before + count;
  const ranges = storedPages(conversation, parts.memory)
    .filter(({ first }) => first <= last)
    .map(rangeOf);
  const told = noteMessage({ conversation, last }, ranges, noteTokens - NOTE_FRAME_TOKENS, parts.counter);
  const gone = new Set(moved.flatMap(({ indexes }) => indexes));
  const stays = given.filter((_, index) => !gone.has(index) && !isNote(messages[index]));
  const start = stays.findIndex((message) => !isInstruction(messageOf(message)));
  const at = start === -1 ? stays.length : start;
  const result = [...stays.slice(0, at), told, ...stays.slice(at)];
  const kept = messages.filter((message, index) => !gone.has(index) && !isNote(message));
  const tokensAfter = sum([...kept, told].map((message) => tokensOf(message, parts.counter)));
  return {
    messages: result,
    conversation,
    written,
    pagedTurns: last,
    tokensBefore,
    tokensAfter,
    isWithin: tokensAfter <= limit,
  };
}

/** What the note may take: it says at least where the turns are. */
function noteRoom(conversation: string, last: number, limit: number, counter: TokenCounter): number {
  const least = tokensOf(noteMessage({ conversation, last }, [], 0, counter), counter);
  return Math.max(least, Math.min(MAX_NOTE_TOKENS, Math.floor(limit * NOTE_SHARE)));
}

function isNote(message: ChatMessage | undefined): boolean {
  return message !== undefined && noteIn(message) !== undefined;
}

/** Follows from how it began. */
function conversationOf(messages: readonly ChatMessage[]): string {
  const first = messages.find((message) => !isInstruction(message));
  const hash = createHash('sha256').update(first === undefined ? '' : wholeTextOf(first));
  return `chat-${hash.digest('hex').slice(0, 12)}`;
}

function tokensOf(message: ChatMessage, counter: TokenCounter): number {
  return counter.count(wholeTextOf(message)) + MESSAGE_TOKENS;
}

/** All pages of a conversation in their order. */
export function storedPages(conversation: string, memory: Pick<Memory, 'list'>): ReadPage[] {
  const folder = `${CONVERSATION_FOLDER}/${conversation}/`;
  return memory
    .list({ type: 'episodic' })
    .filter(({ key }) => key.startsWith(folder))
    .flatMap(({ content }) => readPage(Buffer.from(content).toString()) ?? [])
    .filter((page) => page.conversation === conversation)
    .sort((a, b) => a.first - b.first);
}

function rangeOf({ first, turns, summary }: ReadPage): PagedRange {
  return { first, last: first + turns.length - 1, summary };
}

/** @throws UserError where a turn that memory has under a number is another one */
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
        `conversation ${conversation}: turn ${number} in memory is another one than in this chat; give the chat another id with --conversation`,
      );
    }
  }
}

function asJson(turn: readonly ChatMessage[]): unknown {
  return JSON.parse(JSON.stringify(turn));
}

function writeNew(
  conversation: string,
  before: number,
  turns: readonly (readonly ChatMessage[])[],
  stored: readonly ReadPage[],
  { memory, counter, context }: PagingParts,
): MemoryPlace[] {
  const there = new Set(stored.flatMap(({ first, turns }) => turns.map((_, index) => first + index)));
  const missing = turns.flatMap((turn, index) =>
    there.has(before + index + 1) ? [] : [{ turn, number: before + index + 1 }],
  );
  const pages = packed(conversation, missing, counter);
  const entries = pages.map(entryOf);
  memory.addAll(entries, context);
  return entries.map(({ type, key }) => ({ type, key }));
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
