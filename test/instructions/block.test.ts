import fc from 'fast-check';
import t from 'tap';
import { blocksIn, withBlock, withoutBlocks } from '../../src/instructions/block.ts';
import { textDiff } from '../../src/text/text-diff.ts';

const BODY = '## What this team knows\n\nLook there.\n';

const line = fc.constantFrom('', '# Rules', 'Use tabs', '```', '<!-- kgraphfs -->', '  ', '\t');
const texts = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.nat(3))
  .map(([lines, lineEnd, ends]) => lines.join(lineEnd) + lineEnd.repeat(ends));

t.test('what was there before is there again, whatever it was', async (t) => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: 'binary' })), (text) => {
      const installed = withBlock(text, BODY);
      t.ok(installed.startsWith(text));
      t.same(blocksIn(installed), { count: 1, body: BODY, isEdited: false, isBroken: false });
      t.equal(withBlock(installed, BODY), installed);
      t.equal(withoutBlocks(withBlock(installed, 'Now there.\n')), text);
    }),
  );
  t.equal(withoutBlocks(withBlock('a\r', BODY)), 'a\r', 'a carriage return is no line end');
  t.equal(withoutBlocks(withBlock(undefined, BODY)), undefined, 'a file that was made goes');
  t.equal(withoutBlocks(`${withBlock(undefined, BODY)}More\n`), 'More\n', 'unless somebody wrote into it');
});

t.test('lines of the block end as those before it do', async (t) => {
  const installed = withBlock('# Rules\r\n', BODY);
  t.notMatch(installed, /[^\r]\n/);
  t.equal(withoutBlocks(installed.replaceAll('\r\n', '\n')), '# Rules\n', 'also where git turned them over');
});

t.test('what follows the block stays', async (t) => {
  const installed = `${withBlock('# Rules\n', BODY)}\n# More\n`;
  t.equal(withoutBlocks(installed), '# Rules\n\n# More\n');
  t.equal(withoutBlocks(withBlock(installed, 'Now there.\n')), '# Rules\n\n# More\n');
});

t.test('an edited block, a lost mark and a block that is there twice are seen', async (t) => {
  const installed = withBlock('# Rules\n', BODY);
  t.ok(blocksIn(installed.replace('Look', 'Do not look')).isEdited);
  t.ok(blocksIn(installed.replace('<!-- kgraphfs:end -->', '')).isBroken);
  t.ok(blocksIn('<!-- kgraphfs:end -->\n').isBroken);
  const twice = installed + installed;
  t.equal(blocksIn(twice).count, 2);
  t.equal(blocksIn(withBlock(twice, BODY)).count, 1);
  t.equal(withoutBlocks(twice), '# Rules\n# Rules\n');
});

t.test('a diff is what patch takes', async (t) => {
  t.equal(textDiff('a.md', 'x', 'x'), '');
  t.equal(
    textDiff('a.md', undefined, 'one\ntwo'),
    '--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n',
  );
  t.equal(
    textDiff('a.md', '1\n2\n3\n4\n5\n', '1\n2\n3\n4\nx\n5\n'),
    '--- a/a.md\n+++ b/a.md\n@@ -2,4 +2,5 @@\n 2\n 3\n 4\n+x\n 5\n',
  );
});
