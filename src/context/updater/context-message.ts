/** The message of a chat history that contains the context. It is recognized by a mark of its own. */
import { createHash } from 'node:crypto';
import { type ChatMessage, isInstruction } from '../messages.ts';

const ID_DIGITS = 12;
const MESSAGE = new RegExp(
  `^<!-- kgraphfs:context ([0-9a-f]{${ID_DIGITS}}) -->\\n([\\s\\S]*)<!-- /kgraphfs:context -->$`,
);

/** The most tokens that the text around a context can take. */
export const WRAPPING_TOKENS = 48;

export interface ContextMessage {
  /** Identifies the injection in the history. */
  readonly id: string;
  /** The context without its marks. */
  readonly text: string;
}

/** Reads a message that consists of nothing but the context, from the opening mark to the closing one; undefined for a message that merely talks of it. */
export function contextIn(message: ChatMessage): ContextMessage | undefined {
  if (!isInstruction(message)) return undefined;
  const content = onlyText(message);
  const [, id, text] = (content === undefined ? null : MESSAGE.exec(content)) ?? [];
  return id === undefined || text === undefined ? undefined : { id, text };
}

/** @param text a context as markdown that ends with a line feed */
export function contextMessage(text: string): ChatMessage & { readonly content: string } {
  return {
    role: 'system',
    content: `<!-- kgraphfs:context ${idOf(text)} -->\n${text}<!-- /kgraphfs:context -->`,
  };
}

/** The same for the same text. */
export function idOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, ID_DIGITS);
}

/** Some programs turn each text into a list with one part. */
function onlyText({ content }: ChatMessage): string | undefined {
  if (typeof content === 'string') return content;
  const [part, ...more] = content ?? [];
  return more.length === 0 && typeof part?.['text'] === 'string' ? part['text'] : undefined;
}
