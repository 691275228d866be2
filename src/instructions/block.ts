import { createHash } from 'node:crypto';

/**
 * A part of a text file between two marks. The first mark keeps what is needed to take it out without a trace: how many line ends were put before
 * it, whether the file was made for it, and a hash of the part, which tells whether somebody edited it.
 */
interface Block {
  /** From the first mark to behind the line end of the last one. */
  readonly start: number;
  readonly end: number;
  readonly body: string;
  /** Line ends that were put before it. */
  readonly gap: number;
  /** Those of its marks, and of the gap. */
  readonly lineEnd: string;
  readonly hasMadeFile: boolean;
  readonly isEdited: boolean;
}

/** What a text has of ours. */
export interface Blocks {
  readonly count: number;
  /** What stands in the first one, its lines ended with a line feed alone. */
  readonly body: string | undefined;
  /** Whether somebody changed one of them. */
  readonly isEdited: boolean;
  /** A mark without the other one. */
  readonly isBroken: boolean;
}

const BEGIN = /^<!-- kgraphfs:begin((?: [a-z]+=[0-9a-z]+)*) [^\r\n]*-->(\r?\n)/gm;
const END = /^<!-- kgraphfs:end -->(?:\r?\n|$)/gm;
const NOTE = 'put here by "kgraphfs agents install"; "kgraphfs agents uninstall" takes it out again';
const HASH_DIGITS = 12;

export function blocksIn(text: string): Blocks {
  const blocks = findBlocks(text);
  const marks = text.match(/^<!-- kgraphfs:(?:begin|end)\b/gm)?.length ?? 0;
  return {
    count: blocks.length,
    body: blocks[0]?.body,
    isEdited: blocks.some(({ isEdited }) => isEdited),
    isBroken: marks !== 2 * blocks.length,
  };
}

/**
 * The text with one block that says `body`: where the first one was, else at the end. Lines end as those of the text do.
 * @param text undefined where there is no file yet
 * @param body ended with a line feed
 */
export function withBlock(text: string | undefined, body: string): string {
  const [first, ...others] = findBlocks(text ?? '');
  if (text === undefined || first === undefined) return appended(text, body);
  const written = writtenBlock(body, first.gap, first.hasMadeFile, lineEndOf(text));
  const rest = others.toReversed().reduce(without, text);
  return rest.slice(0, first.start) + written + rest.slice(first.end);
}

/** The text as it was before, and undefined where the file was made for the block and holds nothing else. */
export function withoutBlocks(text: string): string | undefined {
  const blocks = findBlocks(text);
  const rest = blocks.toReversed().reduce(without, text);
  return rest === '' && blocks.some(({ hasMadeFile }) => hasMadeFile) ? undefined : rest;
}

function appended(text: string | undefined, body: string): string {
  const before = text ?? '';
  const lineEnd = lineEndOf(before);
  const gap = gapAfter(before);
  return before + lineEnd.repeat(gap) + writtenBlock(body, gap, text === undefined, lineEnd);
}

/** Line ends that it takes for an empty line before what follows. */
function gapAfter(text: string): number {
  if (text === '' || /(?:^|\n)\r?\n$/.test(text)) return 0;
  return text.endsWith('\n') ? 1 : 2;
}

function lineEndOf(text: string): string {
  return /\r\n[^\n]*$/.test(text) ? '\r\n' : '\n';
}

function writtenBlock(body: string, gap: number, hasMadeFile: boolean, lineEnd: string): string {
  const made = hasMadeFile ? ' made=file' : '';
  const begin = `<!-- kgraphfs:begin gap=${gap}${made} check=${hashOf(body)} ${NOTE} -->\n`;
  return `${begin}${body}<!-- kgraphfs:end -->\n`.replaceAll('\n', lineEnd);
}

function findBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (const begin of text.matchAll(BEGIN)) {
    const bodyStart = begin.index + begin[0].length;
    END.lastIndex = bodyStart;
    const end = END.exec(text);
    const isWithinLast = begin.index < (blocks.at(-1)?.end ?? 0);
    if (end === null || isWithinLast) continue;
    const marks = new Map((begin[1] ?? '').trim().split(' ').map(pairOf));
    const body = text.slice(bodyStart, end.index).replaceAll('\r\n', '\n');
    blocks.push({
      start: begin.index,
      end: end.index + end[0].length,
      body,
      gap: Number(marks.get('gap') ?? 0),
      lineEnd: begin[2] ?? '\n',
      hasMadeFile: marks.get('made') === 'file',
      isEdited: marks.get('check') !== hashOf(body),
    });
  }
  return blocks;
}

function pairOf(pair: string): [string, string] {
  const [name = '', value = ''] = pair.split('=');
  return [name, value];
}

function without(text: string, { start, end, gap, lineEnd }: Block): string {
  let from = start;
  for (let left = gap; left > 0 && text[from - 1] === '\n'; left -= 1) {
    // A carriage return before line feeds may have been the last of the text before.
    from -= lineEnd === '\r\n' && text[from - 2] === '\r' ? 2 : 1;
  }
  return text.slice(0, from) + text.slice(end);
}

function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, HASH_DIGITS);
}
