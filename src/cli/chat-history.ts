import { resolve } from 'node:path';
import type { WrittenMessage } from '../context/message-array.ts';
import type { ChatMessage } from '../context/messages.ts';
import { EXIT, reasonOf, UserError } from '../core/errors.ts';
import type { Io } from './io.ts';
import { wholeInput } from './whole-input.ts';

/** The option of commands that take a chat from a file. */
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

/** Reads a chat. @throws UserError if the file cannot be read; if it is no chat, with file and line */
export async function readChat(file: string, io: Io): Promise<WrittenMessage[]> {
  const [text, { readMessages }] = await Promise.all([
    wholeInput(file, io),
    import('../context/message-array.ts'),
  ]);
  return readMessages(text, file === '-' ? 'standard input' : file);
}

/** Writes a chat. The file is replaced as a whole or stays as it was. @throws UserError if it cannot be written */
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

/** Messages as JSON. Those that were read from a file are given back unchanged. */
export async function messagesView(messages: readonly (WrittenMessage | ChatMessage)[]): Promise<unknown> {
  const { writeMessages } = await import('../context/message-array.ts');
  return JSON.parse(writeMessages(messages));
}

export function messageOf({ message }: WrittenMessage): ChatMessage {
  return message;
}
