import type { Fact } from '../context/manifest.ts';
import type { SourcedAnswer } from './from-sources.ts';
import type { Quote } from './quoted.ts';

/** The answer as text: ways and relations with the lines that state them, then what the passages say. */
export function answerText({ paths, facts, quotes }: SourcedAnswer): string {
  const ways = paths.map(({ nodes, steps }) =>
    [nodes.join(' → '), ...steps.map((step) => `  ${statement(step)}`)].join('\n'),
  );
  const relations = facts.map(statement);
  return [...ways, relations.join('\n'), quotes.map(quoted).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function quoted({ place, headings, text }: Quote): string {
  const where = headings.join(' › ');
  return `- ${[where, text].filter((part) => part !== '').join(': ')} [${place}]`;
}

function statement({ from, edgeType, to, evidence }: Fact): string {
  const [place] = evidence;
  return `${from} ${edgeType.replaceAll('_', ' ')} ${to}${place === undefined ? '' : ` [${place}]`}`;
}
