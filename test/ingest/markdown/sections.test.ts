import fc from 'fast-check';
import t from 'tap';
import { extractDocument } from '../../../src/ingest/extract/extract.ts';
import { parseMarkdown } from '../../../src/ingest/markdown/parse.ts';
import { passagesOf } from '../../../src/ingest/passages/passages.ts';

/** What begins or ends a section, a note or what these may stand in. */
const PIECES = [
  ...['# A', '## B {#b}', 'Text\n===', '<h1>A</h1>', '<h2 id="b">B</h2>', '<h3', 'class="c">', 'C', '</h3>'],
  ...[
    '<h2>**D** `d`<br>',
    '<H2><a href="#x">E</a></H2>',
    '<div align="center">',
    '</div>',
    '<details><summary>',
  ],
  ...[':::', '::::', ':::note', '::: warning F', ':::tip[G]', ':::note {#h}', ':::image src="i.png":::'],
  ...['[!NOTE]', '[!tip]- H', '', '', '', 'The kiln burns.', '- item', '1. item', '---', '```', '~~~'],
  ...[
    '<table>',
    '<tr><td>',
    '</td></tr>',
    '</table>',
    '| a | b |\n|---|---|\n| c | d |',
    '<!--',
    '-->',
    '<pre>',
    '</pre>',
  ],
];
const MARKS = ['', '', '', '> ', '> > ', '- ', '  ', '    ', '\t', '- > ', '> - '];
const LINE = fc.tuple(fc.constantFrom(...MARKS), fc.constantFrom(...PIECES)).map((parts) => parts.join(''));
const FRONT_MATTER = fc.constantFrom('', '---\ntitle: Kiln\n---\n');
const DOCUMENT = fc
  .tuple(FRONT_MATTER, fc.array(LINE, { maxLength: 40 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([front, lines, ending, isEnded]) =>
    `${front}${lines.join('\n')}${isEnded ? '\n' : ''}`.replaceAll('\n', ending),
  );
const PATH = fc.constantFrom('kiln.md', 'kiln.mdx');

t.test('sections lie in the document one below the other, whatever begins and ends them', async () => {
  fc.assert(
    fc.property(PATH, DOCUMENT, (path, text) => {
      const lines = text.split('\n');
      const document = parseMarkdown(path, text);
      const { outline, title } = extractDocument(path, text);
      const headed = document.sections.slice(1);
      if (headed.length !== outline.sections.length) return false;
      const isOrdered = headed.every(({ line, level }, index) => {
        const { line: before = 0 } = headed[index - 1] ?? {};
        const shown = outline.sections[index];
        return line > before && line <= lines.length && line === shown?.line && level === shown.level;
      });
      const isWithin = outline.sections.every(({ line, endLine, parent }) => {
        const above = outline.sections[parent];
        return line <= endLine && endLine <= (above?.endLine ?? lines.length);
      });
      const blockLines = document.sections.flatMap(({ line, blocks }, index) =>
        blocks.map((block) => {
          // Of a fence without an end the last line may be the file's.
          if (block.kind === 'code' && block.content === '') return true;
          const at = block.kind === 'paragraph' ? block.text.line : block.line;
          return at >= line && at < (headed[index]?.line ?? lines.length + 1);
        }),
      );
      const isFound = passagesOf(document, title).every(
        ({ line, endLine }) => line >= 1 && line <= endLine && endLine <= lines.length,
      );
      return isOrdered && isWithin && isFound && !blockLines.includes(false);
    }),
    { numRuns: 1_500 },
  );
});
