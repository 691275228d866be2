/** The message of a chat that says what was moved to memory. It is recognized by a mark of its own. */
import { type ChatMessage, isInstruction } from '../messages.ts';
import type { TokenCounter } from '../tokens.ts';

const NOTE =
  /^<!-- kgraphfs:paged (?<conversation>\S+) 1-(?<last>\d+) -->\n[\s\S]*<!-- \/kgraphfs:paged -->$/;

export interface PagedNote {
  readonly conversation: string;
  /** The number of the last turn that was moved. */
  readonly last: number;
}

export function noteIn(message: ChatMessage): PagedNote | undefined {
  const { content } = message;
  const groups =
    isInstruction(message) && typeof content === 'string' ? NOTE.exec(content)?.groups : undefined;
  const { conversation, last } = groups ?? {};
  return conversation === undefined || last === undefined ? undefined : { conversation, last: Number(last) };
}

/** A moved page as one line. */
export interface PagedRange {
  readonly first: number;
  readonly last: number;
  readonly summary: string;
}

/** Lists as many ranges as fit into `maxTokens`, preferring the latest; says at least where the turns are. */
export function noteMessage(
  { conversation, last }: PagedNote,
  ranges: readonly PagedRange[],
  maxTokens: number,
  counter: TokenCounter,
): ChatMessage {
  const messageWith = (shown: readonly PagedRange[]): ChatMessage & { content: string } => ({
    role: 'system',
    content: [
      `<!-- kgraphfs:paged ${conversation} 1-${last} -->`,
      `Turns 1 to ${last} of this conversation are in memory, whole: context/memory/episodic/conversations/${conversation}/. Search finds who said what.`,
      ...(shown.length < ranges.length && shown.length > 0 ? ['- …'] : []),
      ...shown.map((range) => `- ${range.first} to ${range.last}: ${range.summary}`),
      '<!-- /kgraphfs:paged -->',
    ].join('\n'),
  });
  const told = ranges.filter(({ summary }) => summary !== '');
  let shown = told;
  while (shown.length > 0 && counter.count(messageWith(shown).content) > maxTokens) shown = shown.slice(1);
  return messageWith(shown);
}
