/** Chat messages as OpenAI's API has them, and many others after it. */
import { z } from 'zod';

const partSchema = z.looseObject({ type: z.string() });
const toolCallSchema = z.looseObject({ id: z.string() });

/** What is known of a message; whatever else it has stays with it. */
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

/** The roles of what a program says to a model, before people speak. */
export function isInstruction({ role }: Pick<ChatMessage, 'role'>): boolean {
  return role === 'system' || role === 'developer';
}

/** The text of a message; parts that are no text are left out. */
export function textOfMessage({ content }: Pick<ChatMessage, 'content'>): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((part) => textOfPart(part) ?? []).join('\n');
}

function textOfPart(part: Readonly<Record<string, unknown>>): string | undefined {
  const { text } = part;
  return typeof text === 'string' ? text : undefined;
}

/** What a model is sent of a message, as text: for counting its tokens. */
export function wholeTextOf(message: ChatMessage): string {
  const { role, content, ...rest } = message;
  const parts = typeof content === 'string' ? content : JSON.stringify(content ?? '');
  return `${role}\n${parts}${Object.keys(rest).length === 0 ? '' : `\n${JSON.stringify(rest)}`}`;
}
