import { answerText } from '../answer/answer-text.ts';
import { answerFromSources } from '../answer/from-sources.ts';
import type { HistoryRecorder } from '../core/history-event.ts';
import type { OpContext } from '../core/resolver.ts';
import type { SearchEngine } from '../core/search.ts';
import { unreadText } from '../core/unread-sources.ts';
import type { GraphQueries } from '../graph/queries.ts';
import { printable } from '../text/printable.ts';
import { type Io, writeJson } from './io.ts';
import type { provenanceOf } from './provenance.ts';

export interface SourcesAsked {
  readonly question: string;
  readonly search: Pick<SearchEngine, 'search' | 'textOf'>;
  readonly graph: GraphQueries;
  readonly record: HistoryRecorder;
  readonly context: OpContext;
  readonly isJson: boolean;
  readonly provenance: ReturnType<typeof provenanceOf>;
}

/** An answer made of sources alone, not yet written. */
export interface SourcesSaid {
  readonly isAnswer: boolean;
  write(io: Io): void;
}

/** Answers a question from the sources alone, and records in the history that it was asked. */
export async function askSources({
  question,
  search,
  graph,
  record,
  context,
  isJson,
  provenance,
}: SourcesAsked): Promise<SourcesSaid> {
  const answer = await answerFromSources(question, { engine: search, graph });
  const { unread } = answer;
  const text = answerText(answer);
  return {
    isAnswer: text !== '',
    write({ out, err }) {
      record({ type: 'search', data: { query: question, hits: answer.quotes.length }, context });
      if (unread !== undefined) err.write(`kgraphfs: ${printable(unreadText(unread))}\n`);
      if (!isJson) {
        if (text !== '') out.write(`${text.split('\n').map(printable).join('\n')}\n`);
        return;
      }
      writeJson(out, {
        answer: text,
        traversal_log: answer.lookups.map(({ tool, args, resultSummary }) => ({
          tool,
          args,
          result_summary: resultSummary,
        })),
        sources: answer.sources,
        ...(unread === undefined ? {} : { unread }),
        ...provenance(graph.revision()),
      });
    },
  };
}
