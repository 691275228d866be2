import t from 'tap';
import { cutToWidth, displayWidth } from '../../../src/cli/text/display-width.ts';
import { styleFor } from '../../../src/cli/text/style.ts';
import { writeTree } from '../../../src/cli/text/tree.ts';
import type { TreeNode } from '../../../src/graph/dependency-tree.ts';
import { memoryOutput } from '../memory-output.ts';

function node(name: string, ...children: TreeNode[]): TreeNode {
  const edges = [{ edge_type: 'references', direction: 'out' }] as const;
  return { node: name, type: 'Concept', edges, mark: null, children, more: 0, deeper: 0 };
}

t.test('a text is as wide as a terminal shows it', async (t) => {
  const widths = {
    plain: 5,
    naïve: 5,
    '│  ├─ é → ü': 11,
    '↔️': 2,
    'nai\u0308ve': 5,
    日本語: 6,
    ﾊﾝ: 2,
    한국: 4,
    '👍🏽': 2,
    '👨‍👩‍👧': 2,
    '🇫🇷': 2,
    '✈️': 2,
    '…': 1,
    'a\u200bb': 2,
  };
  for (const [text, width] of Object.entries(widths)) t.equal(displayWidth(text), width, text);
});

t.test('a text is cut where it is too wide, never within a character', async (t) => {
  t.equal(cutToWidth('日本語', 6), '日本語');
  t.equal(cutToWidth('日本語', 5), '日本…');
  t.equal(cutToWidth('日本語', 4), '日…');
  t.equal(cutToWidth('abc', 2), 'a…');
  t.equal(cutToWidth('abc', 0), '');
});

t.test('no line of a tree is wider than it may be, whatever scripts names are in', async (t) => {
  const tree = node(
    '支払い',
    node('決済サービス', node('Überweisung nach überall', node('👍🏽'.repeat(30)))),
  );
  for (let columns = 10; columns < 90; columns += 1) {
    const output = memoryOutput();
    writeTree(output, tree, columns);
    const lines = output.text().trimEnd().split('\n');
    t.equal(lines.length, 4);
    t.ok(lines.every((line) => displayWidth(line) <= columns));
  }
});

t.test('a tree is coloured on a terminal only, and a name cannot colour it', async (t) => {
  const tree = node('a\u001b[31m\nb', node('c'));
  const plain = memoryOutput();
  writeTree(plain, tree, undefined);
  t.equal(plain.text(), "$'a\\x1b[31m\\nb'  Concept\n└─ references → c  Concept\n");
  const coloured = { ...memoryOutput(), style: styleFor(true) };
  writeTree(coloured, tree, undefined);
  t.ok(coloured.text().includes('\u001b[36mreferences → \u001b[39m\u001b[1mc\u001b[22m'));
});
