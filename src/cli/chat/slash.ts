import { didYouMean } from '../near-names.ts';

/** The commands that can be typed in a chat. */
const SLASH_COMMANDS = {
  tools: 'what the model can look at and do, and what it called so far',
  sources: 'where the last answer stands, with the lines',
  context: 'what the last question was given: passages, tokens, budget',
  memory: 'what was learnt in this chat, and what waits for review',
  usage: 'tokens and cost of this chat so far',
  new: 'begin a new conversation; the one before stays in the history (also /clear)',
  help: 'this list',
  quit: 'end the chat (also /exit and Ctrl-D)',
} as const;

export type SlashCommand = keyof typeof SLASH_COMMANDS;

const ALIASES: Readonly<Record<string, SlashCommand>> = { clear: 'new', exit: 'quit', cost: 'usage' };
const COMMAND = /^\/([a-z]*)$/i;

/** All words that name a command. */
export const SLASH_WORDS: readonly string[] = [...Object.keys(SLASH_COMMANDS), ...Object.keys(ALIASES)].map(
  (name) => `/${name}`,
);

/** The command that a line names; undefined for a question, which may begin with a path. */
export function slashCommand(
  line: string,
): { readonly command: SlashCommand } | { readonly unknown: string } | undefined {
  const [, typed] = COMMAND.exec(line) ?? [];
  if (typed === undefined) return undefined;
  const name = typed.toLowerCase();
  const known = Object.keys(SLASH_COMMANDS).find((known): known is SlashCommand => known === name);
  const command = known ?? ALIASES[name];
  if (command !== undefined) return { command };
  return { unknown: `there is no /${name}${didYouMean(line, SLASH_WORDS)} /help shows what there is` };
}

export function helpLines(): string[] {
  const width = Math.max(...Object.keys(SLASH_COMMANDS).map((name) => name.length));
  return [
    ...Object.entries(SLASH_COMMANDS).map(([name, summary]) => `/${name.padEnd(width)}  ${summary}`),
    'A line that ends with \\ goes on; what is pasted is one question. The arrow keys bring back what was asked.',
    'Ctrl-C stops an answer; twice at an empty prompt it ends the chat.',
  ];
}
