import { createHash } from 'node:crypto';

/**
 * A part of a text file between two marks. The first mark contains what is needed to remove the block without a trace: how many line ends were put
 * before it, whether the file was made for it, and a hash of the content, which shows whether somebody has edited it.
 */
interface Block {
  /** From the first mark to after the line end of the last one. */
  readonly start: number;
  readonly end: number;
  readonly body: string;
  /** The number of line ends that were put before it. */
  readonly gap: number;
  /** The line end of its marks, and of the gap. */
  readonly lineEnd: string;
  readonly hasMadeFile: boolean;
  readonly isEdited: boolean;
}

/** The blocks in a text. */
export interface Blocks {
  readonly count: number;
  /** The content of the first one, with line feeds as line ends. */
  readonly body: string | undefined;
  /** Whether somebody has edited one of them. */
  readonly isEdited: boolean;
  /** Whether there is a mark without the other one. */
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
 * The text with one block that contains `body`: at the place of the first one, else at the end. The line ends are those of the text.
 * @param text undefined if there is no file yet
 * @param body ends with a line feed
 */
export function withBlock(text: string | undefined, body: string): string {
  const [first, ...others] = findBlocks(text ?? '');
  if (text === undefined || first === undefined) return appended(text, body);
  const written = writtenBlock(body, first.gap, first.hasMadeFile, lineEndOf(text));
  const rest = others.toReversed().reduce(without, text);
  return rest.slice(0, first.start) + written + rest.slice(first.end);
}

/** The text as it was before; undefined if the file was made for the block and contains nothing else. */
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

/** How many line ends are needed for an empty line before what follows. */
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
    // A carriage return before line feeds may have been the last character of the text before.
    from -= lineEnd === '\r\n' && text[from - 2] === '\r' ? 2 : 1;
  }
  return text.slice(0, from) + text.slice(end);
}

function hashOf(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, HASH_DIGITS);
}
