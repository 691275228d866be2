import type { Fact } from '../context/manifest.ts';
import { placeOf, type SourcedAnswer } from './from-sources.ts';

/** The answer as text: ways and relations with the lines that state them, then what the passages say. */
export function answerText({ paths, facts, passages }: SourcedAnswer): string {
  const ways = paths.map(({ nodes, steps }) =>
    [nodes.join(' → '), ...steps.map((step) => `  ${statement(step)}`)].join('\n'),
  );
  const relations = facts.map(statement);
  const quotes = passages.map((passage) => {
    const where = passage.headings.length > 0 ? `${passage.headings.join(' › ')}: ` : '';
    return `- ${where}${passage.snippet.replace(/\s+/g, ' ').trim()} [${placeOf(passage)}]`;
  });
  return [...ways, relations.join('\n'), quotes.join('\n')].filter((part) => part !== '').join('\n\n');
}

function statement({ from, edgeType, to, evidence }: Fact): string {
  const [place] = evidence;
  return `${from} ${edgeType.replaceAll('_', ' ')} ${to}${place === undefined ? '' : ` [${place}]`}`;
}
