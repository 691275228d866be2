/** Finds the turns of paged conversations that a question is about. */
import { sum } from '../../core/sum.ts';
import { MEMORY_POINT } from '../../core/tree-points.ts';
import type { Memory } from '../../memory/memory.ts';
import { termsOf } from '../../words/tokens.ts';
import { type ChatMessage, textOfMessage } from '../messages.ts';
import type { TokenCounter } from '../tokens.ts';
import { CONVERSATION_FOLDER } from './conversation-pages.ts';
import { readPage, speakerOf } from './page-text.ts';

export interface RecallRequest {
  readonly question: string;
  readonly budgetTokens: number;
  /** Default: all conversations. */
  readonly conversation?: string | undefined;
}

export interface RecalledTurn {
  readonly conversation: string;
  readonly turn: number;
  /** The path of its entry in the mount. */
  readonly path: string;
  readonly messages: readonly ChatMessage[];
  /** Who says what. */
  readonly text: string;
  readonly tokens: number;
  /** Higher is better. Only comparable within one answer. */
  readonly score: number;
}

/** The usual constants of BM25. */
const SATURATION = 1.2;
const LENGTH_NORMALISATION = 0.75;
/** What was said just before and after also says what a turn is about. */
const TURN_BEFORE_WEIGHT = 0.4;
const TURN_AFTER_WEIGHT = 0.3;

/**
 * The whole turns that fit the question best, as many as the budget allows, in the order in which they were said. Tokens are counted for all texts
 * with a line between each.
 * @returns also how many turns there were to choose from
 */
export function recallTurns(
  { question, budgetTokens, conversation }: RecallRequest,
  { memory, counter }: { readonly memory: Pick<Memory, 'list'>; readonly counter: TokenCounter },
): { readonly turns: readonly RecalledTurn[]; readonly tokens: number; readonly stored: number } {
  const turns = storedTurns(memory, conversation);
  const scores = scoresOf(turns, new Set(termsOf(question)));
  const ranked = turns
    .map((turn, index) => ({ ...turn, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || compare(a, b));
  const chosen: RecalledTurn[] = [];
  let tokens = 0;
  for (const { terms: _, ...turn } of ranked) {
    if (tokens >= budgetTokens) break;
    const cost = counter.count(`${turn.text}\n\n`);
    if (tokens + cost > budgetTokens) continue;
    tokens += cost;
    chosen.push({ ...turn, tokens: cost });
  }
  return { turns: chosen.sort(compare), tokens, stored: turns.length };
}

type StoredTurn = Omit<RecalledTurn, 'tokens' | 'score'> & { readonly terms: readonly string[] };

function storedTurns(memory: Pick<Memory, 'list'>, wanted: string | undefined): StoredTurn[] {
  const folder = wanted === undefined ? `${CONVERSATION_FOLDER}/` : `${CONVERSATION_FOLDER}/${wanted}/`;
  const pages = memory.list({ type: 'episodic' }).filter(({ key }) => key.startsWith(folder));
  return pages
    .flatMap(({ key, content }): StoredTurn[] => {
      const page = readPage(Buffer.from(content).toString());
      if (page === undefined) return [];
      return page.turns.map((messages, index) => {
        const text = messages.map((message) => `${speakerOf(message)}: ${shownText(message)}`).join('\n');
        return {
          conversation: page.conversation,
          turn: page.first + index,
          path: `${MEMORY_POINT}/episodic/${key}`,
          messages,
          text: `[${page.conversation}, turn ${page.first + index}]\n${text}`,
          terms: termsOf(text),
        };
      });
    })
    .sort(compare);
}

function shownText(message: ChatMessage): string {
  const calls = (message.tool_calls ?? []).map((call) => JSON.stringify(call['function'] ?? call));
  return [textOfMessage(message), ...calls].filter((part) => part !== '').join('\n');
}

function compare(
  a: Pick<RecalledTurn, 'conversation' | 'turn'>,
  b: Pick<RecalledTurn, 'conversation' | 'turn'>,
): number {
  if (a.conversation !== b.conversation) return a.conversation < b.conversation ? -1 : 1;
  return a.turn - b.turn;
}

/** BM25 over each turn and, with less weight, what was said around it: "Yes, in May" is about what was asked before. */
function scoresOf(turns: readonly StoredTurn[], asked: ReadonlySet<string>): number[] {
  const counts = turns.map(({ terms }) => countsOf(terms, asked));
  const holding = new Map<string, number>();
  for (const counted of counts)
    for (const term of counted.keys()) holding.set(term, (holding.get(term) ?? 0) + 1);
  const mean = Math.max(1, sum(turns.map(({ terms }) => terms.length)) / Math.max(1, turns.length));
  const share = (index: number, term: string, from: StoredTurn): number => {
    const turn = turns[index];
    if (turn?.conversation !== from.conversation) return 0;
    return (
      (counts[index]?.get(term) ?? 0) /
      (1 - LENGTH_NORMALISATION + (LENGTH_NORMALISATION * turn.terms.length) / mean)
    );
  };
  return turns.map((turn, index) =>
    [...holding].reduce((score, [term, found]) => {
      const count =
        share(index, term, turn) +
        TURN_BEFORE_WEIGHT * share(index - 1, term, turn) +
        TURN_AFTER_WEIGHT * share(index + 1, term, turn);
      const rarity = Math.log(1 + (turns.length - found + 0.5) / (found + 0.5));
      return score + (rarity * count * (SATURATION + 1)) / (count + SATURATION);
    }, 0),
  );
}

function countsOf(terms: readonly string[], asked: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const term of terms) if (asked.has(term)) counted.set(term, (counted.get(term) ?? 0) + 1);
  return counted;
}
