import { BETWEEN_HEADINGS } from '../core/headings.ts';
import { isoDay, isTime } from '../core/iso-time.ts';
import { type Hop, RETRIEVERS, type SearchHit } from '../core/search.ts';
import { printable, printableName } from '../text/printable.ts';

/** A hit as people read it. */
export interface HitText {
  /** Where the snippet begins, relative to the mount: `docs/charges/create.md:31`. */
  readonly place: string;
  /** Kind, score, retrievers with their ranks, date, and whether it is stale, or nobody has accepted it yet. */
  readonly facts: readonly string[];
  /** Headings, the way through the graph, and the snippet, each on one line. */
  readonly lines: readonly string[];
}

const INDENT = '   ';

/** The content of `search/<query>`: a block for each hit, best first. */
export function answerText(hits: readonly SearchHit[]): string {
  return hits
    .map((hit, index) => {
      const { place, facts, lines } = hitText(hit);
      return blockOf(`${index + 1}  ${place}  ${facts.join('  ')}`, lines);
    })
    .join('\n');
}

/** @param head its first line */
export function blockOf(head: string, lines: readonly string[]): string {
  return [head, ...lines.map((line) => `${INDENT}${line}`)].map((line) => `${line}\n`).join('');
}

/** Shows dates rather than ages, so that the same answer has the same text tomorrow. */
export function hitText(hit: SearchHit): HitText {
  const {
    path,
    line: firstLine,
    snippetLine: line = firstLine,
    kind,
    type,
    score,
    dateMs,
    stale,
    waits,
  } = hit;
  const found = RETRIEVERS.flatMap((name) => {
    const rank = hit.retrievers[name];
    return rank === undefined ? [] : `${name} #${rank}`;
  });
  return {
    place: printableName(path.slice(1)) + (line > 0 ? `:${line}` : ''),
    facts: [
      `${type === undefined ? kind : `${kind} (${printable(type)})`} ${score.toFixed(4)}`,
      ...(found.length > 0 ? [found.join(', ')] : []),
      `${dayOf(dateMs)}${stale ? ' stale' : ''}${waits ? ' waits for review' : ''}`,
    ],
    lines: linesOf(hit),
  };
}

/** A snippet may begin with its headings. These seldom contain the title if that is in front matter; of several headings, only the last one is there. */
function linesOf(hit: SearchHit): string[] {
  const headings = headingPath(hit);
  const snippet = printable(hit.snippet).trim();
  const beginnings = [headings, pathOf(hit.headings), pathOf(hit.headings.slice(-1))];
  const beginning = beginnings.find((text) => text !== '' && snippet.startsWith(`${text}:`));
  const said = beginning === undefined ? snippet : snippet.slice(beginning.length + 1);
  return [headings, hit.hops.map(hopText).join(', '), said.trim()].filter((text) => text !== '');
}

/** The title is most often also the first heading, perhaps in another letter case if the title is the name of the file. */
function headingPath({ title, headings }: SearchHit): string {
  return pathOf(headings[0]?.toLowerCase() === title.toLowerCase() ? headings : [title, ...headings]);
}

function pathOf(names: readonly string[]): string {
  return names
    .map((name) => printable(name).trim())
    .filter((name) => name !== '')
    .join(BETWEEN_HEADINGS);
}

function hopText({ from, edgeType, to, evidence }: Hop): string {
  const said = evidence === undefined ? '' : ` (${printableName(evidence)})`;
  return `via ${printableName(from)} ${edgeType} ${printableName(to)}${said}`;
}

function dayOf(dateMs: number): string {
  return isTime(dateMs) ? isoDay(dateMs) : 'no date';
}
