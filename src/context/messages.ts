/** Chat messages in the format of OpenAI's API, which many others use as well. */
import { z } from 'zod';

const partSchema = z.looseObject({ type: z.string() });
const toolCallSchema = z.looseObject({ id: z.string() });

/** The known fields of a message. All others are kept. */
export const messageSchema = z.looseObject({
  role: z.string({ error: 'a message has a role, such as "user"' }).min(1),
  content: z
    .union([z.string(), z.array(partSchema), z.null()], {
      error: 'content is a text, a list of parts, or null',
    })
    .optional(),
  name: z.string().optional(),
  tool_calls: z.array(toolCallSchema).nullish(),
  tool_call_id: z.string().nullish(),
});

export type ChatMessage = z.infer<typeof messageSchema>;

/** The roles in which a program instructs a model before people speak. */
export function isInstruction({ role }: Pick<ChatMessage, 'role'>): boolean {
  return role === 'system' || role === 'developer';
}

/** The text of a message. Parts that are not text are left out. */
export function textOfMessage({ content }: Pick<ChatMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => textOfPart(part) ?? []).join('\n');
}

function textOfPart(part: Readonly<Record<string, unknown>>): string | undefined {
  const { text } = part;
  return typeof text === 'string' ? text : undefined;
}

/** The parts of a message that a model is sent, as text: for counting its tokens. */
export function wholeTextOf(message: ChatMessage): string {
  const { role, content, ...rest } = message;
  const parts = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return `${role}\n${parts}${Object.keys(rest).length === 0 ? '' : `\n${JSON.stringify(rest)}`}`;
}
