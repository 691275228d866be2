import { sum } from '../../core/sum.ts';
import type { TreeNode } from '../../graph/dependency-tree.ts';
import { printableName } from '../../text/printable.ts';
import type { Output } from '../io.ts';
import { cutToWidth, displayWidth } from './display-width.ts';

type Look = Parameters<Output['style']>[0];

/** A part of a line with its look; undefined for none. */
type Part = readonly [text: string, look?: Look];

/**
 * Draws a tree with a line for each node.
 * @param columns where to cut lines; undefined to never cut
 */
export function writeTree(output: Output, tree: TreeNode, columns: number | undefined): void {
  const write = (parts: readonly Part[]) => output.write(`${lineOf(output, parts, columns)}\n`);
  write([
    [printableName(tree.node), 'bold'],
    [`  ${tree.type}`, 'dim'],
  ]);
  const isBare = tree.children.length + tree.more + tree.deeper === 0;
  if (isBare) write([['no such relations', 'dim']]);
  writeBelow(tree, '', write);
}

function writeBelow(
  { children, more }: TreeNode,
  indent: string,
  write: (parts: readonly Part[]) => void,
): void {
  for (const [index, child] of children.entries()) {
    const isLast = index === children.length - 1 && more === 0;
    write([[`${indent}${isLast ? '└─' : '├─'} `, 'dim'], ...partsOf(child)]);
    writeBelow(child, `${indent}${isLast ? '   ' : '│  '}`, write);
  }
  if (more > 0) write([[`${indent}└─ … ${more} more`, 'dim']]);
}

function partsOf({ node, type, edges, mark, deeper }: TreeNode): Part[] {
  const typesOf = (way: 'out' | 'in') =>
    edges.flatMap((edge) => (edge.direction === way ? edge.edge_type : []));
  const arrows = [...arrow(typesOf('out'), '→'), ...arrow(typesOf('in'), '←')];
  const marks = { cycle: '  (cycle)', drawn: '  (already drawn)' };
  return [
    [`${arrows.join(' ')} `, 'cyan'],
    [printableName(node), 'bold'],
    [`  ${type}`, 'dim'],
    ...(mark === null ? [] : [[marks[mark], 'yellow'] as const]),
    ...(deeper === 0 ? [] : [[`  … ${deeper} deeper`, 'dim'] as const]),
  ];
}

/** The label of an arrow: `requires, returns →`. */
function arrow(types: readonly string[], way: string): string[] {
  return types.length === 0 ? [] : [`${types.join(', ')} ${way}`];
}

function lineOf({ style }: Output, parts: readonly Part[], columns: number | undefined): string {
  const inLook = (text: string, look: Look | undefined) => (look === undefined ? text : style(look, text));
  if (columns === undefined) return parts.map(([text, look]) => inLook(text, look)).join('');
  let line = '';
  let width = 0;
  const whole = sum(parts.map(([text]) => displayWidth(text)));
  const isCut = whole > columns;
  for (const [text, look] of parts) {
    // One column is kept for the mark of a cut.
    const room = isCut ? columns - width : Number.POSITIVE_INFINITY;
    const shown = displayWidth(text) < room ? text : cutToWidth(`${text}…`, room);
    line += inLook(shown, look);
    width += displayWidth(shown);
    if (shown !== text) break;
  }
  return line;
}
