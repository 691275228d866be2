import type { ChatMessage } from '../agent/chat-model.ts';
import { textBlock } from '../agent/data-block.ts';
import { type ChatMessage as LooseMessage, textOfMessage } from '../context/messages.ts';
import { contextIn } from '../context/updater/context-message.ts';

/** A message of a conversation: one that was said, or one that context or paging has added. */
export type KeptMessage = { readonly own: ChatMessage } | LooseMessage;

export function isOwn(message: KeptMessage): message is { readonly own: ChatMessage } {
  return !('role' in message);
}

/** The message in the form that context and paging read. */
export function looseMessage(message: KeptMessage): LooseMessage {
  if (!isOwn(message)) return message;
  const { own } = message;
  if (own.role !== 'assistant') return { ...own };
  const { tool_calls: calls, ...rest } = own;
  return calls === undefined ? rest : { ...rest, tool_calls: calls.map((call) => ({ ...call })) };
}

/**
 * The messages for the model: instructions, earlier turns, and the question with what was found for it. The latter comes right before the question,
 * as data. So the content of documents is never a part of the instructions, and earlier turns do not change, so that APIs can cache them.
 * @param recalled earlier turns that the question may be about
 */
export function sentMessages(kept: readonly KeptMessage[], recalled: string): ChatMessage[] {
  const own = kept.filter(isOwn).map((message) => message.own);
  const found = [
    ...kept.flatMap((message) => (isOwn(message) ? [] : blockOf(message))),
    ...(recalled === '' ? [] : [textBlock('earlier turns of this conversation', recalled)]),
  ];
  const at = own.findLastIndex(({ role }) => role === 'user');
  return own.map((message, index) =>
    index === at && message.role === 'user' && found.length > 0
      ? { role: 'user', content: `${found.join('\n\n')}\n\n${message.content}` }
      : message,
  );
}

function blockOf(message: LooseMessage): string {
  const context = contextIn(message);
  return context === undefined
    ? textBlock('what was moved to memory', textOfMessage(message))
    : textBlock('context for the question', context.text);
}
