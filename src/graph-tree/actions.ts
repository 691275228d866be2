import { UserError } from '../core/errors.ts';
import type { GraphQueries } from '../graph/queries.ts';
import { graphQuestions } from '../graph/questions.ts';

/** The actions that the graph answers, with the arguments of each. */
export const GRAPH_ACTIONS: ReadonlyMap<string, string> = new Map([
  ['find_path', '<from> <to>'],
  ['subgraph', '<name> [depth]'],
  ['related_concepts', '<name>'],
]);

/** @throws UserError for an unknown action, and for arguments that it does not accept */
export function runAction(graph: GraphQueries, action: string, args: readonly string[]): unknown {
  const usage = GRAPH_ACTIONS.get(action) ?? '';
  const needed = usage.match(/<\w+>/g)?.length ?? 0;
  if (args.length < needed) throw new UserError(`${action} needs ${usage}`);
  const questions = graphQuestions(graph);
  const [first = '', second = ''] = args;
  if (action === 'find_path') return questions.find_connection(first, second) ?? { path: null };
  if (action === 'related_concepts') return questions.related_concepts(first);
  if (action === 'subgraph')
    return questions.subgraph_context(first, second === '' ? undefined : depthOf(second));
  throw new UserError(
    `"${action}" is not an action of the graph; it has find_path, subgraph and related_concepts`,
  );
}

function depthOf(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new UserError(`a depth is a whole number from 0 to 99, not "${text}"`);
  return Number(text);
}
