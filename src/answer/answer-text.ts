import type { Fact } from '../context/manifest.ts';
import { wayText } from '../context/way-text.ts';
import { BETWEEN_HEADINGS } from '../core/headings.ts';
import { printableName } from '../text/printable.ts';
import type { SourcedAnswer } from './from-sources.ts';
import type { Quote } from './quoted.ts';

/** The answer as text: paths and relations with the lines that state them, then what the passages say. */
export function answerText({ paths, facts, quotes }: SourcedAnswer): string {
  const ways = paths.map((path) =>
    [wayText(path), ...path.steps.map((step) => `  ${statement(step)}`)].join('\n'),
  );
  const relations = facts.map(statement);
  return [...ways, relations.join('\n'), quotes.map(quoted).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}

function quoted({ place, headings, text }: Quote): string {
  const where = headings.join(BETWEEN_HEADINGS);
  return `- ${[where, text].filter((part) => part !== '').join(': ')} ${cited(place)}`;
}

function statement({ from, edgeType, to, evidence }: Fact): string {
  const [place] = evidence;
  const said = `${printableName(from)} ${edgeType.replaceAll('_', ' ')} ${printableName(to)}`;
  return place === undefined ? said : `${said} ${cited(place)}`;
}

/** A file name may contain line breaks, and nobody must take what follows for text of the answer. */
function cited(place: string): string {
  return `[${printableName(place)}]`;
}
