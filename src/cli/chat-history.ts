import { resolve } from 'node:path';
import type { WrittenMessage } from '../context/message-array.ts';
import type { ChatMessage } from '../context/messages.ts';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import type { Io } from './io.ts';
import { wholeInput } from './whole-input.ts';

/** How a command that takes a chat describes it. */
export const HISTORY_OPTION = {
  type: 'text',
  value: 'FILE',
  summary:
    'the chat: a JSON array of messages {"role", "content", …}, from a file, or from standard input with -',
} as const;

export const OUTPUT_OPTION = {
  type: 'text',
  value: 'FILE',
  summary: 'write the messages to this file, which may be the chat itself (default: standard output)',
} as const;

/** @throws UserError where it cannot be read, and with file and line where it is no chat */
export async function readChat(file: string, io: Io): Promise<WrittenMessage[]> {
  const [text, { readMessages }] = await Promise.all([
    wholeInput(file, io),
    import('../context/message-array.ts'),
  ]);
  return readMessages(text, file === '-' ? 'standard input' : file);
}

/** A file is there as a whole or as it was before. @throws UserError where it cannot be written */
export async function writeChat(
  messages: readonly (WrittenMessage | ChatMessage)[],
  output: string | undefined,
  io: Io,
): Promise<void> {
  const { writeMessages } = await import('../context/message-array.ts');
  const text = writeMessages(messages);
  if (output === undefined) {
    io.out.write(text);
    return;
  }
  const { replaceWholeFile } = await import('../user-files/replace-file.ts');
  try {
    replaceWholeFile(resolve(io.workingFolder(), output), text);
  } catch (error) {
    throw new UserError(`${output}: cannot be written: ${reasonOf(error)}`, EXIT.failed, { cause: error });
  }
}

/** Messages for JSON, those that were read just as they were. */
export async function messagesView(messages: readonly (WrittenMessage | ChatMessage)[]): Promise<unknown> {
  const { writeMessages } = await import('../context/message-array.ts');
  return JSON.parse(writeMessages(messages));
}

export function messageOf({ message }: WrittenMessage): ChatMessage {
  return message;
}
