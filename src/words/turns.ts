import type { Piece } from './pieces.ts';

/** What somebody says in a conversation. */
export interface Turn extends Piece {
  readonly speaker: string;
}

/** What may be before a name: a list marker, brackets, numbers, a date. */
const BEFORE =
  /(?:[-*>][ \t]+)?(?:(?:\[[^\]\n]{1,60}\]|\([^)\n]{1,60}\)|[A-Z]?\d[\w:.,/+-]{0,30}(?![\w:.,/+-])|[ap]m\b|(?:[Oo]n|[Aa]t)(?=[ \t]+(?:\d|[A-Z][a-z]{2,8}[ \t]\d))|[A-Z][a-z]{2,8}(?=[ \t]\d)|[-–—|,])[ \t]*){0,12}/;
const NAME = /\p{L}[\p{L}\p{N}.'’_-]{0,30}(?: [\p{Lu}\p{N}][\p{L}\p{N}.'’_-]{0,30}){0,2}/u;
/** `Ana: yes`. No markup except bold type around the name. */
const OPENING = new RegExp(
  `^[ \\t]*${BEFORE.source}[*_]{0,2}(?<speaker>${NAME.source})(?:[ \\t](?:said|says|wrote|writes|asked|asks|replied|replies|answered))?(?:[ \\t]*[([][^)\\]\\n]{1,60}[)\\]])?[*_]{0,2}:[*_]{0,2}[ \\t]+\\S`,
  'u',
);
/** How many lines have to begin like this before a text counts as a conversation. */
const MIN_TURNS = 3;

/** The speaker of a text that is a single turn of a conversation; undefined if it does not look like one. */
export function speakerOf(text: string): string | undefined {
  return OPENING.exec(text.trimStart())?.groups?.['speaker'];
}

/** The turns that a text consists of; undefined if it is not a conversation. Anything before the first turn belongs to it. */
export function turnsIn(text: string): readonly Turn[] | undefined {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => {
    const speaker = OPENING.exec(line)?.groups?.['speaker'];
    return speaker === undefined ? [] : [{ index, speaker }];
  });
  const said = lines.filter((line) => line.trim() !== '').length;
  if (starts.length < MIN_TURNS || starts.length * 2 < said || !isTalk(starts.map(({ speaker }) => speaker)))
    return undefined;
  return starts.map(({ index, speaker }, turn) => {
    const first = turn === 0 ? 0 : index;
    const end = starts[turn + 1]?.index ?? lines.length;
    const own = lines.slice(first, end).join('\n').trimEnd();
    return { text: own, line: first + 1, endLine: first + own.split('\n').length, speaker };
  });
}

/** Speakers occur several times; the keys of a list do not. */
function isTalk(speakers: readonly string[]): boolean {
  return new Set(speakers).size * 2 <= speakers.length + 1;
}
