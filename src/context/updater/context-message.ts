/** The message of a chat history that holds the context, known by a mark of its own. */
import { createHash } from 'node:crypto';
import { type ChatMessage, isInstruction } from '../messages.ts';

const ID_DIGITS = 12;
const MESSAGE = new RegExp(
  `^<!-- kgraphfs:context ([0-9a-f]{${ID_DIGITS}}) -->\\n([\\s\\S]*)<!-- /kgraphfs:context -->$`,
);

/** What stands around a context takes no more tokens than this. */
export const WRAPPING_TOKENS = 48;

export interface ContextMessage {
  /** Names the injection in the history. */
  readonly id: string;
  /** The context, without its marks. */
  readonly text: string;
}

/** A message that is wholly the context, from the mark that opens it to the one that closes it; what others say of it is not. */
export function contextIn(message: ChatMessage): ContextMessage | undefined {
  if (!isInstruction(message)) return undefined;
  const content = onlyText(message);
  const [, id, text] = (content === undefined ? null : MESSAGE.exec(content)) ?? [];
  return id === undefined || text === undefined ? undefined : { id, text };
}

/** @param text a context as markdown, that ends with a line feed */
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

/** Some programs make a list of one part of each text. */
function onlyText({ content }: ChatMessage): string | undefined {
  if (typeof content === 'string') return content;
  const [part, ...more] = content ?? [];
  return more.length === 0 && typeof part?.['text'] === 'string' ? part['text'] : undefined;
}
