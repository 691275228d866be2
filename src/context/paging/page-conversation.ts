/** Moves the older turns of a long conversation to memory. */
import { createHash } from 'node:crypto';
import type { MemoryPlace } from '../../core/memory-entry.ts';
import { sum } from '../../core/sum.ts';
import { type ChatMessage, isInstruction, wholeTextOf } from '../messages.ts';
import type { TokenCounter } from '../tokens.ts';
import {
  MESSAGE_TOKENS,
  type PagingParts,
  storedRanges,
  storeTurns,
  tokensOf,
} from './conversation-pages.ts';
import { noteIn, noteMessage } from './paged-note.ts';
import { type Turn, turnsOf } from './turns.ts';

export interface PagingRequest {
  /** The size of the model's context window. */
  readonly windowTokens: number;
  /** The share of the window that the chat may fill, over 0 and at most 1. */
  readonly share: number;
  /** How many of the last turns always stay. */
  readonly keepTurns: number;
  /** The name: letters, digits, `.`, `_` and `-`. Default: the one in the chat's note, else one derived from the first turn. */
  readonly conversation?: string | undefined;
}

export interface PagedConversation<Message> {
  /** The messages that stay, in order, with one that says what was moved. */
  readonly messages: readonly (Message | ChatMessage)[];
  readonly conversation: string;
  /** The entries that this call has written. */
  readonly written: readonly MemoryPlace[];
  /** How many turns were moved, by this call and earlier ones. */
  readonly pagedTurns: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Whether the chat is within its share now. The turns that always stay may be too long by themselves. */
  readonly isWithin: boolean;
}

const NOTE_SHARE = 0.1;
const MAX_NOTE_TOKENS = 800;
/** The tokens of the note besides its content. */
const NOTE_FRAME_TOKENS = MESSAGE_TOKENS + 4;

/**
 * Moves turns beyond the share of the window to episodic memory, the oldest first, whole, with a summary. Instructions and the last turns stay. A
 * second call changes nothing, with the earlier messages as well as with the returned ones: an existing page is not written again. Memory is written
 * before the messages are returned, so that each turn is always in one of the two.
 * @throws UserError if memory has different turns of this conversation. FsError as `Memory.addAll`
 */
export function pageConversation<Message>(
  given: readonly Message[],
  messageOf: (message: Message) => ChatMessage,
  request: PagingRequest,
  parts: PagingParts,
): PagedConversation<Message> {
  const { counter, memory } = parts;
  const messages = given.map(messageOf);
  const note = messages.map(noteIn).find((one) => one !== undefined);
  const conversation = request.conversation ?? note?.conversation ?? conversationOf(messages);
  const before = note?.conversation === conversation ? note.last : 0;
  const turns = turnsOf(messages);
  const tokens = messages.map((message) => tokensOf(message, counter));
  const tokensBefore = sum(tokens);
  const limit = Math.floor(request.windowTokens * request.share);
  const unchanged = { messages: given, conversation, written: [], pagedTurns: before, tokensBefore };
  if (tokensBefore <= limit) return { ...unchanged, tokensAfter: tokensBefore, isWithin: true };

  const noteTokens = noteRoom(conversation, before + turns.length, limit, counter);
  const noteBefore = sum(tokens.filter((_, index) => isNote(messages[index])));
  const over = tokensBefore - noteBefore + noteTokens - limit;
  const count = turnsToMove(turns.slice(0, Math.max(0, turns.length - request.keepTurns)), tokens, over);
  if (count === 0) return { ...unchanged, tokensAfter: tokensBefore, isWithin: false };

  const moved = turns.slice(0, count);
  const last = before + count;
  const texts = moved.map(({ indexes }) => indexes.flatMap((index) => messages[index] ?? []));
  const written = storeTurns(conversation, before, texts, parts);
  const ranges = storedRanges(conversation, last, memory);
  const told = noteMessage({ conversation, last }, ranges, noteTokens - NOTE_FRAME_TOKENS, counter);
  const gone = new Set(moved.flatMap(({ indexes }) => indexes));
  const isKept = (_: unknown, index: number) => !gone.has(index) && !isNote(messages[index]);
  const stays = given.filter(isKept);
  const begin = stays.findIndex((message) => !isInstruction(messageOf(message)));
  const at = begin === -1 ? stays.length : begin;
  const tokensAfter = sum(tokens.filter(isKept)) + tokensOf(told, counter);
  return {
    messages: [...stays.slice(0, at), told, ...stays.slice(at)],
    conversation,
    written,
    pagedTurns: last,
    tokensBefore,
    tokensAfter,
    isWithin: tokensAfter <= limit,
  };
}

/** How many turns, from the first on, have to be moved to save this many tokens. */
function turnsToMove(turns: readonly Turn[], tokens: readonly number[], overTokens: number): number {
  let count = 0;
  for (let over = overTokens; over > 0 && count < turns.length; count += 1)
    over -= sum((turns[count]?.indexes ?? []).map((index) => tokens[index] ?? 0));
  return count;
}

/** How many tokens the note may take. It always says at least where the turns are. */
function noteRoom(conversation: string, last: number, limit: number, counter: TokenCounter): number {
  const least = tokensOf(noteMessage({ conversation, last }, [], 0, counter), counter);
  return Math.max(least, Math.min(MAX_NOTE_TOKENS, Math.floor(limit * NOTE_SHARE)));
}

function isNote(message: ChatMessage | undefined): boolean {
  return message !== undefined && noteIn(message) !== undefined;
}

/** The name is derived from how the conversation began. */
function conversationOf(messages: readonly ChatMessage[]): string {
  const first = messages.find((message) => !isInstruction(message));
  const hash = createHash('sha256').update(first === undefined ? '' : wholeTextOf(first));
  return `chat-${hash.digest('hex').slice(0, 12)}`;
}
