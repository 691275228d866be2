/** The turns of a chat: what a person says, and everything that follows from it. */
import { type ChatMessage, isInstruction } from '../messages.ts';

export interface Turn {
  /** The indexes of its messages in the chat, in order. */
  readonly indexes: readonly number[];
}

/**
 * Each message of a user begins a turn, which contains all answers and tool calls up to the next one. Instructions belong to no turn. A tool call and
 * its answer are always in one turn.
 */
export function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  const joined = boundariesWithin(messages);
  const turns: number[][] = [];
  for (const [index, message] of messages.entries()) {
    if (isInstruction(message)) continue;
    const isNew = message.role === 'user' && !joined.has(index);
    const open = turns.at(-1);
    if (open === undefined || isNew) turns.push([index]);
    else open.push(index);
  }
  return turns.map((indexes) => ({ indexes }));
}

/** Indexes between a tool call and its answer: no turn begins there. */
function boundariesWithin(messages: readonly ChatMessage[]): ReadonlySet<number> {
  const calls = new Map<string, number>();
  const within = new Set<number>();
  for (const [index, { tool_calls: made, tool_call_id: answered }] of messages.entries()) {
    const call = typeof answered === 'string' ? calls.get(answered) : undefined;
    if (call !== undefined) for (let between = call + 1; between <= index; between += 1) within.add(between);
    for (const { id } of made ?? []) calls.set(id, index);
  }
  return within;
}
